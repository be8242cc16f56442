/**
 * The panes of the shown room, and those of warm rooms behind it.
 *
 * Every pane is placed by its rectangle and never moves in the page, so that its terminal lives on
 * through splits, closes and zooms.
 */

import type { JSX } from "solid-js";
import { createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import * as tree from "../layout/tree.ts";
import { usePage } from "./context.ts";
import { PanePlace } from "./pane.tsx";

export function Dock(props: { narrow: boolean }): JSX.Element {
  const { model, commands } = usePage();
  const [area, setArea] = createSignal({ width: 0, height: 0 });
  let dock: HTMLElement | undefined;
  onMount(() => {
    const measure = (): void => {
      if (dock === undefined) return;
      setArea({ width: dock.clientWidth, height: dock.clientHeight });
      commands.area = area();
    };
    const observer = new ResizeObserver(measure);
    if (dock !== undefined) observer.observe(dock);
    measure();
    onCleanup(() => observer.disconnect());
  });
  return (
    <main
      ref={(element) => {
        dock = element;
      }}
      class="dock"
    >
      <Show when={area().width > 0}>
        <For each={model.state.rooms.map((room) => room.id)}>
          {(room) => <RoomLayer room={room} area={area()} narrow={props.narrow} />}
        </For>
      </Show>
    </main>
  );
}

function RoomLayer(props: {
  room: string;
  area: { width: number; height: number };
  narrow: boolean;
}): JSX.Element {
  const { model } = usePage();
  const isShown = (): boolean => model.state.room === props.room;
  const layout = () => model.state.trees[props.room];
  const full = (): tree.Rect => ({ x: 0, y: 0, ...props.area });
  const places = createMemo(() => {
    const known = layout();
    return known === undefined
      ? { panes: new Map<string, tree.Rect>(), dividers: [] }
      : tree.placesIn(known, full());
  });
  const order = createMemo(() => [...places().panes.keys()]);
  const ids = createMemo(() => [...places().panes.keys()].sort());
  const alone = (): string | undefined =>
    props.narrow && isShown() ? model.places.focused() : model.state.zoom[props.room];
  const onDrag = (place: string, event: PointerEvent): void => {
    if (props.narrow || event.button !== 0 || alone() !== undefined) return;
    dragPane(event, (x, y) => {
      const target = [...places().panes].find(
        ([, rect]) =>
          x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height,
      )?.[0];
      const known = layout();
      if (target === undefined || target === place || known === undefined) return;
      model.places.arrange(tree.swap(known, place, target));
    });
  };
  return (
    <div class="room-layer" classList={{ away: !isShown() }}>
      <For each={ids()}>
        {(place) => (
          <PanePlace
            place={place}
            rect={alone() === place ? full() : (places().panes.get(place) ?? full())}
            shown={isShown() && (alone() === undefined || alone() === place)}
            focused={isShown() && model.places.focused() === place}
            zoomed={model.state.zoom[props.room] === place}
            narrow={props.narrow}
            number={order().indexOf(place) + 1}
            onDrag={(event) => onDrag(place, event)}
          />
        )}
      </For>
      <Show when={alone() === undefined}>
        <For each={places().dividers}>{(divider) => <DividerLine divider={divider} />}</For>
      </Show>
    </div>
  );
}

const KEY_STEP = 0.02;

function DividerLine(props: { divider: tree.Divider }): JSX.Element {
  const { model } = usePage();
  const isRow = (): boolean => props.divider.direction === "row";
  const move = (by: number): void => {
    const { room, trees } = model.state;
    const layout = room === undefined ? undefined : trees[room];
    if (layout === undefined) return;
    model.places.arrange(tree.moveDivider(layout, props.divider.path, props.divider.after, by));
  };
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const { room, trees } = model.state;
    const layout = room === undefined ? undefined : trees[room];
    if (layout === undefined || event.button !== 0) return;
    event.preventDefault();
    const { path, after, lengthPx, direction } = props.divider;
    const start = direction === "row" ? event.clientX : event.clientY;
    // The lines are made anew while the panes move, so the document follows the pointer.
    follow((now) => {
      const at = direction === "row" ? now.clientX : now.clientY;
      model.places.arrange(tree.moveDivider(layout, path, after, (at - start) / lengthPx));
    });
  };
  return (
    <div
      class={`divider ${props.divider.direction}`}
      style={{
        left: `${props.divider.rect.x}px`,
        top: `${props.divider.rect.y}px`,
        width: `${props.divider.rect.width}px`,
        height: `${props.divider.rect.height}px`,
      }}
      role="separator"
      aria-orientation={isRow() ? "vertical" : "horizontal"}
      aria-label="Resize panes"
      aria-valuenow={0}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={(event) => {
        const back = isRow() ? "ArrowLeft" : "ArrowUp";
        const forth = isRow() ? "ArrowRight" : "ArrowDown";
        if (event.key === back) move(-KEY_STEP);
        else if (event.key === forth) move(KEY_STEP);
      }}
    />
  );
}

/** Calls with every move of the pointer until it is let go. */
function follow(onMove: (event: PointerEvent) => void, onUp?: (event: PointerEvent) => void): void {
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener("pointermove", onMove, { signal });
  const finish = (event: PointerEvent): void => {
    end.abort();
    onUp?.(event);
  };
  document.addEventListener("pointerup", finish, { signal });
  document.addEventListener("pointercancel", () => end.abort(), { signal });
}

const DRAG_FROM_PX = 8;

function dragPane(start: PointerEvent, onDropped: (x: number, y: number) => void): void {
  const dock = start.target instanceof Element ? start.target.closest(".dock") : null;
  if (dock === null) return;
  const origin = dock.getBoundingClientRect();
  follow(
    () => {},
    (end) => {
      const moved = Math.hypot(end.clientX - start.clientX, end.clientY - start.clientY);
      if (moved >= DRAG_FROM_PX) onDropped(end.clientX - origin.x, end.clientY - origin.y);
    },
  );
}
