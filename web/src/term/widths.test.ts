import { Terminal } from "@xterm/xterm";
import { describe, expect, it } from "vitest";
import { useHostWidths } from "./widths.ts";

describe("widths", () => {
  const columns = async (text: string): Promise<number> => {
    const terminal = new Terminal({ cols: 80, rows: 2, allowProposedApi: true });
    useHostWidths(terminal);
    await new Promise<void>((done) => terminal.write(text, done));
    const { cursorX } = terminal.buffer.active;
    terminal.dispose();
    return cursorX;
  };

  it.each([
    ["plain", 5],
    ["日本語", 6],
    ["한국어", 6],
    ["✅", 2],
    ["⚠️", 2],
    ["⚠", 1],
    ["👩‍💻", 2],
    ["🇩🇪", 2],
    ["e\u0301", 1],
    ["👍🏽", 2],
  ])("of %s is %i", async (text, expected) => {
    expect(await columns(text)).toBe(expected);
  });
});
