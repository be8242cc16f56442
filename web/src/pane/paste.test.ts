import { describe, expect, it } from "vitest";
import { hasSeveralLines, sanitizePaste } from "./paste.ts";

describe("the paste sanitizer", () => {
  it.each([
    ["a\x1b[201~\rid\r", "a[201~\rid\r"],
    ["\x1b\x1b[201~[201~", "[201~[201~"],
    ["a\u009b201~b", "a201~b"],
    ["one\r\ntwo\nthree\r", "one\rtwo\rthree\r"],
    ["tab\there", "tab\there"],
    ["\x00\x03\x07\x7f", ""],
    ["plain 日本語 🚀", "plain 日本語 🚀"],
    ["\n", "\r"],
  ])("turns %j into %j", (text, clean) => {
    expect(sanitizePaste(text)).toBe(clean);
  });

  it("changes nothing a second time and leaves no control behind", () => {
    let seed = 7;
    for (let round = 0; round < 200; round += 1) {
      let text = "";
      for (let at = 0; at < 40; at += 1) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        text += String.fromCharCode(seed % 0xa5);
      }
      const clean = sanitizePaste(text);
      expect(sanitizePaste(clean)).toBe(clean);
      const controls = [...clean].map((one) => one.charCodeAt(0)).filter(isControl);
      expect(controls.every((one) => one === 9 || one === 13)).toBe(true);
    }
  });

  it("sees a line end only where something follows", () => {
    expect(hasSeveralLines("one\r")).toBe(false);
    expect(hasSeveralLines("one\rtwo")).toBe(true);
  });
});

function isControl(unit: number): boolean {
  return unit < 0x20 || (unit >= 0x7f && unit <= 0x9f);
}
