/**
 * What program output may not do to the page's terminal.
 *
 * The host answers every query, once, whoever watches; an answer from here would be typed a second
 * time, by every viewer. And a handful of bytes may not freeze the page: xterm.js loops as often as
 * a count says, so counts are cut down to the grid, past which they change nothing.
 */

import type { IFunctionIdentifier, Terminal } from "@xterm/xterm";

/** Every query that xterm.js answers or might. */
const QUERIES: readonly IFunctionIdentifier[] = [
  { final: "c" },
  { prefix: ">", final: "c" },
  { prefix: "=", final: "c" },
  { final: "n" },
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: ">", final: "q" },
  { prefix: "?", final: "u" },
  { final: "t" },
  { final: "x" },
];

/** Colours of the palette and of text, background, cursor and kin: set by value, asked by `?`. */
const COLOR_COMMANDS: readonly number[] = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

/** Sequences with a count, and the input handler of xterm.js that loops over it. */
const COUNTED: readonly (readonly [final: string, handler: string, most: "line" | "screen"])[] = [
  ["@", "insertChars", "line"],
  ["I", "cursorForwardTab", "line"],
  ["L", "insertLines", "line"],
  ["M", "deleteLines", "line"],
  ["P", "deleteChars", "line"],
  ["S", "scrollUp", "line"],
  ["T", "scrollDown", "line"],
  ["X", "eraseChars", "line"],
  ["Z", "cursorBackwardTab", "line"],
  ["b", "repeatPrecedingCharacter", "screen"],
];

/** The part of xterm.js that does what a sequence says; not in its published interface. */
interface InputHandler {
  [handler: string]: (params: { params: number[]; length: number }) => boolean;
}

export function installGuards(terminal: Terminal): void {
  const { parser } = terminal;
  for (const query of QUERIES) parser.registerCsiHandler(query, () => true);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, () => true);
  parser.registerDcsHandler({ intermediates: "+", final: "q" }, () => true);
  for (const command of COLOR_COMMANDS) {
    parser.registerOscHandler(command, (data) => data.split(";").includes("?"));
  }
  // The clipboard is not the program's to read, and writing to it needs a person's consent.
  parser.registerOscHandler(52, () => true);
  for (const [final, handler, most] of COUNTED) {
    parser.registerCsiHandler({ final }, (params) => {
      const count = typeof params[0] === "number" ? params[0] : 0;
      const line = Math.max(terminal.cols, terminal.rows);
      const limit = most === "line" ? line : terminal.cols * terminal.rows;
      if (count <= limit) return false;
      return inputHandler(terminal)[handler]?.({ params: [limit], length: 1 }) ?? true;
    });
  }
}

/** Reports that a terminal makes by itself or for the mouse: nobody's typing. */
export function isReport(data: string): boolean {
  return data.startsWith(CSI) && REPORT.test(data.slice(CSI.length));
}

const CSI = "\x1b[";
const REPORT = /^(?:[IO]|<[\d;]+[Mm]|M)/u;

function inputHandler(terminal: Terminal): InputHandler {
  const { _core: core } = terminal as unknown as { _core: { _inputHandler: InputHandler } };
  const handler = core._inputHandler;
  // Methods read `this`, so they are called on the handler itself.
  return new Proxy(handler, {
    get: (target, name) => target[String(name)]?.bind(target),
  });
}
