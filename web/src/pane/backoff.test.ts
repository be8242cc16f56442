import { describe, expect, it } from "vitest";
import { EAGER_FOR_MS, retryDelayMs } from "./backoff.ts";

describe("backoff", () => {
  it("asks two to five times a second for two minutes", () => {
    expect(retryDelayMs(0, 0)).toBe(200);
    expect(retryDelayMs(0, 1)).toBe(500);
    expect(retryDelayMs(EAGER_FOR_MS - 1, 0.5)).toBe(350);
  });

  it("then asks every five seconds", () => {
    expect(retryDelayMs(EAGER_FOR_MS, 0)).toBe(5_000);
  });
});
