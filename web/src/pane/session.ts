/**
 * One pane's socket: what it is attached to, how far it has come, what to do next.
 *
 * `received` counts what has been queued for the terminal, not what it has parsed: after a lost
 * connection the queue is still there and output continues behind it. It says what to do as
 * effects; the caller dials, sends and writes, and holds no rule.
 */

import type { ServerFrame } from "../wire/frame.ts";
import type { ClientMessage, ServerMessage } from "../wire/gen/types.ts";
import type { Ack } from "./credit.ts";
import { concat } from "./utf8.ts";
import type { Job } from "./writer.ts";

/** How often a pane that can be seen asks whether the core is there. */
export const PING_EVERY_MS = 10_000;
/** No word for this long after a ping: the connection is dead. */
export const PONG_WITHIN_MS = 8_000;
/** The same when the page wakes up and somebody is waiting. */
export const WAKE_PONG_WITHIN_MS = 2_000;
/** Refused sockets in a row before the pane says so instead of trying on. */
const REFUSALS_MAX = 3;

/** Where to go on from, for `?after=SEQ&session=ID`. */
export interface Resume {
  readonly after: number;
  readonly session: string;
}

export type SessionEffect =
  | { readonly do: "dial" }
  | { readonly do: "hang_up" }
  | { readonly do: "send"; readonly message: ClientMessage }
  | { readonly do: "write"; readonly job: Job };

export type Phase =
  /** No socket; one is wanted. */
  | { readonly at: "lost" }
  /** A socket is being opened, or has not said `ready`. */
  | { readonly at: "opening" }
  | { readonly at: "live" }
  /** No socket, and none is wanted until somebody asks. */
  | {
      readonly at: "ended";
      readonly why: "superseded" | "signed_out" | "session_lost" | "refused";
    };

interface Snapshot {
  readonly at: Ack;
  readonly cols: number;
  readonly rows: number;
  readonly bytes: number;
  readonly parts: Uint8Array[];
  missing: number;
}

export class PaneSession {
  #phase: Phase = { at: "lost" };
  #session: string | undefined;
  /** Counts the sockets that were opened. */
  #socket = 0;
  #stream = -1;
  /** End of the output queued for the terminal. */
  #received = 0;
  /** The terminal shows nothing that output could continue. */
  #blank = true;
  #snapshot: Snapshot | undefined;
  /** Queued output was dropped: nothing more is queued until a screen comes. */
  #isAdrift = false;
  #visible: boolean;
  /** What the core knows of that: the socket was asked for with it. */
  #toldVisible = false;
  #refusals = 0;
  #heardMs = 0;
  #pingedMs = 0;
  #pongWithinMs: number | undefined;

  constructor(visible: boolean) {
    this.#visible = visible;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** Which socket it is, from 1. */
  get socket(): number {
    return this.#socket;
  }

  get hidden(): boolean {
    return !this.#visible;
  }

  /** Asks for a socket, at first or again after an end. */
  connect(): SessionEffect[] {
    if (this.#phase.at === "opening" || this.#phase.at === "live") return [];
    this.#phase = { at: "lost" };
    return [{ do: "dial" }];
  }

  /** The caller opens a socket; tells where it should go on from. */
  onOpening(): Resume | undefined {
    this.#phase = { at: "opening" };
    this.#toldVisible = this.#visible;
    this.#socket += 1;
    return this.#resume();
  }

  onMessage(message: ServerMessage, nowMs: number): SessionEffect[] {
    this.#heard(nowMs);
    switch (message.type) {
      case "ready":
        return this.#onReady(message, nowMs);
      case "snapshot":
        return this.#onSnapshotHead(message);
      case "resized":
        if (this.#isAdrift || this.#snapshot !== undefined) return [];
        return [write({ job: "size", cols: message.cols, rows: message.rows })];
      case "gap":
        this.#received = Math.max(this.#received, message.to);
        return [];
      case "session_replaced":
        this.#snapshot = undefined;
        this.#session = message.session;
        this.#stream = message.stream;
        this.#received = 0;
        this.#isAdrift = false;
        return [write({ job: "fresh" })];
      case "output":
        // Output is binary here; as text it means that the two ends disagree about the encoding.
        return this.#distrust();
      case "status":
      case "control":
      case "viewers":
      case "lag":
      case "input_ack":
      case "refused":
      case "modes":
      case "notify":
      case "error":
      case "pong":
        return [];
    }
  }

  onFrame(frame: ServerFrame, nowMs: number): SessionEffect[] {
    this.#heard(nowMs);
    if (frame.frame === "snapshot") return this.#onSnapshotPart(frame.n, frame.bytes);
    if (this.#phase.at !== "live" || this.#snapshot !== undefined) return this.#distrust();
    if (frame.seq - frame.bytes.length !== this.#received) {
      // While adrift the place does not matter: a screen is coming.
      if (!this.#isAdrift) return this.#distrust();
    }
    this.#received = frame.seq;
    if (this.#isAdrift) return [];
    const at = { socket: this.#socket, stream: this.#stream, seq: frame.seq };
    return [write({ job: "output", bytes: frame.bytes, at })];
  }

  /** A frame or message that does not parse. */
  onNonsense(): SessionEffect[] {
    return this.#distrust();
  }

  onClosed(code: number): SessionEffect[] {
    if (this.#phase.at === "ended") return [];
    const wasLive = this.#phase.at === "live";
    this.#snapshot = undefined;
    this.#pongWithinMs = undefined;
    switch (code) {
      case CLOSE_SUPERSEDED:
        return this.#end("superseded");
      case CLOSE_SIGNED_OUT:
        return this.#end("signed_out");
      case CLOSE_SESSION_LOST:
        return this.#end("session_lost");
      case CLOSE_POLICY:
        this.#refusals = wasLive ? 1 : this.#refusals + 1;
        if (this.#refusals >= REFUSALS_MAX) return this.#end("refused");
        break;
      default:
        break;
    }
    this.#phase = { at: "lost" };
    return [{ do: "dial" }];
  }

  /** The queue of this pane was dropped: it was hidden and there was no room. */
  onDropped(): void {
    this.#isAdrift = true;
  }

  onVisibility(visible: boolean): SessionEffect[] {
    if (visible === this.#visible) return [];
    this.#visible = visible;
    if (this.#phase.at !== "live") return [];
    this.#toldVisible = visible;
    const effects: SessionEffect[] = [send({ type: "visibility", visible })];
    if (visible && this.#isAdrift) effects.push(send({ type: "resync" }));
    return effects;
  }

  /** The page woke up or the network came back: is the connection still one? */
  onWake(nowMs: number): SessionEffect[] {
    if (this.#phase.at !== "live") return [];
    return this.#ping(nowMs, WAKE_PONG_WITHIN_MS);
  }

  /** When `onTick` has something to do. */
  deadline(): number | undefined {
    if (this.#phase.at !== "live") return undefined;
    if (this.#pongWithinMs !== undefined) return this.#pingedMs + this.#pongWithinMs;
    return this.#visible ? Math.max(this.#heardMs, this.#pingedMs) + PING_EVERY_MS : undefined;
  }

  onTick(nowMs: number): SessionEffect[] {
    const due = this.deadline();
    if (due === undefined || nowMs < due) return [];
    if (this.#pongWithinMs !== undefined) return [{ do: "hang_up" }];
    return this.#ping(nowMs, PONG_WITHIN_MS);
  }

  #onReady(ready: Extract<ServerMessage, { type: "ready" }>, nowMs: number): SessionEffect[] {
    this.#phase = { at: "live" };
    this.#refusals = 0;
    this.#pingedMs = nowMs;
    this.#pongWithinMs = undefined;
    this.#stream = ready.stream;
    const effects: SessionEffect[] = [];
    const continues = this.#session === ready.session && !this.#blank;
    if (!continues) {
      this.#session = ready.session;
      this.#received = ready.seq;
      this.#isAdrift = false;
      effects.push(write({ job: "fresh" }));
      effects.push(write({ job: "size", cols: ready.cols, rows: ready.rows }));
      this.#blank = false;
    }
    if (this.#toldVisible !== this.#visible) {
      this.#toldVisible = this.#visible;
      effects.push(send({ type: "visibility", visible: this.#visible }));
    }
    if (this.#visible && this.#isAdrift) effects.push(send({ type: "resync" }));
    return effects;
  }

  #onSnapshotHead(head: Extract<ServerMessage, { type: "snapshot" }>): SessionEffect[] {
    if (this.#phase.at !== "live" || head.data !== undefined) return this.#distrust();
    this.#snapshot = {
      at: { socket: this.#socket, stream: this.#stream, seq: head.seq, n: head.n },
      cols: head.cols,
      rows: head.rows,
      bytes: head.bytes,
      parts: [],
      missing: head.bytes,
    };
    return head.bytes === 0 ? this.#finishSnapshot(this.#snapshot) : [];
  }

  #onSnapshotPart(n: number, bytes: Uint8Array): SessionEffect[] {
    const snapshot = this.#snapshot;
    if (snapshot === undefined || snapshot.at.n !== n) return this.#distrust();
    if (bytes.length > snapshot.missing) return this.#distrust();
    snapshot.parts.push(bytes);
    snapshot.missing -= bytes.length;
    return snapshot.missing === 0 ? this.#finishSnapshot(snapshot) : [];
  }

  #finishSnapshot(snapshot: Snapshot): SessionEffect[] {
    this.#snapshot = undefined;
    this.#received = snapshot.at.seq;
    this.#isAdrift = false;
    this.#blank = false;
    const { cols, rows, at } = snapshot;
    return [write({ job: "screen", cols, rows, bytes: concat(snapshot.parts), at })];
  }

  /** The core contradicts itself: start from a whole screen. */
  #distrust(): SessionEffect[] {
    this.#blank = true;
    this.#snapshot = undefined;
    return [{ do: "hang_up" }];
  }

  #resume(): Resume | undefined {
    if (this.#blank || this.#isAdrift || this.#session === undefined) return undefined;
    return { after: this.#received, session: this.#session };
  }

  #end(why: Extract<Phase, { at: "ended" }>["why"]): SessionEffect[] {
    this.#phase = { at: "ended", why };
    return [];
  }

  #heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#pongWithinMs = undefined;
  }

  #ping(nowMs: number, withinMs: number): SessionEffect[] {
    this.#pingedMs = nowMs;
    this.#pongWithinMs = withinMs;
    return [send({ type: "ping", t: nowMs })];
  }
}

const CLOSE_POLICY = 1008;
const CLOSE_SUPERSEDED = 4001;
const CLOSE_SIGNED_OUT = 4003;
const CLOSE_SESSION_LOST = 4010;

function write(job: Job): SessionEffect {
  return { do: "write", job };
}

function send(message: ClientMessage): SessionEffect {
  return { do: "send", message };
}
