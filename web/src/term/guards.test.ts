import { Terminal as Headless } from "@xterm/headless";
import type { Terminal } from "@xterm/xterm";
import { describe, expect, it } from "vitest";
import { COLS_LEAST, FONT_LEAST_PX, fontSizeFor, gridIn, ROWS_LEAST } from "./fit.ts";
import { installGuards, isReport } from "./guards.ts";

const QUERIES = [
  "\x1b[c",
  "\x1b[0c",
  "\x1b[>c",
  "\x1b[=c",
  "\x1b[5n",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[?996n",
  "\x1b[?2026$p",
  "\x1b[4$p",
  "\x1b[>0q",
  "\x1b[?u",
  "\x1b[14t",
  "\x1b[16t",
  "\x1b[18t",
  "\x1b[21t",
  "\x1b[x",
  "\x1bP$qm\x1b\\",
  "\x1bP+q544e\x1b\\",
  "\x1b]4;1;?\x07",
  "\x1b]10;?\x07",
  "\x1b]11;?\x1b\\",
  "\x1b]12;?\x07",
  "\x1b]52;c;?\x07",
];

describe("the page's terminal", () => {
  it.each(QUERIES)("never answers %j", async (query) => {
    const { terminal, answers } = guarded();
    await write(terminal, `before${query}after`);
    expect(answers).toEqual([]);
    expect(line(terminal, 0)).toBe("beforeafter");
  });

  it("would answer without its guards", async () => {
    const terminal = new Headless({ allowProposedApi: true });
    const answers: string[] = [];
    terminal.onData((data) => answers.push(data));
    await write(terminal, "\x1b[c\x1b[6n");
    expect(answers).not.toEqual([]);
  });

  it.each(["@", "I", "L", "M", "P", "S", "T", "X", "Z", "b"])(
    "is not held up by a thousand million %s",
    async (final) => {
      const { terminal } = guarded();
      const startMs = performance.now();
      await write(terminal, `x\x1b[1000000000${final}ok`);
      expect(performance.now() - startMs).toBeLessThan(500);
    },
  );

  it("does what a count past the grid means", async () => {
    const { terminal } = guarded();
    await write(terminal, "one\r\ntwo\x1b[999999S\x1b[Hnew");
    expect(line(terminal, 0)).toBe("new");
    expect(line(terminal, 1)).toBe("");
  });

  it("does what a small count means", async () => {
    const { terminal } = guarded();
    await write(terminal, "x\x1b[3b\x1b[H\x1b[2@");
    expect(line(terminal, 0)).toBe("  xxxx");
  });

  it("sets colours that are given by value", async () => {
    const { terminal } = guarded();
    await write(terminal, "\x1b]11;#102030\x07\x1b]4;1;rgb:ff/00/00\x07ok");
    expect(line(terminal, 0)).toBe("ok");
  });
});

describe("reports", () => {
  it.each(["\x1b[I", "\x1b[O", "\x1b[<0;10;5M", "\x1b[<35;1;1m", "\x1b[M !!"])(
    "are told from keys: %j",
    (data) => {
      expect(isReport(data)).toBe(true);
    },
  );

  it.each(["a", "\x1b", "\x1b[A", "\x1bOA", "\x1b[15~", "\x1b[<"])("are not keys: %j", (data) => {
    expect(isReport(data)).toBe(false);
  });
});

describe("fitting", () => {
  const cell = { width: 8, height: 20 };

  it("counts whole cells, within what a PTY may be", () => {
    expect(gridIn({ width: 807, height: 419 }, cell)).toEqual({ cols: 100, rows: 20 });
    expect(gridIn({ width: 10, height: 10 }, cell)).toEqual({ cols: COLS_LEAST, rows: ROWS_LEAST });
    expect(gridIn({ width: 9_999, height: 9_999 }, cell)).toEqual({ cols: 400, rows: 200 });
  });

  it("shrinks the font until somebody else's grid fits, and not past reading", () => {
    const grid = { cols: 100, rows: 20 };
    expect(fontSizeFor({ width: 800, height: 400 }, grid, cell, 13)).toBe(13);
    expect(fontSizeFor({ width: 700, height: 400 }, grid, cell, 13)).toBe(11);
    expect(fontSizeFor({ width: 100, height: 400 }, grid, cell, 13)).toBe(FONT_LEAST_PX);
  });
});

function guarded(): { terminal: Headless; answers: string[] } {
  const terminal = new Headless({ cols: 80, rows: 24, allowProposedApi: true });
  installGuards(terminal as unknown as Terminal);
  const answers: string[] = [];
  terminal.onData((data) => answers.push(data));
  terminal.onBinary((data) => answers.push(data));
  return { terminal, answers };
}

function write(terminal: Headless, text: string): Promise<void> {
  return new Promise((done) => terminal.write(text, done));
}

function line(terminal: Headless, row: number): string {
  const { active } = terminal.buffer;
  return active.getLine(active.baseY + row)?.translateToString(true) ?? "";
}
