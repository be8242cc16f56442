/** What the page knows and shows, as one store. */

import { createStore, type SetStoreFunction } from "solid-js/store";
import type { Folder, LayoutNode, Me, Pane, Profile, Room } from "../wire/gen/types.ts";
import type { PaneView } from "./pane-view.ts";
import type { Connection } from "./pool.ts";

export interface PageState {
  phase: "loading" | "signed_out" | "unreachable" | "ready";
  me: Me | undefined;
  /** By slot. */
  rooms: Room[];
  panes: Record<string, Pane>;
  /** Of panes that have an attachment. */
  views: Record<string, PaneView>;
  /** Panes that printed while nobody looked. */
  unread: Record<string, boolean>;
  /** Panes that printed within the last seconds. */
  busy: Record<string, boolean>;
  /** By room, with places that hold a launcher instead of a pane. */
  trees: Record<string, LayoutNode | undefined>;
  focus: Record<string, string | undefined>;
  zoom: Record<string, string | undefined>;
  /** The room that is shown. */
  room: string | undefined;
  /** Nothing until they were asked for. */
  profiles: Profile[] | undefined;
  folders: Folder[];
  connection: Connection;
  /** What is typed into the palette, while it is open. */
  palette: string | undefined;
  railOpen: boolean;
  /** What went wrong last, for the bar. */
  notice: string | undefined;
}

export type SetState = SetStoreFunction<PageState>;

/** At most this wide, the page shows one pane. */
export const NARROW_PX = 768;

export function createPageState(): [PageState, SetState] {
  return createStore<PageState>({
    phase: "loading",
    me: undefined,
    rooms: [],
    panes: {},
    views: {},
    unread: {},
    busy: {},
    trees: {},
    focus: {},
    zoom: {},
    room: undefined,
    profiles: undefined,
    folders: [],
    connection: { at: "up" },
    palette: undefined,
    railOpen: window.innerWidth > NARROW_PX,
    notice: undefined,
  });
}

/** The room's panes by slot. */
export function panesIn(state: PageState, room: string): Pane[] {
  return Object.values(state.panes)
    .filter((pane) => pane.room === room)
    .sort((one, other) => one.slot - other.slot);
}
