/**
 * Who types into a pane, seen from this page, and what happens to what was typed.
 *
 * The host decides; this keeps the page honest about it. A key waits until `control` has named this
 * viewer's grant, goes out once under that grant and a number, and is kept until the host says it
 * was written. Whatever is not written comes back as an offer: nothing typed vanishes, and nothing
 * typed long ago into a dead connection runs by itself.
 */

import type { InputFrame } from "../wire/frame.ts";
import {
  LEASE_HEARTBEAT_MS,
  UNACKED_INPUT_MAX_AGE_MS,
  VIEWER_RETURN_MS,
} from "../wire/gen/limits.ts";
import type { ControlAction, ErrorCode, Holder, Paste } from "../wire/gen/types.ts";

/** How much of a long paste may be under way: more would only wait in the host. */
export const AHEAD_MAX_BYTES = 256 * 1024;
/** A longer paste goes in parts of this size. */
export const PASTE_PART_BYTES = 64 * 1024;
/** What may wait here in all; past it, input is refused with `full`. */
export const WAITING_MAX_BYTES = 8 * 1024 * 1024;

export type Blocked = "held" | "read_only" | "disconnected" | "full" | "ended";
export type OfferReason = "refused" | "taken" | "too_old" | "disconnected";

export type LeaseEffect =
  | { readonly do: "control"; readonly action: ControlAction }
  | { readonly do: "input"; readonly input: InputFrame }
  | { readonly do: "interrupt" }
  | { readonly do: "blocked"; readonly why: Blocked }
  | {
      readonly do: "offer";
      readonly why: OfferReason;
      readonly code?: ErrorCode | undefined;
      readonly bytes: readonly Uint8Array[];
    };

/** What the lease depends on beside messages. */
export interface Circumstances {
  /** The pane can be seen and the page has focus. */
  readonly attended: boolean;
  /** The pane can be seen. */
  readonly visible: boolean;
  /** A free session is taken only by a key or the button: touch devices, agents' sessions. */
  readonly shy: boolean;
}

interface Grant {
  readonly holder?: Holder | undefined;
  readonly epoch: number;
  readonly you: boolean;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly paste: Paste | undefined;
  readonly atMs: number;
}

export class Lease {
  #link: { up: true } | { up: false; sinceMs: number } = {
    up: false,
    sinceMs: Number.NEGATIVE_INFINITY,
  };
  #grant: Grant = { epoch: 0, you: false };
  #readOnly = false;
  #ended = false;
  #circumstances: Circumstances = { attended: false, visible: false, shy: false };
  /** The claim on its way, so that one is sent and not one for every key. */
  #claim: "acquire" | "take" | undefined;
  /** The person let it go: it is not taken again by itself. */
  #released = false;
  /** Typed but not sent, in order. */
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Sent but not known to be written, in order of id. */
  #unacked: (InputFrame & { atMs: number })[] = [];
  #run = 0;
  #nextId = 1;
  #renewedMs = Number.NEGATIVE_INFINITY;
  readonly #isSameCaller: (holder: Holder) => boolean;

  /** `isSameCaller` tells another tab of the same person from somebody else. */
  constructor(isSameCaller: (holder: Holder) => boolean) {
    this.#isSameCaller = isSameCaller;
  }

  get you(): boolean {
    return this.#grant.you;
  }

  get holder(): Holder | undefined {
    return this.#grant.holder;
  }

  /** Bytes that were typed or pasted and are not known to be written. */
  get pendingBytes(): number {
    return this.#waitingBytes + this.#unackedBytes();
  }

  /** A socket is attached; `grant` is as `ready` said. */
  onReady(grant: Grant, readOnly: boolean, nowMs: number): LeaseEffect[] {
    const kept = grant.you && grant.epoch === this.#grant.epoch;
    this.#link = { up: true };
    this.#grant = grant;
    this.#readOnly = readOnly;
    this.#claim = undefined;
    this.#ended = false;
    const oldestMs = this.#unacked[0]?.atMs ?? this.#waiting[0]?.atMs ?? nowMs;
    if (nowMs - oldestMs > UNACKED_INPUT_MAX_AGE_MS)
      return [...this.#offerAll("too_old"), ...this.#seek()];
    if (!kept) return [...this.#offerAll("disconnected"), ...this.#seek()];
    const again = this.#unacked.map((input): LeaseEffect => ({ do: "input", input }));
    return [...again, ...this.#flush(nowMs)];
  }

  /** The socket went. What is unacknowledged waits for the next one. */
  onLost(nowMs: number): void {
    if (this.#link.up) this.#link = { up: false, sinceMs: nowMs };
    this.#claim = undefined;
  }

  /** The session ended: there is nothing to type into. */
  onEnded(): LeaseEffect[] {
    this.#ended = true;
    // What was sent belongs to the session that ended; only what was not is still the person's.
    this.#unacked = [];
    return this.#offerWaiting("refused");
  }

  /** Another session runs in the pane; a replacement hands the grant over in `control`. */
  onReplaced(): void {
    this.#ended = false;
  }

  onControl(grant: Grant, nowMs: number): LeaseEffect[] {
    const had = this.#grant.you;
    this.#grant = grant;
    if (grant.you) {
      this.#claim = undefined;
      if (!had) this.#renewedMs = nowMs;
      return this.#flush(nowMs);
    }
    if (had || (this.#claim === "acquire" && grant.holder !== undefined)) {
      this.#claim = undefined;
      return this.#offerWaiting("taken");
    }
    return this.#seek();
  }

  /** Every input up to `id` was written whole. */
  onInputAck(id: number, nowMs: number): LeaseEffect[] {
    this.#unacked = this.#unacked.filter((input) => input.id > id);
    return this.#flush(nowMs);
  }

  onRefused(id: number | undefined, code: ErrorCode): LeaseEffect[] {
    if (id === undefined) {
      if (this.#claim === undefined) return [];
      this.#claim = undefined;
      return [{ do: "blocked", why: "held" }, ...this.#offerWaiting("refused", code)];
    }
    const refused = this.#unacked.find((input) => input.id === id);
    if (refused === undefined || refused.run !== this.#run) return [];
    this.#run += 1;
    const lost = this.#unacked.filter((input) => input.id >= id);
    this.#unacked = this.#unacked.filter((input) => input.id < id);
    const waiting = this.#takeWaiting();
    return [
      {
        do: "offer",
        why: "refused",
        code,
        bytes: [...lost.map((input) => input.bytes), ...waiting],
      },
    ];
  }

  /** Keys. */
  onKeys(bytes: Uint8Array, nowMs: number): LeaseEffect[] {
    return this.#enqueue([{ bytes, paste: undefined, atMs: nowMs }], nowMs);
  }

  /** A paste, already sanitised. */
  onPaste(bytes: Uint8Array, nowMs: number): LeaseEffect[] {
    if (bytes.length <= PASTE_PART_BYTES) {
      return this.#enqueue([{ bytes, paste: "one", atMs: nowMs }], nowMs);
    }
    const parts: Waiting[] = [];
    for (let at = 0; at < bytes.length; at += PASTE_PART_BYTES) {
      const last = at + PASTE_PART_BYTES >= bytes.length;
      const paste = at === 0 ? "start" : last ? "end" : "more";
      parts.push({ bytes: bytes.subarray(at, at + PASTE_PART_BYTES), paste, atMs: nowMs });
    }
    return this.#enqueue(parts, nowMs);
  }

  /** Drops what waits and stops what runs. */
  interrupt(): LeaseEffect[] {
    if (!this.#link.up || !this.#grant.you) return [{ do: "blocked", why: this.#whyBlocked() }];
    return [...this.#offerWaiting("refused"), { do: "interrupt" }];
  }

  /** The buttons: take, release, request, give. */
  act(action: ControlAction): LeaseEffect[] {
    if (!this.#link.up) return [{ do: "blocked", why: "disconnected" }];
    if (action === "acquire" || action === "take") this.#claim = action;
    this.#released = action === "release";
    return [{ do: "control", action }];
  }

  onCircumstances(circumstances: Circumstances): LeaseEffect[] {
    this.#circumstances = circumstances;
    return this.#seek();
  }

  /** When `onTick` has something to do. */
  deadline(): number | undefined {
    const renews = this.#link.up && this.#grant.you && this.#circumstances.visible && !this.#ended;
    return renews ? this.#renewedMs + LEASE_HEARTBEAT_MS : undefined;
  }

  onTick(nowMs: number): LeaseEffect[] {
    const due = this.deadline();
    if (due === undefined || nowMs < due) return [];
    this.#renewedMs = nowMs;
    return [{ do: "control", action: "renew" }];
  }

  #enqueue(items: Waiting[], nowMs: number): LeaseEffect[] {
    const length = items.reduce((sum, item) => sum + item.bytes.length, 0);
    if (this.#ended) return [{ do: "blocked", why: "ended" }];
    if (this.#readOnly) return [{ do: "blocked", why: "read_only" }];
    if (this.#waitingBytes + length > WAITING_MAX_BYTES) return [{ do: "blocked", why: "full" }];
    if (!this.#link.up) {
      const mayReturn = this.#grant.you && nowMs - this.#link.sinceMs <= VIEWER_RETURN_MS;
      if (!mayReturn) return [{ do: "blocked", why: "disconnected" }];
    } else if (!this.#grant.you && !this.#mayClaim()) {
      return [{ do: "blocked", why: "held" }];
    }
    this.#waiting.push(...items);
    this.#waitingBytes += length;
    if (this.#link.up && !this.#grant.you) return this.#claimFor();
    return this.#flush(nowMs);
  }

  #mayClaim(): boolean {
    const { holder } = this.#grant;
    return holder === undefined || this.#isSameCaller(holder);
  }

  #claimFor(): LeaseEffect[] {
    const action = this.#grant.holder === undefined ? "acquire" : "take";
    if (this.#claim === action) return [];
    this.#claim = action;
    this.#released = false;
    return [{ do: "control", action }];
  }

  /** Takes a free session that somebody is looking at. */
  #seek(): LeaseEffect[] {
    const { attended, visible, shy } = this.#circumstances;
    const isFree = this.#grant.holder === undefined && !this.#grant.you;
    if (!this.#link.up || this.#ended || this.#readOnly || this.#claim !== undefined) return [];
    if (!isFree || this.#released || !attended || !visible || shy) return [];
    return this.#claimFor();
  }

  #flush(nowMs: number): LeaseEffect[] {
    const effects: LeaseEffect[] = [];
    if (!this.#link.up || !this.#grant.you) return effects;
    let ahead = this.#unackedBytes();
    while (this.#waiting.length > 0 && ahead < AHEAD_MAX_BYTES) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#waitingBytes -= next.bytes.length;
      ahead += next.bytes.length;
      const input = {
        paste: next.paste,
        epoch: this.#grant.epoch,
        run: this.#run,
        id: this.#nextId,
        bytes: next.bytes,
        atMs: nowMs,
      };
      this.#nextId += 1;
      this.#unacked.push(input);
      this.#renewedMs = nowMs;
      effects.push({ do: "input", input });
    }
    return effects;
  }

  #unackedBytes(): number {
    return this.#unacked.reduce((sum, input) => sum + input.bytes.length, 0);
  }

  #takeWaiting(): Uint8Array[] {
    const waiting = this.#waiting.map((item) => item.bytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return waiting;
  }

  #offerWaiting(why: OfferReason, code?: ErrorCode): LeaseEffect[] {
    const bytes = this.#takeWaiting();
    return bytes.length === 0 ? [] : [{ do: "offer", why, code, bytes }];
  }

  #offerAll(why: OfferReason): LeaseEffect[] {
    const bytes = [...this.#unacked.map((input) => input.bytes), ...this.#takeWaiting()];
    if (this.#unacked.length > 0) this.#run += 1;
    this.#unacked = [];
    return bytes.length === 0 ? [] : [{ do: "offer", why, bytes }];
  }

  #whyBlocked(): Blocked {
    if (!this.#link.up) return "disconnected";
    return this.#readOnly ? "read_only" : "held";
  }
}
