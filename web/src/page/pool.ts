/**
 * The attachments of the page: which panes have one, which of them are seen, and when to dial.
 *
 * Rooms that were shown recently stay warm; the rest have no socket and no terminal. All panes
 * share one question for tickets (`pane/dial.ts`) and one budget for what hidden ones queue.
 */

import { Emitter } from "../base/emitter.ts";
import { ApiError, api } from "../net/api.ts";
import { openEventSocket } from "../net/socket.ts";
import { DialPlan, EVENTS, type Probe } from "../pane/dial.ts";
import { HiddenQueues } from "../rooms/hidden.ts";
import { WarmRooms } from "../rooms/warm.ts";
import { PaneTerminal } from "../term/terminal.ts";
import type { Scheme } from "../term/theme.ts";
import {
  HIDDEN_PAGE_QUEUE_BYTES,
  HIDDEN_PANE_QUEUE_BYTES,
  WARM_PANES,
  WARM_PANES_TOUCH,
  WARM_ROOMS,
} from "../wire/gen/limits.ts";
import type { EventEnvelope, Holder, Pane } from "../wire/gen/types.ts";
import { Attachment } from "./attachment.ts";

const TICK_MS = 1_000;

export interface PoolOptions {
  /** This page load, for the host: 16 random bytes as a UUID, kept in memory only. */
  readonly viewer: string;
  readonly touch: boolean;
  scheme(): Scheme;
  isSameCaller(holder: Holder): boolean;
  openLink(url: string): void;
}

/** What the page looks at now. */
export interface Shown {
  readonly room: string | undefined;
  /** Panes that can be seen, apart from whether the tab can. */
  readonly visible: ReadonlySet<string>;
  readonly focused: string | undefined;
}

export type Connection =
  | { readonly at: "up" }
  | { readonly at: "down"; readonly retryAtMs: number | undefined };

export class Pool {
  readonly attached = new Emitter<Attachment>();
  readonly detached = new Emitter<string>();
  readonly events = new Emitter<EventEnvelope>();
  readonly connection = new Emitter<Connection>();
  readonly signedOut = new Emitter<void>();
  readonly #options: PoolOptions;
  readonly #attachments = new Map<string, Attachment>();
  readonly #plan = new DialPlan();
  readonly #warm: WarmRooms;
  readonly #hidden = new HiddenQueues({
    paneBytes: HIDDEN_PANE_QUEUE_BYTES,
    pageBytes: HIDDEN_PAGE_QUEUE_BYTES,
  });
  #shown: Shown = { room: undefined, visible: new Set(), focused: undefined };
  #eventSocket: { close(): void } | undefined;
  #lastEvent: string | undefined;
  #timer: number | undefined;
  #started = false;
  #stopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    const panes = options.touch ? WARM_PANES_TOUCH : WARM_PANES;
    this.#warm = new WarmRooms({ rooms: WARM_ROOMS, panes });
  }

  /** Connects the events and begins to keep time; once. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#want(EVENTS);
    window.setInterval(() => this.#tick(), TICK_MS);
    const wake = (): void => this.wake();
    window.addEventListener("online", wake);
    window.addEventListener("pageshow", wake);
    window.addEventListener("focus", () => this.#updateCircumstances());
    window.addEventListener("blur", () => this.#updateCircumstances());
    document.addEventListener("visibilitychange", () => {
      this.#updateCircumstances();
      if (document.visibilityState === "visible") wake();
    });
  }

  /** Signed out: nothing is asked any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const pane of [...this.#attachments.keys()]) this.#detach(pane);
    this.#plan.forget(EVENTS);
    this.#eventSocket?.close();
  }

  get(pane: string): Attachment | undefined {
    return this.#attachments.get(pane);
  }

  /** Probes every connection and tries the lost ones now. */
  wake(): void {
    for (const attachment of this.#attachments.values()) attachment.onWake();
    this.#plan.hurry(now());
    this.#schedule();
  }

  /** The page shows this, and the room has these panes. */
  show(shown: Shown, panesByRoom: ReadonlyMap<string, readonly Pane[]>): void {
    if (this.#stopped) return;
    this.#shown = shown;
    if (shown.room !== undefined) {
      this.#warm.onShown(shown.room, panesByRoom.get(shown.room)?.length ?? 0);
    }
    for (const [room, panes] of panesByRoom) this.#warm.onPanes(room, panes.length);
    const kept = new Set<string>();
    for (const room of this.#warm.rooms) {
      for (const pane of panesByRoom.get(room) ?? []) {
        if (pane.session === undefined) continue;
        kept.add(pane.id);
        if (!this.#attachments.has(pane.id)) this.#attach(pane);
      }
    }
    for (const pane of [...this.#attachments.keys()]) {
      if (!kept.has(pane)) this.#detach(pane);
    }
    this.#updateCircumstances();
  }

  setScheme(scheme: Scheme): void {
    for (const attachment of this.#attachments.values()) attachment.setScheme(scheme);
  }

  #attach(pane: Pane): void {
    const { cols, rows } = pane.session ?? { cols: 120, rows: 32 };
    const { scheme, openLink, isSameCaller } = this.#options;
    const attachment = new Attachment({
      pane: pane.id,
      profile: pane.profile,
      visible: this.#isVisible(pane.id),
      scheme: scheme(),
      terminal: new PaneTerminal(cols, rows, scheme(), openLink),
      isSameCaller,
      dial: () => this.#want(pane.id),
      onUp: () => this.#plan.onUp(pane.id, now()),
      onSignedOut: () => this.signedOut.emit(),
      onQueued: (bytes) => this.#onQueued(pane.id, bytes),
    });
    this.#attachments.set(pane.id, attachment);
    this.attached.emit(attachment);
    attachment.connect();
  }

  #detach(pane: string): void {
    this.#attachments.get(pane)?.dispose();
    this.#attachments.delete(pane);
    this.#plan.forget(pane);
    this.#hidden.onShown(pane);
    this.detached.emit(pane);
  }

  #isVisible(pane: string): boolean {
    return this.#shown.visible.has(pane) && document.visibilityState === "visible";
  }

  #updateCircumstances(): void {
    for (const [pane, attachment] of this.#attachments) {
      const visible = this.#isVisible(pane);
      if (visible) this.#hidden.onShown(pane);
      // A phone shows one pane, and takes its contexts away whenever it is put down.
      attachment.terminal.useGpu(visible && !this.#options.touch);
      const attended = visible && document.hasFocus();
      attachment.setCircumstances({ visible, attended, shy: this.#options.touch });
    }
  }

  #onQueued(pane: string, bytes: number): void {
    for (const full of this.#hidden.onQueued(pane, bytes)) this.#attachments.get(full)?.dropQueue();
  }

  #tick(): void {
    for (const attachment of this.#attachments.values()) attachment.onTick();
  }

  #want(id: string): void {
    const rank = id === this.#shown.focused ? 0 : this.#shown.visible.has(id) ? 1 : 2;
    this.#plan.want(id, id === EVENTS ? 0 : rank, now(), Math.random());
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const due = this.#plan.deadline();
    if (due === undefined) return;
    this.#timer = window.setTimeout(() => void this.#probe(), Math.max(0, due - now()));
  }

  async #probe(): Promise<void> {
    const probe = this.#plan.next(now());
    if (probe === undefined) return this.#schedule();
    try {
      const { panes, events } = probe;
      const { viewer } = this.#options;
      const reply = await api.tickets({ panes: [...panes], events, viewer });
      this.#plan.onAnswered();
      this.#open(probe, new Map(reply.panes.map((one) => [one.pane, one.ticket])), reply.events);
      this.connection.emit({ at: "up" });
    } catch (error) {
      if (error instanceof ApiError && error.code === "unauthorized") this.signedOut.emit();
      this.#plan.onUnanswered(probe, now(), Math.random());
      this.connection.emit({ at: "down", retryAtMs: this.#plan.deadline() });
    }
    this.#schedule();
  }

  #open(probe: Probe, tickets: ReadonlyMap<string, string>, events: string | undefined): void {
    for (const pane of probe.panes) {
      const ticket = tickets.get(pane);
      // Without a ticket the pane is gone, and an event says so.
      if (ticket === undefined) this.#plan.forget(pane);
      else this.#attachments.get(pane)?.open(ticket);
    }
    if (events === undefined) return;
    this.#eventSocket?.close();
    const socket = openEventSocket(events, this.#lastEvent, {
      onOpen: () => this.#plan.onUp(EVENTS, now()),
      onEvent: (envelope) => {
        this.#lastEvent = envelope.id;
        this.events.emit(envelope);
      },
      onClosed: () => {
        if (this.#eventSocket !== socket) return;
        this.#eventSocket = undefined;
        if (!this.#stopped) this.#want(EVENTS);
      },
    });
    this.#eventSocket = socket;
  }
}

function now(): number {
  return performance.now();
}
