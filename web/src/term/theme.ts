/** The terminal's colours, dark and light, and how they are told to the host. */

import type { ITheme } from "@xterm/xterm";
import type { ClientMessage } from "../wire/gen/types.ts";

export type Scheme = "dark" | "light";

const DARK = {
  background: "#0f1216",
  foreground: "#e4e7eb",
  cursor: "#e4e7eb",
  cursorAccent: "#0f1216",
  selectionBackground: "#2f4358",
  selectionInactiveBackground: "#26323f",
  scrollbarSliderBackground: "#66717e55",
  scrollbarSliderHoverBackground: "#66717e88",
  scrollbarSliderActiveBackground: "#66717eaa",
} satisfies ITheme;

const LIGHT = {
  background: "#fbfbfa",
  foreground: "#1b1f24",
  cursor: "#1b1f24",
  cursorAccent: "#fbfbfa",
  selectionBackground: "#bcd8f2",
  selectionInactiveBackground: "#dbe4ec",
  scrollbarSliderBackground: "#57606a44",
  scrollbarSliderHoverBackground: "#57606a77",
  scrollbarSliderActiveBackground: "#57606a99",
} satisfies ITheme;

/** Black, red, green, yellow, blue, magenta, cyan, white, then the bright ones. */
const DARK_PALETTE = [
  ["#1d232b", "#f0705c", "#5cc689", "#d9b45b", "#6cb2eb", "#c49bea", "#5fc9cf", "#c9d0d8"],
  ["#66717e", "#ff8f7d", "#7fdca4", "#ecca7a", "#93c9f5", "#d8b7f5", "#86dde1", "#f4f6f8"],
].flat();

const LIGHT_PALETTE = [
  ["#1b1f24", "#b3261e", "#1a7a45", "#8a5a00", "#0b65b8", "#7d3cb5", "#0b7178", "#57606a"],
  ["#4b545e", "#cc4138", "#23854f", "#996600", "#2374c4", "#9150c8", "#177d85", "#1b1f24"],
].flat();

export function terminalTheme(scheme: Scheme): ITheme {
  const palette = scheme === "dark" ? DARK_PALETTE : LIGHT_PALETTE;
  const [black, red, green, yellow, blue, magenta, cyan, white, ...bright] = palette;
  const [b0, b1, b2, b3, b4, b5, b6, b7] = bright;
  const named = { black, red, green, yellow, blue, magenta, cyan, white };
  const brightNamed = {
    brightBlack: b0,
    brightRed: b1,
    brightGreen: b2,
    brightYellow: b3,
    brightBlue: b4,
    brightMagenta: b5,
    brightCyan: b6,
    brightWhite: b7,
  };
  const base: ITheme = scheme === "dark" ? DARK : LIGHT;
  return { ...base, ...defined(named), ...defined(brightNamed) };
}

export function themeMessage(scheme: Scheme): ClientMessage {
  const base = scheme === "dark" ? DARK : LIGHT;
  return {
    type: "theme",
    fg: base.foreground,
    bg: base.background,
    cursor: base.cursor,
    palette: scheme === "dark" ? DARK_PALETTE : LIGHT_PALETTE,
  };
}

function defined(colors: Record<string, string | undefined>): ITheme {
  return Object.fromEntries(Object.entries(colors).filter(([, color]) => color !== undefined));
}
