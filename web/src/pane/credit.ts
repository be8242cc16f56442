/**
 * When to tell the core how much of a pane's output has been parsed.
 *
 * An ack is a cumulative offset, so a lost or skipped one heals at the next. The core opens the
 * window by it: too seldom stalls the stream, too often costs a message for every frame.
 */

import { HIDDEN_WINDOW_BYTES } from "../wire/gen/limits.ts";

/** An ack once this much was parsed: the smallest window there is. */
export const ACK_EVERY_BYTES = HIDDEN_WINDOW_BYTES;

export interface Ack {
  readonly stream: number;
  readonly seq: number;
  /** The snapshot that was applied, if it was one. */
  readonly n?: number;
}

export class AckPacer {
  /** The stream that the last ack named. */
  #stream = -1;
  /** The offset that the last ack named. */
  #acked = 0;

  /**
   * The terminal has parsed everything before `parsed.seq`.
   *
   * `idle` says that nothing waits behind it: then the core may be waiting too.
   */
  onParsed(parsed: Ack, idle: boolean): Ack | undefined {
    const isNews = parsed.stream !== this.#stream || parsed.seq > this.#acked;
    const isDue =
      parsed.n !== undefined ||
      (isNews &&
        (idle || parsed.stream !== this.#stream || parsed.seq - this.#acked >= ACK_EVERY_BYTES));
    if (!isDue) return undefined;
    this.#stream = parsed.stream;
    this.#acked = parsed.seq;
    return parsed;
  }

  /** A new socket knows of no earlier ack. */
  onAttached(stream: number, seq: number): void {
    this.#stream = stream;
    this.#acked = seq;
  }
}
