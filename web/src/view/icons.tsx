/** Pictures of 12 and 16 px, drawn with the text's colour. */

import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { STATE_WORDS } from "../page/pane-state.ts";
import type { PaneState } from "../rooms/attention.ts";

/** How a pane is doing: a shape and a colour, and the word for whoever sees neither. */
export function Glyph(props: { state: PaneState }): JSX.Element {
  return (
    <svg
      class="glyph"
      data-state={props.state}
      viewBox="0 0 12 12"
      role="img"
      aria-label={STATE_WORDS[props.state]}
    >
      <title>{STATE_WORDS[props.state]}</title>
      <Switch fallback={<circle cx="6" cy="6" r="2.5" fill="none" stroke="currentColor" />}>
        <Match when={props.state === "starting"}>
          <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" stroke-width="1.5" />
        </Match>
        <Match when={props.state === "working"}>
          <circle cx="2" cy="6" r="1.4" fill="currentColor" />
          <circle cx="6" cy="6" r="1.4" fill="currentColor" />
          <circle cx="10" cy="6" r="1.4" fill="currentColor" />
        </Match>
        <Match when={props.state === "needs_you"}>
          <path
            d="M6 .8a3.4 3.4 0 0 0-3.4 3.4v2.4L1.4 8.8h9.2L9.4 6.6V4.2A3.4 3.4 0 0 0 6 .8z"
            fill="currentColor"
          />
          <path d="M4.6 9.8h2.8L6 11.4z" fill="currentColor" />
        </Match>
        <Match when={props.state === "done"}>
          <circle cx="6" cy="6" r="3.5" fill="currentColor" />
        </Match>
        <Match when={props.state === "exited" || props.state === "failed"}>
          <rect
            x="2"
            y="2"
            width="8"
            height="8"
            rx="1"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
          />
        </Match>
        <Match when={props.state === "disconnected"}>
          <path
            d="M5 7L3.6 8.4a1.8 1.8 0 0 1-2.5-2.5L2.5 4.5M7 5l1.4-1.4a1.8 1.8 0 0 1 2.5 2.5L9.5 7.5M4 2.2V1M2 3.6L.9 3M8 9.8V11M10 8.4l1.1.6"
            fill="none"
            stroke="currentColor"
          />
        </Match>
      </Switch>
    </svg>
  );
}

export type IconName = keyof typeof PATHS;

export function Icon(props: { name: IconName }): JSX.Element {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[props.name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

const PATHS = {
  splitRight: "M2.5 3.5h11v9h-11zM8 3.5v9M10 8h2M11 7v2",
  splitDown: "M2.5 3.5h11v9h-11zM2.5 8h11M7 10.2h2M8 9.2v2",
  zoom: "M9.5 3.5h3v3M6.5 12.5h-3v-3M12.5 3.5L9 7M3.5 12.5L7 9",
  unzoom: "M12.5 6.5h-3v-3M3.5 9.5h3v3M9.5 6.5L13 3M6.5 9.5L3 13",
  more: "M3 8h.5M7.75 8h.5M12.5 8h.5",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3.5v9M3.5 8h9",
  rail: "M2.5 3.5h11v9h-11zM6 3.5v9",
  rooms: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  glass: "M2.5 3.5h11v9h-11zM8 3.5v9M8 8h5.5M4.3 6.5L5.8 8 4.3 9.5",
} as const;
