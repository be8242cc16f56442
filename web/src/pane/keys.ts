/**
 * Keys that xterm.js would send as something else than the program asked for.
 *
 * A program may ask for the kitty keyboard protocol so that it can tell Shift+Enter from Enter;
 * xterm.js 6 does not know it, the host does and says so in `modes`. Without it every key is
 * xterm.js's, but Shift+Enter where the CLI has a habit of its own for "new line, do not send".
 */

import type { Modes } from "../wire/gen/types.ts";

/** The part of a keyboard event that matters here. */
export interface Key {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** Flags of the kitty protocol. */
const DISAMBIGUATE = 1;
const ALL_AS_ESCAPES = 8;

/** What a profile's CLI takes for a new line that does not send. */
const NEW_LINES: Readonly<Record<string, string>> = { claude: "\\\r" };

/** What to send for the key, or nothing when it is xterm.js's. */
export function encodeKey(
  key: Key,
  modes: Pick<Modes, "kitty">,
  profile: string,
): Uint8Array | undefined {
  if ((modes.kitty & (DISAMBIGUATE | ALL_AS_ESCAPES)) === 0) {
    const isShiftEnter = key.key === "Enter" && modifiers(key) === 2;
    const newLine = isShiftEnter ? NEW_LINES[profile] : undefined;
    return newLine === undefined ? undefined : ascii(newLine);
  }
  const all = (modes.kitty & ALL_AS_ESCAPES) !== 0;
  const mods = modifiers(key);
  const named = NAMED[key.key];
  if (named !== undefined) {
    // Enter, Tab and Backspace stay as they are: a program that dies must leave a usable shell.
    const isPlain = mods === 1 && key.key !== "Escape";
    return isPlain && !all ? undefined : csiU(named, mods);
  }
  const isText = [...key.key].length === 1;
  if (!isText) return undefined;
  const hasCommand = key.ctrlKey || key.altKey;
  // Ctrl+C stays what every program knows, unless it asked for all keys.
  if (!all && key.ctrlKey && !key.altKey && !key.shiftKey && key.key === "c") return undefined;
  if (!hasCommand && !all) return undefined;
  const code = key.key.toLowerCase().codePointAt(0);
  return code === undefined ? undefined : csiU(code, mods);
}

function modifiers({ shiftKey, altKey, ctrlKey, metaKey }: Key): number {
  return 1 + (shiftKey ? 1 : 0) + (altKey ? 2 : 0) + (ctrlKey ? 4 : 0) + (metaKey ? 8 : 0);
}

function csiU(code: number, mods: number): Uint8Array {
  return ascii(mods === 1 ? `\x1b[${code}u` : `\x1b[${code};${mods}u`);
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}

const NAMED: Readonly<Record<string, number>> = {
  Escape: 27,
  Enter: 13,
  Tab: 9,
  Backspace: 127,
};
