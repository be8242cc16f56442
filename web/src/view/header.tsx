/** A pane's one line: how it is, what it is, who watches, who types. */

import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { chordLabel, modShift } from "../page/chords.ts";
import { paneState } from "../page/pane-state.ts";
import type { PaneView } from "../page/pane-view.ts";
import { isBlank } from "../page/places.ts";
import { NAME_MAX_CHARS } from "../wire/gen/limits.ts";
import type { Holder, ViewerInfo } from "../wire/gen/types.ts";
import { usePage } from "./context.ts";
import { Confirm } from "./dialogs.tsx";
import { Glyph, Icon } from "./icons.tsx";
import { MenuButton, type MenuItem } from "./menu.tsx";
import { shortPath } from "./rail.tsx";

export function PaneHeader(props: {
  place: string;
  zoomed: boolean;
  number: number;
  onDrag: (event: PointerEvent) => void;
}): JSX.Element {
  const { model, pool, commands } = usePage();
  const [renaming, setRenaming] = createSignal(false);
  const [closing, setClosing] = createSignal(false);
  const pane = () => model.state.panes[props.place];
  const view = (): PaneView | undefined => model.state.views[props.place];
  const close = (): void => {
    const state = pane()?.session?.state;
    if (state === "running" || state === "starting") setClosing(true);
    else void model.close(props.place);
  };
  const items = (): MenuItem[] => {
    const layout: MenuItem[] = [
      { label: "Split right", run: () => model.places.split(props.place, "row") },
      { label: "Split down", run: () => model.places.split(props.place, "column") },
      {
        label: props.zoomed ? "Show all panes" : "Zoom",
        key: chordLabel(modShift("Enter")),
        run: () => model.places.toggleZoom(props.place),
      },
    ];
    const end: MenuItem = { label: "Close pane", danger: true, apart: true, run: close };
    const known = pane();
    if (known === undefined) return [...layout, end];
    const isAlive = known.session?.state === "running";
    return [
      ...layout,
      { label: "Rename…", apart: true, run: () => setRenaming(true) },
      ...controlItems(view(), (action) => pool.get(props.place)?.act(action)),
      { label: "Restart session", apart: true, run: () => void model.restart(known.id, false) },
      ...(isAlive ? [{ label: "End session", run: () => void model.stop(known.id) }] : []),
      end,
    ];
  };
  return (
    <header
      class="pane-head"
      onDblClick={(event) => {
        if (event.target instanceof Element && event.target.closest("button, input, .pane-name"))
          return;
        model.places.toggleZoom(props.place);
      }}
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest("button, input")) return;
        props.onDrag(event);
      }}
    >
      <kbd class="pane-number">{props.number}</kbd>
      <Glyph state={paneState(model.state, props.place)} />
      <Show
        when={renaming()}
        fallback={
          <span
            class="pane-name clip"
            title="Double-click to rename"
            onDblClick={() => setRenaming(pane() !== undefined)}
          >
            {pane()?.name ?? "New pane"}
          </span>
        }
      >
        <input
          ref={(element) =>
            queueMicrotask(() => {
              element.focus();
              element.select();
            })
          }
          class="pane-name-field"
          aria-label="Name of the pane"
          maxLength={NAME_MAX_CHARS}
          value={pane()?.name ?? ""}
          onBlur={() => setRenaming(false)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key !== "Enter" && event.key !== "Escape") return;
            const name = event.currentTarget.value.trim();
            if (event.key === "Enter" && name !== "") void model.rename(props.place, name);
            setRenaming(false);
            commands.focusTerminal();
          }}
        />
      </Show>
      <span class="pane-cwd clip" title={pane()?.cwd}>
        {shortPath(pane()?.cwd ?? "")}
      </span>
      <Show when={view()?.partial === "replay"}>
        <span
          class="pane-cwd"
          title="Drawn from the last stretch of output: what is older is not shown"
        >
          replayed
        </span>
      </Show>
      <span class="spacer" />
      <Show when={view()}>
        {(seen) => (
          <>
            <span class="pane-size">{`${seen().cols}×${seen().rows}`}</span>
            <Viewers viewers={seen().viewers} />
            <Show when={seen().phase.at === "live" && seen().state === "running"}>
              <ControlChip place={props.place} view={seen()} />
            </Show>
          </>
        )}
      </Show>
      <span class="pane-tools">
        <button
          type="button"
          class="icon-button wide-only"
          title="Split right"
          aria-label="Split right"
          onClick={() => model.places.split(props.place, "row")}
        >
          <Icon name="splitRight" />
        </button>
        <button
          type="button"
          class="icon-button wide-only"
          title="Split down"
          aria-label="Split down"
          onClick={() => model.places.split(props.place, "column")}
        >
          <Icon name="splitDown" />
        </button>
        <button
          type="button"
          class="icon-button wide-only"
          title={props.zoomed ? "Show all panes" : "Zoom"}
          aria-label={props.zoomed ? "Show all panes" : "Zoom"}
          aria-pressed={props.zoomed}
          onClick={() => model.places.toggleZoom(props.place)}
        >
          <Icon name={props.zoomed ? "unzoom" : "zoom"} />
        </button>
        <MenuButton icon="more" label="Menu of the pane" items={items} />
        <Show when={isBlank(props.place)}>
          <button
            type="button"
            class="icon-button"
            title="Close pane"
            aria-label="Close pane"
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </Show>
      </span>
      <Show when={closing()}>
        <Confirm
          title={`End “${pane()?.name ?? ""}”?`}
          text="Its program and everything it started end with the pane."
          action="End and close"
          onDone={(yes) => {
            setClosing(false);
            if (yes) void model.close(props.place);
          }}
        />
      </Show>
    </header>
  );
}

function ControlChip(props: { place: string; view: PaneView }): JSX.Element {
  const { model, pool } = usePage();
  const label = (): string => {
    if (props.view.readOnly) return "Watching";
    if (props.view.you) return "You type";
    const { holder } = props.view;
    if (holder === undefined) return "Free";
    return isMyself(holder) ? "Other tab" : `${holder.name} types`;
  };
  const isMyself = (holder: Holder): boolean =>
    holder.kind === "person" && holder.name === model.state.me?.name;
  const hint = (): string => {
    if (props.view.readOnly) return "You may only watch";
    if (props.view.you) return "Let somebody else type";
    const { holder } = props.view;
    return holder === undefined || isMyself(holder) ? "Type here" : "Ask to type";
  };
  return (
    <button
      type="button"
      class="chip"
      classList={{ you: props.view.you }}
      title={hint()}
      disabled={props.view.readOnly || props.view.phase.at !== "live"}
      onClick={() => {
        const { you, holder } = props.view;
        const claim = holder === undefined ? "acquire" : isMyself(holder) ? "take" : "request";
        pool.get(props.place)?.act(you ? "release" : claim);
      }}
    >
      {label()}
    </button>
  );
}

function Viewers(props: { viewers: readonly ViewerInfo[] }): JSX.Element {
  const others = (): ViewerInfo[] => props.viewers.filter((viewer) => !viewer.you);
  const names = (): string =>
    others()
      .map((viewer) => viewer.name)
      .join(", ");
  return (
    <Show when={others().length > 0}>
      <span class="initials" role="img" title={names()} aria-label={`Also here: ${names()}`}>
        <For each={others().slice(0, SHOWN_VIEWERS)}>
          {(viewer) => (
            <span>{viewer.kind === "agent" ? "▣" : [...viewer.name][0]?.toUpperCase()}</span>
          )}
        </For>
        <Show when={others().length > SHOWN_VIEWERS}>
          <span>+{others().length - SHOWN_VIEWERS}</span>
        </Show>
      </span>
    </Show>
  );
}

const SHOWN_VIEWERS = 3;

function controlItems(
  view: PaneView | undefined,
  act: (action: "acquire" | "take" | "request" | "release") => void,
): MenuItem[] {
  if (view === undefined || view.readOnly || view.phase.at !== "live") return [];
  if (view.you) return [{ label: "Release control", run: () => act("release") }];
  if (view.holder === undefined) return [{ label: "Take control", run: () => act("acquire") }];
  return [
    { label: `Ask ${view.holder.name} for control`, run: () => act("request") },
    { label: "Take over", run: () => act("take") },
  ];
}
