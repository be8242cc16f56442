/** How a pane is doing, in one word, and which of them a person should see first. */

import type { Exit, Session } from "../wire/gen/types.ts";

export type PaneState =
  | "needs_you"
  | "failed"
  | "working"
  | "done"
  | "idle"
  | "starting"
  | "exited"
  | "disconnected"
  | "empty";

const ORDER: readonly PaneState[] = [
  "needs_you",
  "failed",
  "working",
  "done",
  "starting",
  "idle",
  "disconnected",
  "exited",
  "empty",
];

/** What is known of a pane beside its session. */
export interface PaneFacts {
  readonly session?: Session | undefined;
  /** This page's socket is down while the session may well live. */
  readonly lost: boolean;
  /** Output came within the last seconds. */
  readonly busy: boolean;
  /** Output came since somebody last looked. */
  readonly unread: boolean;
  /** The program asked for attention. */
  readonly calls: boolean;
}

export function stateOf(facts: PaneFacts): PaneState {
  const { session } = facts;
  if (session === undefined) return "empty";
  if (session.state === "exited") return isFailure(session.exit) ? "failed" : "exited";
  if (session.state === "lost") return "failed";
  if (facts.lost) return "disconnected";
  if (session.state === "starting") return "starting";
  if (facts.calls) return "needs_you";
  if (facts.busy) return "working";
  return facts.unread ? "done" : "idle";
}

/** Orders by urgency; equals keep the order they have. */
export function byUrgency(one: PaneState, other: PaneState): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

/** `0`, `137`, `SIGKILL`: how the program ended. */
export function exitLabel(exit: Exit | undefined): string {
  if (exit === undefined) return "lost";
  return "code" in exit ? String(exit.code) : (SIGNALS[exit.signal] ?? `signal ${exit.signal}`);
}

function isFailure(exit: Exit | undefined): boolean {
  return exit === undefined || !("code" in exit) || exit.code !== 0;
}

/** Linux, x86-64 and arm64. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};
