/** Find a pane, a room or a command by typing a few letters of it. */

import type { JSX } from "solid-js";
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  Match,
  on,
  onCleanup,
  Show,
  Switch,
} from "solid-js";
import { match } from "../layout/fuzzy.ts";
import { chordLabel } from "../page/chords.ts";
import { paneState } from "../page/pane-state.ts";
import { byUrgency, type PaneState } from "../rooms/attention.ts";
import { usePage } from "./context.ts";
import { Glyph, Icon } from "./icons.tsx";

interface Entry {
  readonly kind: "pane" | "room" | "command";
  readonly label: string;
  readonly detail: string;
  readonly key?: string;
  readonly state?: PaneState;
  run(): void;
}

const SHOWN_MAX = 50;

export function Palette(): JSX.Element {
  const { model, commands } = usePage();
  const [chosen, setChosen] = createSignal(0);
  let list: HTMLDivElement | undefined;
  const text = (): string => model.state.palette ?? "";
  const entries = createMemo(() => allEntries());
  const found = createMemo(() => {
    const [, prefix, query] = /^([>@]?)\s*(.*)$/u.exec(text()) ?? [];
    const pool = entries().filter(
      ({ kind }) => prefix === "" || (prefix === ">" ? kind === "command" : kind === "pane"),
    );
    return pool
      .map((entry) => ({ entry, score: match(query ?? "", `${entry.label} ${entry.detail}`) }))
      .filter(({ score }) => score !== undefined)
      .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
      .slice(0, SHOWN_MAX)
      .map(({ entry }) => entry);
  });
  createEffect(on(found, () => setChosen(0)));
  createEffect(() => list?.children[chosen()]?.scrollIntoView({ block: "nearest" }));
  const close = (): void => model.setPalette(undefined);
  onCleanup(() => queueMicrotask(() => commands.focusTerminal()));
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    close();
    queueMicrotask(() => entry.run());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const last = found().length - 1;
    if (event.key === "Escape" || event.key === "F1") close();
    else if (event.key === "ArrowDown") setChosen((at) => (at >= last ? 0 : at + 1));
    else if (event.key === "ArrowUp") setChosen((at) => (at <= 0 ? last : at - 1));
    else if (event.key === "Enter") run(found()[chosen()]);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="shade"
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="palette" role="dialog" aria-label="Palette">
        <input
          ref={(element) => queueMicrotask(() => element.focus())}
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-label="Search panes, rooms and commands"
          placeholder="Panes, rooms, commands   ( > commands   @ panes )"
          autocomplete="off"
          spellcheck={false}
          value={text()}
          onInput={(event) => model.setPalette(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div
          ref={(element) => {
            list = element;
          }}
          id="palette-list"
          role="listbox"
          aria-label="Found"
        >
          <For each={found()} fallback={<div class="palette-empty">Nothing is called that.</div>}>
            {(entry, index) => (
              <div role="none">
                <button
                  type="button"
                  role="option"
                  tabIndex={-1}
                  class="palette-row"
                  classList={{ chosen: index() === chosen() }}
                  aria-selected={index() === chosen()}
                  onPointerMove={() => setChosen(index())}
                  onClick={() => run(entry)}
                >
                  <Switch>
                    <Match when={entry.state}>{(state) => <Glyph state={state()} />}</Match>
                    <Match when={entry.kind === "room"}>
                      <Icon name="glass" />
                    </Match>
                  </Switch>
                  <span class="clip">{entry.label}</span>
                  <span class="muted clip">{entry.detail}</span>
                  <span class="spacer" />
                  <Show when={entry.key}>{(key) => <kbd>{key()}</kbd>}</Show>
                </button>
              </div>
            )}
          </For>
        </div>
      </div>
    </div>
  );

  function allEntries(): Entry[] {
    const roomName = (id: string): string =>
      model.state.rooms.find((room) => room.id === id)?.name ?? "";
    const panes = Object.values(model.state.panes)
      .map((pane) => ({ pane, state: paneState(model.state, pane.id) }))
      .sort((one, other) => byUrgency(one.state, other.state))
      .map(
        ({ pane, state }): Entry => ({
          kind: "pane",
          label: pane.name,
          detail: roomName(pane.room),
          state,
          run: () => commands.goTo(pane.id),
        }),
      );
    const rooms = model.state.rooms.map(
      (room): Entry => ({
        kind: "room",
        label: room.name,
        detail: room.folder,
        run: () => model.places.showRoom(room.id),
      }),
    );
    const actions = commands.list
      .filter((command) => command.keyOnly !== true)
      .map((command): Entry => {
        const [chord] = command.chords;
        const entry = {
          kind: "command" as const,
          label: command.name,
          detail: "",
          run: () => command.run(),
        };
        return chord === undefined ? entry : { ...entry, key: chordLabel(chord) };
      });
    return [...panes, ...rooms, ...actions];
  }
}
