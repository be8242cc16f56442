import { describe, expect, it } from "vitest";
import { match } from "./fuzzy.ts";

describe("fuzzy match", () => {
  it("finds letters in order only", () => {
    expect(match("ba", "abc")).toBeUndefined();
    expect(match("ac", "abc")).toBeDefined();
  });

  it("prefers letters that begin words", () => {
    expect(match("sr", "Split right")).toBeGreaterThan(match("sr", "Restart") ?? 0);
  });

  it("matches everything with nothing", () => {
    expect(match("", "anything")).toBe(0);
  });
});
