/**
 * When the page asks for tickets, and for which panes.
 *
 * One question a page, whatever the number of panes: it is the probe whether the core is back, and
 * its answer lets up to 16 of them in. What people look at goes first.
 */

import { TICKETS_PER_REQUEST } from "../wire/gen/limits.ts";
import { retryDelayMs } from "./backoff.ts";

export interface Probe {
  readonly panes: readonly string[];
  readonly events: boolean;
}

interface Want {
  /** Lower goes first: 0 focused, 1 visible, 2 hidden. */
  rank: number;
  /** Tries since it was last connected. */
  tries: number;
  /** Since when it has not been connected. */
  lostMs: number;
  notBeforeMs: number;
  /** Since when it is up, while it is. */
  upMs: number | undefined;
}

/** A socket that lived shorter than this counts as a failed try. */
const LIVED_MS = 2_000;

/** The event socket's name among the wanted. */
export const EVENTS = "events";

export class DialPlan {
  #wants = new Map<string, Want>();
  #probing = false;
  #lostMs: number | undefined;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  /** A socket is wanted; `random` spreads the tries of many pages. */
  want(id: string, rank: number, nowMs: number, random: number): void {
    const known = this.#wants.get(id);
    const lived = known?.upMs !== undefined && nowMs - known.upMs >= LIVED_MS;
    if (known === undefined || known.tries === 0 || lived) {
      this.#wants.set(id, { rank, tries: 0, lostMs: nowMs, notBeforeMs: nowMs, upMs: undefined });
      return;
    }
    known.rank = rank;
    known.upMs = undefined;
    known.notBeforeMs = nowMs + retryDelayMs(nowMs - known.lostMs, random);
  }

  /** The socket is up. */
  onUp(id: string, nowMs: number): void {
    const want = this.#wants.get(id);
    if (want === undefined) return;
    want.upMs = nowMs;
    want.notBeforeMs = Number.POSITIVE_INFINITY;
  }

  /** Not wanted any more. */
  forget(id: string): void {
    this.#wants.delete(id);
  }

  /** Ask at once: the network or the page came back. */
  hurry(nowMs: number): void {
    this.#notBeforeMs = nowMs;
    for (const want of this.#wants.values()) {
      if (want.notBeforeMs !== Number.POSITIVE_INFINITY) want.notBeforeMs = nowMs;
    }
  }

  /** What to ask for now; nothing while a question is open or nothing is due. */
  next(nowMs: number): Probe | undefined {
    if (this.#probing || nowMs < this.#notBeforeMs) return undefined;
    const due = [...this.#wants]
      .filter(([, want]) => want.notBeforeMs <= nowMs)
      .sort(([, one], [, other]) => one.rank - other.rank)
      .map(([id]) => id);
    if (due.length === 0) return undefined;
    const panes = due.filter((id) => id !== EVENTS).slice(0, TICKETS_PER_REQUEST);
    const events = due.includes(EVENTS);
    for (const id of events ? [...panes, EVENTS] : panes) {
      const want = this.#wants.get(id);
      if (want === undefined) continue;
      want.tries += 1;
      // Until it says that it is up or asks again, it is being dialled.
      want.notBeforeMs = Number.POSITIVE_INFINITY;
    }
    this.#probing = true;
    return { panes, events };
  }

  /** The core answered. */
  onAnswered(): void {
    this.#probing = false;
    this.#lostMs = undefined;
  }

  /** The core did not answer: everything asked for is due again after the wait. */
  onUnanswered(probe: Probe, nowMs: number, random: number): void {
    this.#probing = false;
    this.#lostMs ??= nowMs;
    this.#notBeforeMs = nowMs + retryDelayMs(nowMs - this.#lostMs, random);
    for (const id of probe.events ? [...probe.panes, EVENTS] : probe.panes) {
      const want = this.#wants.get(id);
      if (want !== undefined) want.notBeforeMs = this.#notBeforeMs;
    }
  }

  /** When `next` may have something. */
  deadline(): number | undefined {
    if (this.#probing) return undefined;
    let first = Number.POSITIVE_INFINITY;
    for (const want of this.#wants.values()) first = Math.min(first, want.notBeforeMs);
    return first === Number.POSITIVE_INFINITY ? undefined : Math.max(first, this.#notBeforeMs);
  }
}
