/**
 * How many columns a character takes, and which characters share a cell: the host's own tables.
 *
 * xterm.js asks for each code point with the answer for the one before it, and keeps the machine's
 * state in the bits above the width. Its built-in tables are from 2010: an emoji is one column.
 */

import type { IUnicodeVersionProvider, Terminal } from "@xterm/xterm";
import { CLASSES, RUNS, STEPS } from "../wire/gen/widths.ts";

const CODE_POINTS = 0x11_0000;
const FIRST_CLASS = "A".charCodeAt(0);
/** The state before any text. */
const START = 0;

/** The class of every code point; a megabyte that all terminals share. */
let classes: Uint8Array | undefined;

function classOf(code: number): number {
  classes ??= unpacked();
  return classes[code] ?? 0;
}

function unpacked(): Uint8Array {
  const all = new Uint8Array(CODE_POINTS);
  let from = 0;
  for (const [, length = "", name = "A"] of RUNS.matchAll(/([0-9a-z]+)([A-Z])/gu)) {
    const count = Number.parseInt(length, 36);
    const to = count === 0 ? CODE_POINTS : from + count;
    all.fill(name.charCodeAt(0) - FIRST_CLASS, from, to);
    from = to;
  }
  return all;
}

/** `state << 3 | width << 1 | join`, as xterm.js lays it out too. */
function step(code: number, before: number): number {
  return STEPS[(before >> 3) * CLASSES + classOf(code)] ?? 0;
}

const WIDTHS: IUnicodeVersionProvider = {
  version: "glasshouse",
  wcwidth: (code) => ((step(code, START) >> 1) & 3) as 0 | 1 | 2,
  charProperties: step,
};

/** Lets a terminal measure as the host does. */
export function useHostWidths(terminal: Terminal): void {
  terminal.unicode.register(WIDTHS);
  terminal.unicode.activeVersion = WIDTHS.version;
}
