/** Everything the page can do by key or palette, in one list. */

import * as tree from "../layout/tree.ts";
import { byUrgency } from "../rooms/attention.ts";
import { type Chord, IS_MAC, isPressed, modShift } from "./chords.ts";
import type { Model } from "./model.ts";
import { paneState } from "./pane-state.ts";
import { isBlank } from "./places.ts";
import type { Pool } from "./pool.ts";

export interface Command {
  readonly name: string;
  readonly chords: readonly Chord[];
  /** Left out of the palette: it makes sense as a key only. */
  readonly keyOnly?: boolean;
  run(): void;
}

export interface Area {
  readonly width: number;
  readonly height: number;
}

export class Commands {
  readonly list: readonly Command[];
  readonly #model: Model;
  readonly #pool: Pool;
  /** Size of the dock, for going to the pane on the left. */
  area: Area = { width: 1200, height: 800 };
  /** Asks for a new room's name and folder. */
  newRoom: () => void = () => {};

  constructor(model: Model, pool: Pool) {
    this.#model = model;
    this.#pool = pool;
    const onFocused = (act: (place: string) => void) => () => {
      const place = model.places.focused();
      if (place !== undefined) act(place);
    };
    const onPane = (act: (pane: string) => void) =>
      onFocused((place) => {
        if (!isBlank(place)) act(place);
      });
    this.list = [
      {
        name: "Command palette",
        keyOnly: true,
        chords: [modShift("KeyP"), { code: "F1" }],
        run: () => model.setPalette(""),
      },
      {
        name: "Go to the next pane that needs you",
        chords: [
          IS_MAC
            ? { code: "KeyU", meta: true, shift: true }
            : { code: "Period", ctrl: true, shift: true },
        ],
        run: () => this.nextNeedsYou(),
      },
      {
        name: "Split right",
        chords: [IS_MAC ? { code: "KeyD", meta: true } : { code: "KeyD", ctrl: true, shift: true }],
        run: onFocused((place) => model.places.split(place, "row")),
      },
      {
        name: "Split down",
        chords: [
          IS_MAC
            ? { code: "KeyD", meta: true, shift: true }
            : { code: "KeyE", ctrl: true, shift: true },
        ],
        run: onFocused((place) => model.places.split(place, "column")),
      },
      {
        name: "Zoom pane",
        chords: [modShift("Enter")],
        run: onFocused((place) => model.places.toggleZoom(place)),
      },
      ...(["left", "right", "up", "down"] as const).map((direction) => ({
        name: `Focus ${direction}`,
        chords: [modShift(`Arrow${direction[0]?.toUpperCase()}${direction.slice(1)}`)],
        run: () => this.focusToward(direction),
      })),
      { name: "New room", chords: [], run: () => this.newRoom() },
      { name: "Show or hide rooms", chords: [modShift("KeyB")], run: () => model.toggleRail() },
      {
        name: "Take control",
        chords: [],
        run: onPane((pane) => pool.get(pane)?.act("take")),
      },
      {
        name: "Release control",
        chords: [],
        run: onPane((pane) => pool.get(pane)?.act("release")),
      },
      {
        name: "Restart session",
        chords: [],
        run: onPane((pane) => void model.restart(pane, false)),
      },
      { name: "End session", chords: [], run: onPane((pane) => void model.stop(pane)) },
      { name: "Sign out", chords: [], run: () => void model.signOut() },
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({
        name: `Pane ${n}`,
        keyOnly: true,
        chords: [{ code: `Digit${n}`, ctrl: true, shift: true }],
        run: () => this.focusNumber(n),
      })),
    ];
  }

  /** Runs what the key stands for; tells whether it was the page's. */
  onKey(event: KeyboardEvent): boolean {
    const command = this.list.find(({ chords }) => chords.some((chord) => isPressed(chord, event)));
    if (command === undefined) return false;
    event.preventDefault();
    event.stopPropagation();
    command.run();
    return true;
  }

  /** Shows a pane, in whatever room it is. */
  goTo(pane: string): void {
    const room = this.#model.state.panes[pane]?.room;
    if (room === undefined) return;
    this.#model.places.showRoom(room);
    this.#model.places.focusOn(pane);
    this.focusTerminal();
  }

  focusTerminal(): void {
    const place = this.#model.places.focused();
    if (place !== undefined) this.#pool.get(place)?.terminal.focus();
  }

  nextNeedsYou(): void {
    const panes = Object.values(this.#model.state.panes);
    const focused = this.#model.places.focused();
    const waiting = panes
      .map((pane) => ({ id: pane.id, state: paneState(this.#model.state, pane.id) }))
      .filter(({ id, state }) => id !== focused && CALLING.has(state))
      .sort((one, other) => byUrgency(one.state, other.state));
    const [first] = waiting;
    if (first === undefined) this.#model.notice("No pane needs you.");
    else this.goTo(first.id);
  }

  focusToward(direction: tree.Direction): void {
    const { room, trees, zoom } = this.#model.state;
    const layout = room === undefined ? undefined : trees[room];
    const from = this.#model.places.focused();
    if (room === undefined || layout === undefined || from === undefined) return;
    if (zoom[room] !== undefined) this.#model.places.toggleZoom(from);
    const { panes } = tree.placesIn(layout, { x: 0, y: 0, ...this.area });
    const next = tree.neighbor(panes, from, direction);
    if (next === undefined) return;
    this.#model.places.focusOn(next);
    this.focusTerminal();
  }

  focusNumber(n: number): void {
    const { room, trees } = this.#model.state;
    const layout = room === undefined ? undefined : trees[room];
    const place = layout === undefined ? undefined : tree.panesOf(layout)[n - 1];
    if (place === undefined) return;
    this.#model.places.focusOn(place);
    this.focusTerminal();
  }
}

const CALLING: ReadonlySet<string> = new Set(["needs_you", "failed", "done"]);
