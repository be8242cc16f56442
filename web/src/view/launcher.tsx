/** An empty pane: type to find a CLI, Enter starts it. */

import type { JSX } from "solid-js";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { chordLabel, modShift } from "../page/chords.ts";
import type { NewPane, Profile } from "../wire/gen/types.ts";
import { usePage } from "./context.ts";

interface Choice {
  readonly title: string;
  readonly letter: string;
  readonly detail: string;
  readonly what: NewPane | undefined;
}

export function Launcher(props: {
  place: string;
  focused: boolean;
  area: () => { width: number; height: number };
}): JSX.Element {
  const { model, commands } = usePage();
  let field: HTMLInputElement | undefined;
  createEffect(() => {
    if (props.focused) queueMicrotask(() => field?.focus({ preventScroll: true }));
  });
  const [text, setText] = createSignal("");
  const [chosen, setChosen] = createSignal(0);
  const [failed, setFailed] = createSignal<string>();
  const [starting, setStarting] = createSignal(false);
  const choices = createMemo(() => choicesFor(model.state.profiles ?? [], text().trim()));
  const start = async (choice: Choice | undefined): Promise<void> => {
    if (choice?.what === undefined || starting()) return;
    setStarting(true);
    const wrong = await model.start(props.place, choice.what, props.area());
    setStarting(false);
    setFailed(wrong);
    if (wrong === undefined) commands.focusTerminal();
    else field?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = choices().length - 1;
    if (event.key === "ArrowDown") setChosen((at) => Math.min(at + 1, last));
    else if (event.key === "ArrowUp") setChosen((at) => Math.max(at - 1, 0));
    else if (event.key === "Enter") void start(choices()[chosen()]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="launcher">
      <div class="launcher-box">
        <input
          ref={(element) => {
            field = element;
          }}
          class="field"
          type="text"
          role="combobox"
          aria-label="What to start"
          aria-expanded="true"
          aria-controls={`list-${props.place}`}
          placeholder="Start a CLI, a shell, or any command"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text()}
          disabled={starting()}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setFailed(undefined);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div class="launcher-list" id={`list-${props.place}`} role="listbox" aria-label="Programs">
          <For each={choices()}>
            {(choice, index) => (
              <div role="none">
                <button
                  type="button"
                  role="option"
                  tabIndex={-1}
                  class="launch-row"
                  classList={{ chosen: index() === chosen() }}
                  aria-selected={index() === chosen()}
                  aria-disabled={choice.what === undefined}
                  onPointerMove={() => setChosen(index())}
                  onClick={() => void start(choice)}
                >
                  <span class="letter" aria-hidden="true">
                    {choice.letter}
                  </span>
                  <span class="clip">{choice.title}</span>
                  <span class="muted clip">{choice.detail}</span>
                </button>
              </div>
            )}
          </For>
        </div>
        <Show when={failed()}>
          {(wrong) => (
            <p class="wrong" role="alert">
              {wrong()}
            </p>
          )}
        </Show>
        <Show when={model.state.profiles === undefined}>
          <p class="hints">Looking for CLIs on this machine…</p>
        </Show>
        <div class="hints">
          <span>
            <kbd>Enter</kbd> start
          </span>
          <span>
            <kbd>{chordLabel(modShift("KeyP"))}</kbd> palette
          </span>
          <span>
            <kbd>{splitKey()}</kbd> split
          </span>
          <span>
            <kbd>{needsYouKey()}</kbd> next that needs you
          </span>
        </div>
      </div>
    </div>
  );

  function keyOf(name: string): string {
    const chord = commands.list.find((command) => command.name === name)?.chords[0];
    return chord === undefined ? "" : chordLabel(chord);
  }

  function splitKey(): string {
    return keyOf("Split right");
  }

  function needsYouKey(): string {
    return keyOf("Go to the next pane that needs you");
  }
}

/** Found programs that match, the rest behind them, and the text itself as a command. */
function choicesFor(profiles: readonly Profile[], text: string): Choice[] {
  const wanted = text.toLowerCase();
  const matching = profiles.filter(
    ({ name, title }) => title.toLowerCase().includes(wanted) || name.includes(wanted),
  );
  const found = matching.filter((profile) => profile.found);
  const missing = matching.filter((profile) => !profile.found && wanted !== "");
  const choices: Choice[] = [...found, ...missing].map((profile) => ({
    title: profile.title,
    letter: profile.shell ? "$" : ([...profile.title][0]?.toUpperCase() ?? "?"),
    detail: detailOf(profile),
    what: profile.found ? { profile: profile.name } : undefined,
  }));
  const [command, ...args] = text.split(/\s+/u).filter((part) => part !== "");
  if (command !== undefined) {
    choices.push({ title: `Run “${text}”`, letter: ">", detail: "", what: { command, args } });
  }
  return choices;
}

function detailOf(profile: Profile): string {
  if (!profile.found) return profile.install ?? "not found";
  const login = profile.signedIn === false ? "not signed in" : "";
  return [profile.version ?? "", login].filter((part) => part !== "").join(" · ");
}
