import { describe, expect, it } from "vitest";
import { encodeKey, type Key } from "./keys.ts";

describe("keys", () => {
  it("are xterm.js's without the kitty protocol", () => {
    expect(sent(press("Enter", { shiftKey: true }), 0)).toBeUndefined();
    expect(sent(press("a"), 0)).toBeUndefined();
  });

  it("begin a new line by Shift+Enter where the CLI has a habit for it", () => {
    expect(sent(press("Enter", { shiftKey: true }), 0, "claude")).toBe("\\\r");
    expect(sent(press("Enter"), 0, "claude")).toBeUndefined();
    expect(sent(press("Enter", { shiftKey: true }), 1, "claude")).toBe("\x1b[13;2u");
  });

  it.each([
    ["Shift+Enter", press("Enter", { shiftKey: true }), "\x1b[13;2u"],
    ["Ctrl+Enter", press("Enter", { ctrlKey: true }), "\x1b[13;5u"],
    ["Escape", press("Escape"), "\x1b[27u"],
    ["Shift+Tab", press("Tab", { shiftKey: true }), "\x1b[9;2u"],
    ["Alt+Backspace", press("Backspace", { altKey: true }), "\x1b[127;3u"],
    ["Ctrl+Shift+K", press("K", { ctrlKey: true, shiftKey: true }), "\x1b[107;6u"],
    ["Alt+a", press("a", { altKey: true }), "\x1b[97;3u"],
  ])("tell %s apart once the program asked", (_name, key, bytes) => {
    expect(sent(key, 1)).toBe(bytes);
  });

  it.each(["Enter", "Tab", "Backspace", "a", "ArrowUp"])("leave plain %s as it is", (key) => {
    expect(sent(press(key), 1)).toBeUndefined();
  });

  it("keep Ctrl+C what every program knows, unless all keys were asked for", () => {
    expect(sent(press("c", { ctrlKey: true }), 1)).toBeUndefined();
    expect(sent(press("c", { ctrlKey: true }), 9)).toBe("\x1b[99;5u");
  });

  it("send text and Enter as escapes when all keys were asked for", () => {
    expect(sent(press("a"), 8)).toBe("\x1b[97u");
    expect(sent(press("Enter"), 8)).toBe("\x1b[13u");
  });
});

function press(key: string, mods: Partial<Key> = {}): Key {
  const none = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  return { key, code: "", ...none, ...mods };
}

function sent(key: Key, kitty: number, profile = "shell"): string | undefined {
  const bytes = encodeKey(key, { kitty }, profile);
  return bytes === undefined ? undefined : String.fromCharCode(...bytes);
}
