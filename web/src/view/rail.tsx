/** The rooms and, in each, its panes: what runs where, and who needs somebody. */

import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { paneState, sessionOf } from "../page/pane-state.ts";
import type { PaneView } from "../page/pane-view.ts";
import { byUrgency, exitLabel } from "../rooms/attention.ts";
import type { Pane, Room } from "../wire/gen/types.ts";
import { usePage } from "./context.ts";
import { AskName, Confirm } from "./dialogs.tsx";
import { Glyph, Icon } from "./icons.tsx";
import { MenuButton } from "./menu.tsx";

export function Rail(props: { narrow: boolean; onPicked: () => void }): JSX.Element {
  const { model } = usePage();
  return (
    <Show when={model.state.railOpen} fallback={<Show when={!props.narrow}>{<FoldedRail />}</Show>}>
      <Show when={props.narrow}>
        <div class="rail-shade" onClick={() => model.toggleRail(false)} aria-hidden="true" />
      </Show>
      <nav class="rail" aria-label="Rooms">
        <div class="rail-head">
          <span class="brand">
            <Icon name="glass" />
            Glasshouse
          </span>
          <span class="spacer" />
          <button
            type="button"
            class="icon-button"
            title="Hide rooms"
            aria-label="Hide rooms"
            onClick={() => model.toggleRail(false)}
          >
            <Icon name={props.narrow ? "close" : "rail"} />
          </button>
        </div>
        <div class="rail-list" role="tree" aria-label="Rooms and panes">
          <For each={model.state.rooms}>
            {(room) => <RoomGroup room={room} onPicked={props.onPicked} />}
          </For>
        </div>
        <div class="rail-foot">
          <NewRoomButton />
        </div>
      </nav>
    </Show>
  );
}

function RoomGroup(props: { room: Room; onPicked: () => void }): JSX.Element {
  const { model } = usePage();
  const [asking, setAsking] = createSignal<"name" | "delete">();
  const isCurrent = (): boolean => model.state.room === props.room.id;
  const panes = createMemo(() =>
    model
      .panesOf(props.room.id)
      .map((pane) => ({ pane, state: paneState(model.state, pane.id) }))
      .sort((one, other) => byUrgency(one.state, other.state))
      .map(({ pane }) => pane),
  );
  return (
    <div
      class="room"
      classList={{ current: isCurrent() }}
      role="group"
      aria-label={props.room.name}
    >
      <div class="room-row">
        <button
          type="button"
          class="name clip spacer"
          aria-current={isCurrent()}
          title={props.room.folder}
          onClick={() => {
            model.places.showRoom(props.room.id);
            props.onPicked();
          }}
        >
          {props.room.name}
        </button>
        <MenuButton
          icon="more"
          label={`Menu of ${props.room.name}`}
          items={() => [
            { label: "Rename…", run: () => setAsking("name") },
            { label: "Delete room…", danger: true, apart: true, run: () => setAsking("delete") },
          ]}
        />
        <span class="count">{panes().length || ""}</span>
      </div>
      <For each={panes()}>{(pane) => <PaneRow pane={pane} onPicked={props.onPicked} />}</For>
      <Show when={asking() === "name"}>
        <AskName
          title="Rename room"
          value={props.room.name}
          onDone={(name) => {
            setAsking(undefined);
            if (name !== undefined) void model.renameRoom(props.room.id, name);
          }}
        />
      </Show>
      <Show when={asking() === "delete"}>
        <Confirm
          title={`Delete “${props.room.name}”?`}
          text={deletion(panes().length)}
          action="Delete room"
          onDone={(yes) => {
            setAsking(undefined);
            if (yes) void model.deleteRoom(props.room.id);
          }}
        />
      </Show>
    </div>
  );
}

function PaneRow(props: { pane: Pane; onPicked: () => void }): JSX.Element {
  const { model, commands } = usePage();
  const state = (): ReturnType<typeof paneState> => paneState(model.state, props.pane.id);
  const isCurrent = (): boolean =>
    model.state.room === props.pane.room && model.places.focused() === props.pane.id;
  const second = (): string => {
    const view = model.state.views[props.pane.id];
    const session = sessionOf(model.state, props.pane.id);
    if (session?.state === "exited") return `Exited ${exitLabel(session.exit)}`;
    if (session?.state === "lost") return "Ended with its host";
    return view?.notice ?? (view?.title || session?.title || shortPath(props.pane.cwd));
  };
  return (
    <button
      type="button"
      role="treeitem"
      class="pane-row"
      data-state={state()}
      classList={{ current: isCurrent() }}
      onClick={() => {
        commands.goTo(props.pane.id);
        props.onPicked();
      }}
    >
      <Glyph state={state()} />
      <span class="clip">{props.pane.name}</span>
      <span class="badge">
        {otherHolder(model.state.views[props.pane.id], model.state.me?.name)}
      </span>
      <span class="second clip">{second()}</span>
    </button>
  );
}

function NewRoomButton(): JSX.Element {
  const { commands } = usePage();
  return (
    <button type="button" onClick={() => commands.newRoom()}>
      <Icon name="plus" />
      New room
    </button>
  );
}

function FoldedRail(): JSX.Element {
  const { model } = usePage();
  return (
    <nav class="rail folded" aria-label="Rooms">
      <div class="rail-head">
        <button
          type="button"
          class="icon-button"
          title="Show rooms"
          aria-label="Show rooms"
          onClick={() => model.toggleRail(true)}
        >
          <Icon name="rail" />
        </button>
      </div>
      <For each={model.state.rooms}>
        {(room) => (
          <button
            type="button"
            class="room-mark"
            classList={{ current: model.state.room === room.id }}
            title={room.name}
            onClick={() => model.places.showRoom(room.id)}
          >
            {[...room.name][0]?.toUpperCase()}
          </button>
        )}
      </For>
    </nav>
  );
}

/** Somebody else who types there: that one types oneself says nothing. */
function otherHolder(view: PaneView | undefined, me: string | undefined): string {
  const name = view?.holder?.name ?? "";
  return view?.you === true || name === me ? "" : name;
}

/** The last two parts of a path: enough to tell folders apart. */
export function shortPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join("/")}`;
}

function deletion(panes: number): string {
  if (panes === 0) return "It has no panes.";
  return panes === 1 ? "Its pane ends." : `Its ${panes} panes end.`;
}
