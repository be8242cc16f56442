/**
 * Rooms and panes as the core has them, and what a person may do with them.
 *
 * The core's events are the truth; an answer to a call is taken in the same way, and whichever
 * comes second changes nothing.
 */

import { produce, reconcile } from "solid-js/store";
import { ApiError, api } from "../net/api.ts";
import { gridIn } from "../term/fit.ts";
import { cellAtBase } from "../term/terminal.ts";
import type { Event, NewPane, Pane, Room } from "../wire/gen/types.ts";
import type { PaneView } from "./pane-view.ts";
import { isBlank, Places } from "./places.ts";
import type { Connection } from "./pool.ts";
import { createPageState, type PageState, panesIn, type SetState } from "./state.ts";

export class Model {
  readonly state: PageState;
  readonly places: Places;
  readonly #set: SetState;

  constructor() {
    [this.state, this.#set] = createPageState();
    this.places = new Places(this.state, this.#set, {
      onRoom: (room) => this.#onRoom(room),
      onFailed: (error) => this.#fail(error),
    });
  }

  /** Fetches everything; also what an event stream that cannot be continued asks for. */
  async load(): Promise<void> {
    try {
      const [me, rooms] = await Promise.all([api.me(), api.rooms()]);
      const details = await Promise.all(rooms.items.map((room) => api.room(room.id)));
      const panes = details.flatMap((detail) => detail.panes);
      this.#set("me", me);
      this.#set("panes", reconcile(Object.fromEntries(panes.map((pane) => [pane.id, pane]))));
      this.#set("rooms", reconcile(rooms.items, { key: "id" }));
      for (const { room } of details) this.places.onRoom(room);
      const { remembered } = this.places;
      const shown = rooms.items.find((room) => room.id === remembered) ?? rooms.items[0];
      if (shown === undefined) this.#set("room", undefined);
      else this.places.showRoom(shown.id);
      this.#set("phase", "ready");
      void this.loadProfiles();
    } catch (error) {
      this.#fail(error);
      if (this.state.phase === "loading") this.#set("phase", "unreachable");
    }
  }

  async loadProfiles(): Promise<void> {
    await this.#try(async () => {
      const [profiles, folders] = await Promise.all([api.profiles(), api.folders()]);
      this.#set("profiles", profiles.items);
      this.#set("folders", folders.items);
    });
  }

  onEvent(event: Event): void {
    switch (event.type) {
      case "reset":
      case "signed_out":
        // Whether it was this sign-in that ended, the next answer tells.
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
    return panesIn(this.state, room);
  }

  /** Closes a place; with a pane in it, ends its session. */
  async close(place: string): Promise<void> {
    if (isBlank(place)) return this.places.closeBlank(place);
    const room = this.state.panes[place]?.room;
    const isGone = await this.#try(() => api.deletePane(place));
    if (isGone && room !== undefined) this.#onPaneGone(place, room);
  }

  /**
   * Starts a program in the place of a launcher, at the size it will have there. Tells why not, if
   * it could not.
   */
  async start(
    place: string,
    what: NewPane,
    area: { width: number; height: number },
  ): Promise<string | undefined> {
    const { room } = this.state;
    if (room === undefined) return undefined;
    try {
      await this.places.whileStarting(room, async () => {
        const pane = await api.createPane(room, { ...what, ...gridIn(area, cellAtBase()) });
        this.#set("panes", pane.id, reconcile(pane));
        this.places.fill(room, place, pane.id);
      });
      return undefined;
    } catch (error) {
      if (isSignedOut(error)) this.onSignedOut();
      return messageOf(error);
    }
  }

  async restart(pane: string, resume: boolean): Promise<void> {
    await this.#try(async () => this.#onPane(await api.restartPane(pane, { resume })));
  }

  async stop(pane: string): Promise<void> {
    await this.#try(() => api.stopPane(pane));
  }

  async rename(pane: string, name: string): Promise<void> {
    await this.#try(async () => this.#onPane(await api.patchPane(pane, { name })));
  }

  /** Whether there is a new room; it is shown then. */
  async createRoom(name: string, folder: string | undefined): Promise<boolean> {
    return await this.#try(async () => {
      const room = await api.createRoom(folder === undefined ? { name } : { name, folder });
      this.#onRoom(room);
      this.places.showRoom(room.id);
    });
  }

  async renameRoom(id: string, name: string): Promise<void> {
    await this.#try(async () => this.#onRoom(await api.patchRoom(id, { name })));
  }

  async deleteRoom(id: string): Promise<void> {
    if (await this.#try(() => api.deleteRoom(id))) this.#onRoomGone(id);
  }

  async signOut(): Promise<void> {
    if (await this.#try(() => api.signout())) this.onSignedOut();
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

  #onRoom(room: Room): void {
    const at = this.state.rooms.findIndex((known) => known.id === room.id);
    const isNews = this.state.rooms[at]?.version !== room.version;
    if (at >= 0) this.#set("rooms", at, reconcile(room));
    else {
      const rooms = [...this.state.rooms, room].sort((one, other) => one.slot - other.slot);
      this.#set("rooms", reconcile(rooms, { key: "id" }));
    }
    if (isNews) this.places.onRoom(room);
    if (this.state.room === undefined) this.places.showRoom(room.id);
  }

  #onRoomGone(id: string): void {
    this.#set("rooms", (rooms) => rooms.filter((room) => room.id !== id));
    this.#set(
      produce((state) => {
        for (const pane of panesIn(state, id)) delete state.panes[pane.id];
      }),
    );
    if (this.state.room !== id) return;
    const next = this.state.rooms[0]?.id;
    if (next === undefined) this.#set("room", undefined);
    else this.places.showRoom(next);
  }

  #onPane(pane: Pane): void {
    const before = this.state.panes[pane.id]?.room;
    this.#set("panes", pane.id, reconcile(pane));
    this.places.onPanes(pane.room);
    if (before !== undefined && before !== pane.room) this.places.onPanes(before);
  }

  #onPaneGone(id: string, room: string): void {
    this.#set(
      produce((state) => {
        delete state.panes[id];
        delete state.unread[id];
      }),
    );
    this.places.onPanes(room);
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

  #fail(error: unknown): void {
    if (isSignedOut(error)) this.onSignedOut();
    else this.#set("notice", messageOf(error));
  }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === "unauthorized";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
