/** Keys that belong to the page instead of the program, and how they are written. */

export interface Chord {
  /** `KeyboardEvent.code`: the place of the key, which Shift does not change. */
  readonly code: string;
  readonly ctrl?: boolean;
  readonly shift?: boolean;
  readonly alt?: boolean;
  readonly meta?: boolean;
}

export const IS_MAC = /Mac|iPhone|iPad/u.test(navigator.platform);

/** Ctrl, or Cmd on a Mac, with Shift. */
export function modShift(code: string): Chord {
  return IS_MAC ? { code, meta: true, shift: true } : { code, ctrl: true, shift: true };
}

export function isPressed(chord: Chord, event: KeyboardEvent): boolean {
  return (
    event.code === chord.code &&
    event.ctrlKey === (chord.ctrl ?? false) &&
    event.shiftKey === (chord.shift ?? false) &&
    event.altKey === (chord.alt ?? false) &&
    event.metaKey === (chord.meta ?? false)
  );
}

/** `Ctrl+Shift+P`, or `⇧⌘P` on a Mac. */
export function chordLabel(chord: Chord): string {
  const key = KEY_NAMES[chord.code] ?? chord.code.replace(/^(Key|Digit)/u, "");
  if (IS_MAC) {
    const marks = [
      chord.ctrl === true ? "⌃" : "",
      chord.alt === true ? "⌥" : "",
      chord.shift === true ? "⇧" : "",
      chord.meta === true ? "⌘" : "",
    ];
    return marks.join("") + key;
  }
  const names = [
    chord.ctrl === true ? "Ctrl" : "",
    chord.alt === true ? "Alt" : "",
    chord.shift === true ? "Shift" : "",
    chord.meta === true ? "Meta" : "",
  ];
  return [...names.filter((name) => name !== ""), key].join("+");
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Period: ".",
  Enter: "Enter",
};
