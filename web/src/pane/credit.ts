/**
 * When to tell the core how much of a pane's output has been parsed.
 *
 * An ack is a cumulative offset, so a lost or skipped one heals at the next. The core opens the
 * window by it: too seldom stalls the stream, too often costs a message for every frame. Streams
 * and snapshots are numbered per socket, so what an earlier socket sent is not acknowledged to the
 * next: that one begins behind it.
 */

import { HIDDEN_WINDOW_BYTES } from "../wire/gen/limits.ts";

/** An ack once this much was parsed: the smallest window there is. */
export const ACK_EVERY_BYTES = HIDDEN_WINDOW_BYTES;

export interface Ack {
  /** Counts the sockets of this pane. */
  readonly socket: number;
  readonly stream: number;
  readonly seq: number;
  /** The snapshot that was applied, if it was one. */
  readonly n?: number;
}

export class AckPacer {
  #socket = 0;
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
    if (parsed.socket !== this.#socket) return undefined;
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

  /** A new socket: what it sends begins at `seq`. */
  onAttached(socket: number, stream: number, seq: number): void {
    this.#socket = socket;
    this.#stream = stream;
    this.#acked = seq;
  }
}
