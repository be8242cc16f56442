/**
 * How the shown room's panes are arranged, and where the focus is.
 *
 * An arrangement is changed here first and saved a little later; a save that comes too late gives
 * way to what the core has. Launchers have places in the tree, and are left out of what is saved.
 */

import * as tree from "../layout/tree.ts";
import { ApiError, api } from "../net/api.ts";
import { PANES_PER_ROOM } from "../wire/gen/limits.ts";
import type { LayoutNode, Room, SplitDirection } from "../wire/gen/types.ts";
import { type PageState, panesIn, type SetState } from "./state.ts";

const BLANK = "blank:";
const SAVE_AFTER_MS = 400;
const ROOM_KEY = "glasshouse.room";

/** A place in the tree that holds a launcher. */
export function isBlank(place: string): boolean {
  return place.startsWith(BLANK);
}

/** Where to put what the core answered, and what went wrong. */
export interface PlacesOwner {
  onRoom(room: Room): void;
  onFailed(error: unknown): void;
}

export class Places {
  readonly #state: PageState;
  readonly #set: SetState;
  readonly #owner: PlacesOwner;
  /** Timers of saves to come, by room. */
  readonly #saves = new Map<string, number>();
  /** How many panes are being made, by room. */
  readonly #starts = new Map<string, number>();
  /** What the core said of a room meanwhile. */
  readonly #withheld = new Map<string, Room>();
  #blanks = 0;

  constructor(state: PageState, set: SetState, owner: PlacesOwner) {
    this.#state = state;
    this.#set = set;
    this.#owner = owner;
  }

  /** The room that was shown last, in this browser. */
  get remembered(): string | undefined {
    return this.#state.room ?? localStorage.getItem(ROOM_KEY) ?? undefined;
  }

  showRoom(room: string): void {
    localStorage.setItem(ROOM_KEY, room);
    if (this.#state.trees[room] === undefined) this.#setTree(room, tree.single(this.#blank()));
    this.#set("room", room);
  }

  focusOn(place: string): void {
    const { room, zoom } = this.#state;
    if (room === undefined) return;
    this.#set("focus", room, place);
    if (zoom[room] !== undefined) this.#set("zoom", room, place);
  }

  /** Where the focus is, or the first place if it is nowhere. */
  focused(): string | undefined {
    const { room, trees, focus } = this.#state;
    const layout = room === undefined ? undefined : trees[room];
    if (room === undefined || layout === undefined) return undefined;
    const places = tree.panesOf(layout);
    const wanted = focus[room];
    return wanted !== undefined && places.includes(wanted) ? wanted : places[0];
  }

  toggleZoom(place: string): void {
    const { room } = this.#state;
    if (room === undefined) return;
    this.#set("focus", room, place);
    this.#set("zoom", room, (zoom) => (zoom === undefined ? place : undefined));
  }

  split(place: string, direction: SplitDirection): void {
    const { room, trees } = this.#state;
    const layout = room === undefined ? undefined : trees[room];
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

  /** The person moved something. */
  arrange(layout: LayoutNode): void {
    const { room } = this.#state;
    if (room === undefined) return;
    this.#setTree(room, layout);
    this.#saveSoon(room);
  }

  /** Takes a launcher away, unless it is all there is. */
  closeBlank(place: string): void {
    const { room, trees } = this.#state;
    const layout = room === undefined ? undefined : trees[room];
    const rest = layout === undefined ? undefined : tree.close(layout, place);
    if (room !== undefined && rest !== undefined) this.#setTree(room, rest);
  }

  /**
   * Makes a pane, and fills its place, before anything that is told of the room moves in it.
   *
   * The pane's event comes before the answer: taken at once, the pane would stand at the end, every
   * program beside it would be resized twice, and the launcher would lose its place.
   */
  async whileStarting<T>(room: string, work: () => Promise<T>): Promise<T> {
    this.#starts.set(room, (this.#starts.get(room) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#starts.get(room) ?? 1) - 1;
      if (others > 0) this.#starts.set(room, others);
      else this.#catchUp(room);
    }
  }

  #catchUp(room: string): void {
    const told = this.#withheld.get(room);
    this.#starts.delete(room);
    this.#withheld.delete(room);
    if (told !== undefined) this.onRoom(told);
    this.onPanes(room);
  }

  /** Puts a new pane in the place of the launcher that started it. */
  fill(room: string, place: string, pane: string): void {
    const isFocused = this.focused() === place;
    const layout = this.#state.trees[room] ?? tree.single(place);
    this.#setTree(room, tree.replace(layout, place, pane));
    if (isFocused) this.#set("focus", room, pane);
    this.#saveSoon(room);
  }

  /** The core has this arrangement; what is being moved here stays under the hand. */
  onRoom(room: Room): void {
    if (this.#starts.has(room.id)) {
      this.#withheld.set(room.id, room);
      return;
    }
    if (this.#saves.has(room.id)) return;
    const ours = withoutBlanks(this.#state.trees[room.id]);
    // Our own change come back; taking it would move the launchers to the end.
    if (ours !== undefined && JSON.stringify(ours) === JSON.stringify(room.layout)) return;
    this.#settle(room.id, room.layout);
  }

  /** The room has other panes than before. */
  onPanes(room: string): void {
    if (this.#starts.has(room)) return;
    this.#settle(room, this.#state.trees[room]);
    const zoom = this.#state.zoom[room];
    const layout = this.#state.trees[room];
    const isThere = layout !== undefined && zoom !== undefined;
    if (isThere && !tree.panesOf(layout).includes(zoom)) this.#set("zoom", room, undefined);
  }

  /** Makes the layout hold the room's panes and the launchers that are open in it. */
  #settle(room: string, layout: LayoutNode | undefined): void {
    const now = this.#state.trees[room];
    const blanks = now === undefined ? [] : tree.panesOf(now).filter(isBlank);
    const panes = panesIn(this.#state, room).map((pane) => pane.id);
    const settled = tree.reconcile(layout, [...panes, ...blanks]);
    const isShown = this.#state.room === room;
    this.#setTree(room, settled ?? (isShown ? tree.single(this.#blank()) : undefined));
  }

  #blank(): string {
    this.#blanks += 1;
    return `${BLANK}${this.#blanks}`;
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
    const layout = withoutBlanks(this.#state.trees[room]);
    const version = this.#state.rooms.find(({ id }) => id === room)?.version;
    if (layout === undefined || version === undefined) return;
    try {
      this.#owner.onRoom(await api.patchRoom(room, { layout, version }));
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === "stale";
      if (isStale) await this.#giveWay(room);
      else this.#owner.onFailed(error);
    }
  }

  async #giveWay(room: string): Promise<void> {
    try {
      this.#owner.onRoom((await api.room(room)).room);
    } catch (error) {
      this.#owner.onFailed(error);
    }
  }
}

function withoutBlanks(layout: LayoutNode | undefined): LayoutNode | undefined {
  let rest = layout;
  for (const place of layout === undefined ? [] : tree.panesOf(layout).filter(isBlank)) {
    if (rest !== undefined) rest = tree.close(rest, place);
  }
  return rest;
}
