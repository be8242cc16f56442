/**
 * What the page knows and shows: rooms, panes, how they are arranged, where the focus is.
 *
 * The core's events are the truth about rooms and panes; arrangement is changed here first and then
 * saved, and a save that comes too late gives way to what the core has.
 */

import { createStore, produce, reconcile, type SetStoreFunction } from "solid-js/store";
import * as tree from "../layout/tree.ts";
import { ApiError, api } from "../net/api.ts";
import { cellAtBase } from "../term/terminal.ts";
import { PANES_PER_ROOM } from "../wire/gen/limits.ts";
import type {
  Event,
  Folder,
  LayoutNode,
  Me,
  NewPane,
  Pane,
  Profile,
  Room,
  SplitDirection,
} from "../wire/gen/types.ts";
import type { PaneView } from "./pane-view.ts";
import type { Connection } from "./pool.ts";

export interface PageState {
  phase: "loading" | "signed_out" | "unreachable" | "ready";
  me: Me | undefined;
  rooms: Room[];
  panes: Record<string, Pane>;
  views: Record<string, PaneView>;
  /** Panes that printed while nobody looked. */
  unread: Record<string, boolean>;
  /** Panes that printed within the last seconds. */
  busy: Record<string, boolean>;
  /** By room, with places that hold a launcher instead of a pane. */
  trees: Record<string, LayoutNode | undefined>;
  focus: Record<string, string | undefined>;
  zoom: Record<string, string | undefined>;
  room: string | undefined;
  profiles: Profile[] | undefined;
  folders: Folder[];
  connection: Connection;
  palette: string | undefined;
  railOpen: boolean;
  /** What went wrong last, for the bar. */
  notice: string | undefined;
}

const BLANK = "blank:";
const SAVE_AFTER_MS = 400;
const ROOM_KEY = "glasshouse.room";

/** A place in the tree that holds a launcher. */
export function isBlank(place: string): boolean {
  return place.startsWith(BLANK);
}

export class Model {
  readonly state: PageState;
  readonly #set: SetStoreFunction<PageState>;
  readonly #saves = new Map<string, number>();
  #blanks = 0;

  constructor() {
    const [state, set] = createStore<PageState>({
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
    this.state = state;
    this.#set = set;
  }

  /** Fetches everything; also what an event stream that cannot be continued asks for. */
  async load(): Promise<void> {
    try {
      const [me, rooms] = await Promise.all([api.me(), api.rooms()]);
      const details = await Promise.all(rooms.items.map((room) => api.room(room.id)));
      this.#set("me", me);
      const panes = details.flatMap((detail) => detail.panes);
      this.#set("panes", reconcile(Object.fromEntries(panes.map((pane) => [pane.id, pane]))));
      this.#set("rooms", reconcile(rooms.items, { key: "id" }));
      for (const { room } of details) this.#arrange(room);
      const known = this.state.room ?? localStorage.getItem(ROOM_KEY) ?? undefined;
      const first = rooms.items.find((room) => room.id === known) ?? rooms.items[0];
      if (first !== undefined) this.showRoom(first.id);
      this.#set("phase", "ready");
      void this.loadProfiles();
    } catch (error) {
      this.#fail(error);
      if (this.state.phase === "loading") this.#set("phase", "unreachable");
    }
  }

  async loadProfiles(): Promise<void> {
    try {
      const [profiles, folders] = await Promise.all([api.profiles(), api.folders()]);
      this.#set("profiles", profiles.items);
      this.#set("folders", folders.items);
    } catch (error) {
      this.#fail(error);
    }
  }

  onEvent(event: Event): void {
    switch (event.type) {
      case "reset":
        void this.load();
        break;
      case "room":
        this.#onRoom(event.room);
        break;
      case "room_gone":
        this.#onRoomGone(event.id);
        break;
      case "pane":
        this.#onPane(event.pane);
        break;
      case "pane_gone":
        this.#onPaneGone(event.id, event.room);
        break;
      case "host":
        if (this.state.me !== undefined) this.#set("me", "hostUp", event.up);
        break;
      case "signed_out":
        void this.load();
        break;
    }
  }

  onView(pane: string, view: PaneView): void {
    this.#set("views", pane, reconcile(view));
  }

  onDetached(pane: string): void {
    this.#set(
      produce((state) => {
        delete state.views[pane];
        delete state.busy[pane];
      }),
    );
  }

  onActivity(pane: string, busy: boolean, seen: boolean): void {
    this.#set("busy", pane, busy);
    if (busy && !seen) this.#set("unread", pane, true);
  }

  onSeen(pane: string): void {
    if (this.state.unread[pane] === true) this.#set("unread", pane, false);
  }

  onConnection(connection: Connection): void {
    this.#set("connection", connection);
  }

  onSignedOut(): void {
    this.#set("phase", "signed_out");
  }

  panesOf(room: string): Pane[] {
    return Object.values(this.state.panes)
      .filter((pane) => pane.room === room)
      .sort((one, other) => one.slot - other.slot);
  }

  showRoom(room: string): void {
    localStorage.setItem(ROOM_KEY, room);
    if (this.state.trees[room] === undefined) this.#setTree(room, tree.single(this.#blank()));
    this.#set("room", room);
  }

  focusOn(place: string): void {
    const { room } = this.state;
    if (room === undefined) return;
    this.#set("focus", room, place);
    if (this.state.zoom[room] !== undefined) this.#set("zoom", room, place);
  }

  /** Where the focus is, or the first place if it is nowhere. */
  focused(): string | undefined {
    const { room } = this.state;
    if (room === undefined) return undefined;
    const layout = this.state.trees[room];
    const places = layout === undefined ? [] : tree.panesOf(layout);
    const focus = this.state.focus[room];
    return focus !== undefined && places.includes(focus) ? focus : places[0];
  }

  split(place: string, direction: SplitDirection): void {
    const { room } = this.state;
    const layout = room === undefined ? undefined : this.state.trees[room];
    if (room === undefined || layout === undefined) return;
    if (tree.panesOf(layout).length >= PANES_PER_ROOM) {
      this.#set("notice", `A room holds ${PANES_PER_ROOM} panes.`);
      return;
    }
    const blank = this.#blank();
    this.#set("zoom", room, undefined);
    this.#setTree(room, tree.split(layout, place, direction, blank));
    this.focusOn(blank);
  }

  arrange(layout: LayoutNode): void {
    const { room } = this.state;
    if (room === undefined) return;
    this.#setTree(room, layout);
    this.#saveSoon(room);
  }

  toggleZoom(place: string): void {
    const { room } = this.state;
    if (room === undefined) return;
    this.#set("focus", room, place);
    this.#set("zoom", room, (zoom) => (zoom === undefined ? place : undefined));
  }

  /** Closes a place; with a pane in it, ends its session. */
  async close(place: string): Promise<void> {
    const { room } = this.state;
    if (room === undefined) return;
    if (!isBlank(place)) {
      const done = await this.#try(() => api.deletePane(place));
      if (done) this.#onPaneGone(place, room);
      return;
    }
    const layout = this.state.trees[room];
    if (layout === undefined) return;
    const rest = tree.close(layout, place);
    if (rest !== undefined) this.#setTree(room, rest);
  }

  /** Starts a program in the place of a launcher. */
  async start(
    place: string,
    what: NewPane,
    area: { width: number; height: number },
  ): Promise<void> {
    const { room } = this.state;
    if (room === undefined) return;
    const pane = await this.#value(() => api.createPane(room, { ...what, ...gridFor(area) }));
    if (pane === undefined) return;
    const wasFocused = this.focused() === place;
    this.#set("panes", pane.id, pane);
    const layout = this.state.trees[room] ?? tree.single(place);
    // Its event may have come first and put it at the end.
    const without = tree.close(layout, pane.id) ?? tree.single(place);
    this.#setTree(room, tree.replace(without, place, pane.id));
    if (wasFocused) this.#set("focus", room, pane.id);
    this.#saveSoon(room);
  }

  async restart(pane: string, resume: boolean): Promise<void> {
    const next = await this.#value(() => api.restartPane(pane, { resume }));
    if (next !== undefined) this.#set("panes", next.id, reconcile(next));
  }

  async stop(pane: string): Promise<void> {
    await this.#try(() => api.stopPane(pane));
  }

  async rename(pane: string, name: string): Promise<void> {
    const next = await this.#value(() => api.patchPane(pane, { name }));
    if (next !== undefined) this.#set("panes", pane, "name", next.name);
  }

  async createRoom(name: string, folder: string | undefined): Promise<boolean> {
    const room = await this.#value(() =>
      api.createRoom(folder === undefined ? { name } : { name, folder }),
    );
    if (room === undefined) return false;
    this.#onRoom(room);
    this.showRoom(room.id);
    return true;
  }

  async renameRoom(id: string, name: string): Promise<void> {
    const room = await this.#value(() => api.patchRoom(id, { name }));
    if (room !== undefined) this.#onRoom(room);
  }

  async deleteRoom(id: string): Promise<void> {
    if (await this.#try(() => api.deleteRoom(id))) this.#onRoomGone(id);
  }

  async signOut(): Promise<void> {
    await this.#try(() => api.signout());
    this.onSignedOut();
  }

  setPalette(text: string | undefined): void {
    this.#set("palette", text);
  }

  toggleRail(open?: boolean): void {
    this.#set("railOpen", (was) => open ?? !was);
  }

  notice(text: string | undefined): void {
    this.#set("notice", text);
  }

  #blank(): string {
    this.#blanks += 1;
    return `${BLANK}${this.#blanks}`;
  }

  #onRoom(room: Room): void {
    const at = this.state.rooms.findIndex((known) => known.id === room.id);
    if (at >= 0) {
      const known = this.state.rooms[at];
      this.#set("rooms", at, reconcile(room));
      // A change of our own comes back as an event; what is being dragged stays under the hand.
      if (known?.version !== room.version && !this.#saves.has(room.id)) this.#arrange(room);
      return;
    }
    const rooms = [...this.state.rooms, room].sort((one, other) => one.slot - other.slot);
    this.#set("rooms", reconcile(rooms, { key: "id" }));
    this.#arrange(room);
    if (this.state.room === undefined) this.showRoom(room.id);
  }

  #onRoomGone(id: string): void {
    this.#set("rooms", (rooms) => rooms.filter((room) => room.id !== id));
    this.#set(
      produce((state) => {
        for (const pane of Object.values(state.panes)) {
          if (pane.room === id) delete state.panes[pane.id];
        }
      }),
    );
    if (this.state.room !== id) return;
    const next = this.state.rooms[0]?.id;
    if (next === undefined) this.#set("room", undefined);
    else this.showRoom(next);
  }

  #onPane(pane: Pane): void {
    const before = this.state.panes[pane.id]?.room;
    this.#set("panes", pane.id, reconcile(pane));
    for (const room of new Set([pane.room, before])) if (room !== undefined) this.#settle(room);
  }

  #onPaneGone(id: string, room: string): void {
    this.#set(
      produce((state) => {
        delete state.panes[id];
        delete state.unread[id];
      }),
    );
    this.#settle(room);
  }

  /** Takes the core's arrangement, keeps our launchers. */
  #arrange(room: Room): void {
    const places = this.panesOf(room.id).map((pane) => pane.id);
    this.#setTree(room.id, tree.reconcile(room.layout, places));
    if (this.state.room === room.id && this.state.trees[room.id] === undefined) {
      this.#setTree(room.id, tree.single(this.#blank()));
    }
  }

  /** Makes the tree hold the room's panes and the launchers that are in it. */
  #settle(room: string): void {
    const layout = this.state.trees[room];
    const blanks = layout === undefined ? [] : tree.panesOf(layout).filter(isBlank);
    const places = [...this.panesOf(room).map((pane) => pane.id), ...blanks];
    const next = tree.reconcile(layout, places);
    const shown = next ?? (this.state.room === room ? tree.single(this.#blank()) : undefined);
    this.#setTree(room, shown);
    const zoom = this.state.zoom[room];
    if (zoom !== undefined && !places.includes(zoom)) this.#set("zoom", room, undefined);
  }

  #setTree(room: string, layout: LayoutNode | undefined): void {
    // Trees are replaced, never changed: a plain value, not a store within the store.
    this.#set("trees", (trees) => ({ ...trees, [room]: layout }));
  }

  #saveSoon(room: string): void {
    clearTimeout(this.#saves.get(room));
    this.#saves.set(
      room,
      window.setTimeout(() => void this.#save(room), SAVE_AFTER_MS),
    );
  }

  async #save(room: string): Promise<void> {
    this.#saves.delete(room);
    let layout = this.state.trees[room];
    for (const place of layout === undefined ? [] : tree.panesOf(layout)) {
      if (isBlank(place) && layout !== undefined) layout = tree.close(layout, place);
    }
    const known = this.state.rooms.find((one) => one.id === room);
    if (layout === undefined || known === undefined) return;
    try {
      this.#onRoom(await api.patchRoom(room, { layout, version: known.version }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "stale") return this.#fail(error);
      const detail = await this.#value(() => api.room(room));
      if (detail !== undefined) this.#onRoom(detail.room);
    }
  }

  async #try(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #value<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    if (error instanceof ApiError && error.code === "unauthorized") this.onSignedOut();
    else this.#set("notice", error instanceof Error ? error.message : String(error));
  }
}

export const NARROW_PX = 768;

function gridFor(area: { width: number; height: number }): { cols: number; rows: number } {
  const cell = cellAtBase();
  const cols = Math.floor(area.width / cell.width);
  const rows = Math.floor(area.height / cell.height);
  return { cols: Math.min(Math.max(cols, 20), 400), rows: Math.min(Math.max(rows, 5), 200) };
}
