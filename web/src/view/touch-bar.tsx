/** Keys that a phone's keyboard lacks, for the focused pane. */

import type { JSX } from "solid-js";
import { createEffect, createSignal, For } from "solid-js";
import { usePage } from "./context.ts";

const KEYS: readonly (readonly [label: string, bytes: string])[] = [
  ["Esc", "\x1b"],
  ["Tab", "\t"],
  ["⇧Tab", "\x1b[Z"],
  ["←", "\x1b[D"],
  ["↑", "\x1b[A"],
  ["↓", "\x1b[B"],
  ["→", "\x1b[C"],
  ["^C", "\x03"],
  ["/", "/"],
  ["Enter", "\r"],
];

export function TouchBar(): JSX.Element {
  const { model, pool, commands } = usePage();
  const [failed, setFailed] = createSignal(false);
  const [keyboard, setKeyboard] = createSignal(false);
  createEffect(() => {
    // Also when another pane gets the focus, or its room becomes warm.
    void model.state.views[model.places.focused() ?? ""]?.shown;
    attachment()?.terminal.setTouchKeyboard(keyboard());
  });
  const attachment = () => {
    const place = model.places.focused();
    return place === undefined ? undefined : pool.get(place);
  };
  const paste = async (): Promise<void> => {
    try {
      attachment()?.paste(await navigator.clipboard.readText());
    } catch {
      setFailed(true);
    }
  };
  return (
    <div class="touch-bar" role="toolbar" aria-label="Keys">
      <button
        type="button"
        aria-label="Keyboard"
        aria-pressed={keyboard()}
        classList={{ on: keyboard() }}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => {
          setKeyboard(!keyboard());
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          if (keyboard()) commands.focusTerminal();
        }}
      >
        ⌨
      </button>
      <For each={KEYS}>
        {([label, keys]) => (
          <button
            type="button"
            // Keeps the terminal's focus, and with it the keyboard as it is.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => attachment()?.type(Uint8Array.from(keys, (unit) => unit.charCodeAt(0)))}
          >
            {label}
          </button>
        )}
      </For>
      <button type="button" disabled={failed()} onClick={() => void paste()}>
        Paste
      </button>
    </div>
  );
}
