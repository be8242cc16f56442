/** A place in the dock: a header, and under it a terminal or a launcher. */

import type { JSX } from "solid-js";
import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import type { Rect } from "../layout/tree.ts";
import type { Attachment } from "../page/attachment.ts";
import { paneState } from "../page/pane-state.ts";
import type { PaneView } from "../page/pane-view.ts";
import { isBlank } from "../page/places.ts";
import { installKeys } from "../page/terminal-keys.ts";
import { usePage } from "./context.ts";
import { PaneFooter } from "./footer.tsx";
import { PaneHeader } from "./header.tsx";
import { Launcher } from "./launcher.tsx";

/** Left and right of the grid: the inset, and room for the scroll bar. */
const INSET_X_PX = 8 + 12;
const INSET_Y_PX = 16;
const SHAKE_MS = 260;

export function PanePlace(props: {
  place: string;
  rect: Rect;
  shown: boolean;
  focused: boolean;
  zoomed: boolean;
  narrow: boolean;
  /** Its place in the room, from 1: what Ctrl+Shift and a digit go to. */
  number: number;
  onDrag: (event: PointerEvent) => void;
}): JSX.Element {
  const { model, commands } = usePage();
  const view = (): PaneView | undefined => model.state.views[props.place];
  const [shaking, setShaking] = createSignal(false);
  createEffect(
    on(
      () => view()?.blocked?.count,
      (count) => {
        if (count === undefined) return;
        setShaking(true);
        setTimeout(() => setShaking(false), SHAKE_MS);
      },
      { defer: true },
    ),
  );
  let body: HTMLDivElement | undefined;
  const area = (): { width: number; height: number } => ({
    width: (body?.clientWidth ?? 800) - INSET_X_PX,
    height: (body?.clientHeight ?? 500) - INSET_Y_PX,
  });
  const state = (): string => paneState(model.state, props.place);
  const label = (): string => {
    const name = model.state.panes[props.place]?.name ?? "New pane";
    return `Pane ${props.number}, ${name}, ${state().replace("_", " ")}`;
  };
  return (
    <section
      class="pane"
      data-state={state()}
      classList={{
        focused: props.focused,
        away: !props.shown,
        shaking: shaking(),
        lost: state() === "disconnected",
      }}
      style={{
        left: `${props.rect.x}px`,
        top: `${props.rect.y}px`,
        width: `${props.rect.width}px`,
        height: `${props.rect.height}px`,
      }}
      aria-label={label()}
      data-pane={props.place}
      onPointerDown={() => model.places.focusOn(props.place)}
      onFocusIn={() => model.places.focusOn(props.place)}
    >
      <PaneHeader
        place={props.place}
        zoomed={props.zoomed}
        number={props.number}
        onDrag={props.onDrag}
      />
      <div
        ref={(element) => {
          body = element;
        }}
        class="pane-body"
      >
        <Show
          when={!isBlank(props.place)}
          fallback={<Launcher place={props.place} focused={props.focused} area={area} />}
        >
          <TerminalBody place={props.place} shown={props.shown} focused={props.focused} />
        </Show>
      </div>
      <PaneFooter place={props.place} />
      <Show when={props.focused && props.shown}>
        <FocusKeeper place={props.place} commands={commands} />
      </Show>
    </section>
  );
}

/** Gives the terminal the keyboard when its pane gets the focus. */
function FocusKeeper(props: { place: string; commands: { focusTerminal(): void } }): JSX.Element {
  onMount(() => {
    const { activeElement } = document;
    // A phone's keyboard opens by its button only.
    if (window.matchMedia("(pointer: coarse)").matches) return;
    const isElsewhere = activeElement?.closest(".shade, .menu, .launcher, .rail") ?? null;
    if (isElsewhere === null || activeElement === document.body) props.commands.focusTerminal();
  });
  return undefined;
}

function TerminalBody(props: { place: string; shown: boolean; focused: boolean }): JSX.Element {
  const { model, pool } = usePage();
  const [attachment, setAttachment] = createSignal(pool.get(props.place));
  const attached = pool.attached.on((one) => {
    if (one.pane === props.place) setAttachment(one);
  });
  const detached = pool.detached.on((pane) => {
    if (pane === props.place) setAttachment(undefined);
  });
  onCleanup(() => {
    attached.dispose();
    detached.dispose();
  });
  const view = (): PaneView | undefined => model.state.views[props.place];
  return (
    <Show when={attachment()} keyed>
      {(one) => (
        <>
          <TerminalHost attachment={one} shown={props.shown} />
          <Show when={(view()?.linesBelow ?? 0) > 0}>
            <button
              type="button"
              class="pill"
              onClick={() => {
                one.terminal.scrollToBottom();
                one.terminal.focus();
              }}
            >
              ↓ {view()?.linesBelow}
            </button>
          </Show>
        </>
      )}
    </Show>
  );
}

function TerminalHost(props: { attachment: Attachment; shown: boolean }): JSX.Element {
  const { model, commands } = usePage();
  const { attachment } = props;
  const { terminal } = attachment;
  const view = (): PaneView | undefined => model.state.views[attachment.pane];
  const [scaled, setScaled] = createSignal(false);
  let host: HTMLDivElement | undefined;
  const refit = (): void => {
    const body = host?.parentElement;
    if (body === undefined || body === null || body.clientWidth === 0) return;
    const area = { width: body.clientWidth - INSET_X_PX, height: body.clientHeight - INSET_Y_PX };
    attachment.setWanted(props.shown ? terminal.fitting(area) : undefined);
    // The last frame stays as it was until there is a next one.
    if (view()?.shown === true && view()?.phase.at !== "live") return;
    // The holder's grid is on its way to the right size; shrinking meanwhile would only flicker.
    const isMine = view()?.you === true && view()?.state === "running";
    terminal.fitFont(isMine ? undefined : area);
    setScaled(!isMine && terminal.isScaled);
    const grid = isMine ? undefined : terminal.overflow(area);
    body.classList.toggle("pans", grid !== undefined);
    host?.style.setProperty("width", grid === undefined ? "" : `${grid.width}px`);
    host?.style.setProperty("height", grid === undefined ? "" : `${grid.height}px`);
  };
  onMount(() => {
    if (host === undefined) return;
    terminal.open(host);
    const uninstall = installKeys(
      host,
      attachment,
      commands,
      () => void model.restart(attachment.pane, false),
    );
    const observer = new ResizeObserver(refit);
    observer.observe(host.parentElement ?? host);
    onCleanup(() => {
      observer.disconnect();
      uninstall();
      attachment.setWanted(undefined);
    });
    refit();
  });
  createEffect(
    on(
      () => [props.shown, view()?.you, view()?.state, view()?.cols, view()?.rows, view()?.phase.at],
      () => queueMicrotask(refit),
    ),
  );
  /** Somebody could type here. */
  const isOpen = (): boolean => {
    const seen = view();
    return seen?.phase.at === "live" && !seen.readOnly && seen.state === "running";
  };
  const caption = (): string => {
    const seen = view();
    const by = seen?.sizedBy === undefined ? "" : `, set by ${seen.sizedBy}`;
    return `${seen?.cols}×${seen?.rows}${by}`;
  };
  return (
    <>
      <div
        ref={(element) => {
          host = element;
        }}
        class="term"
      />
      <Show when={scaled() && isOpen()}>
        <span class="caption">
          {caption()}{" "}
          <button type="button" onClick={() => attachment.act(view()?.holder ? "take" : "acquire")}>
            Fit to me
          </button>
        </span>
      </Show>
    </>
  );
}
