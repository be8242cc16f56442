/**
 * What a pane's terminal is given next, one thing at a time.
 *
 * Everything that must keep its place in the output goes through here: bytes, sizes, whole screens.
 * The terminal parses asynchronously, so the next step waits until the last has called back; a
 * screen is sized and drawn only after all earlier output has been parsed. A pane nobody sees is
 * held: it queues, and its bound is kept by `rooms/hidden.ts`.
 */

import { TERMINAL_WRITE_MAX_BYTES } from "../wire/gen/limits.ts";
import type { Ack } from "./credit.ts";
import { concat, cutAt } from "./utf8.ts";

/**
 * Queued output is joined up to this much. A write costs a timer that browsers clamp to 4 ms, so
 * frames of 8 KiB one by one would end at 2 MB/s.
 */
export const JOIN_MAX_BYTES = 128 * 1024;

export type Job =
  | { readonly job: "output"; readonly bytes: Uint8Array; readonly at: Ack }
  | {
      readonly job: "screen";
      readonly cols: number;
      readonly rows: number;
      readonly bytes: Uint8Array;
      readonly at: Ack;
    }
  | { readonly job: "size"; readonly cols: number; readonly rows: number }
  | { readonly job: "fresh" };

export type Step =
  | { readonly step: "write"; readonly bytes: Uint8Array }
  | { readonly step: "size"; readonly cols: number; readonly rows: number }
  | { readonly step: "reset" };

export class PaneWriter {
  #queue: Job[] = [];
  /** Bytes of output and screens in the queue. */
  #queuedBytes = 0;
  /** What is left of the screen or output that is being written. */
  #rest: { bytes: Uint8Array; at: Ack } | undefined;
  #inFlight = false;
  #held = false;

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Nothing waits, and nothing is being parsed. */
  get idle(): boolean {
    return !this.#inFlight && this.#rest === undefined && this.#queue.length === 0;
  }

  push(job: Job): void {
    if (job.job === "screen" || job.job === "fresh") {
      // It starts from a reset: whatever waits before it would be drawn for nothing.
      this.drop();
    }
    this.#queue.push(job);
    if ("bytes" in job) this.#queuedBytes += job.bytes.length;
  }

  /** While held, `next` gives nothing. */
  hold(held: boolean): void {
    this.#held = held;
  }

  /** Forgets what waits and tells how many bytes it was. What is being written is finished. */
  drop(): number {
    const dropped = this.#queuedBytes;
    this.#queue = [];
    this.#queuedBytes = 0;
    return dropped;
  }

  /** The next thing to do; after a write, nothing until `onWritten`. */
  next(): Step | undefined {
    if (this.#inFlight) return undefined;
    if (this.#rest !== undefined) return this.#write(this.#rest);
    if (this.#held) return undefined;
    const job = this.#queue.shift();
    if (job === undefined) return undefined;
    switch (job.job) {
      case "fresh":
        return { step: "reset" };
      case "size":
        return { step: "size", cols: job.cols, rows: job.rows };
      case "screen":
        this.#queuedBytes -= job.bytes.length;
        this.#queue.unshift(
          { job: "size", cols: job.cols, rows: job.rows },
          { job: "output", bytes: job.bytes, at: job.at },
        );
        this.#queuedBytes += job.bytes.length;
        return { step: "reset" };
      case "output":
        return this.#write(this.#join(job));
    }
  }

  /** The write has been parsed; tells up to where, once a whole job is. */
  onWritten(): Ack | undefined {
    this.#inFlight = false;
    const rest = this.#rest;
    if (rest === undefined || rest.bytes.length > 0) return undefined;
    this.#rest = undefined;
    return rest.at;
  }

  #write(job: { bytes: Uint8Array; at: Ack }): Step {
    const cut = cutAt(job.bytes, TERMINAL_WRITE_MAX_BYTES);
    this.#rest = { bytes: job.bytes.subarray(cut), at: job.at };
    this.#inFlight = true;
    return { step: "write", bytes: job.bytes.subarray(0, cut) };
  }

  #join(first: { bytes: Uint8Array; at: Ack }): { bytes: Uint8Array; at: Ack } {
    const parts = [first.bytes];
    let length = first.bytes.length;
    let at = first.at;
    for (;;) {
      const next = this.#queue[0];
      if (next?.job !== "output" || at.n !== undefined || next.at.stream !== at.stream) break;
      if (next.at.socket !== at.socket) break;
      if (length + next.bytes.length > JOIN_MAX_BYTES) break;
      this.#queue.shift();
      parts.push(next.bytes);
      length += next.bytes.length;
      at = next.at;
    }
    this.#queuedBytes -= length;
    return { bytes: concat(parts), at };
  }
}
