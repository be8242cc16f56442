/** The state of a pane as the page shows it, from what the core says and what this page sees. */

import { type PaneState, stateOf } from "../rooms/attention.ts";
import type { Session } from "../wire/gen/types.ts";
import type { PageState } from "./state.ts";

export function paneState(state: PageState, pane: string): PaneState {
  const view = state.views[pane];
  return stateOf({
    session: sessionOf(state, pane),
    lost: view?.shown === true && view.phase.at !== "live",
    busy: state.busy[pane] === true,
    unread: state.unread[pane] === true,
    calls: view?.notice !== undefined && state.unread[pane] === true,
  });
}

/** The session with the state that came over its own socket, which is the newer one. */
export function sessionOf(state: PageState, pane: string): Session | undefined {
  const session = state.panes[pane]?.session;
  const view = state.views[pane];
  if (session === undefined || view === undefined || view.phase.at !== "live") return session;
  if (view.state === "starting") return session;
  const { exit } = view;
  const { exit: _old, ...rest } = session;
  return { ...rest, state: view.state, ...(exit === undefined ? {} : { exit }) };
}

export const STATE_WORDS: Readonly<Record<PaneState, string>> = {
  needs_you: "needs you",
  failed: "failed",
  working: "working",
  done: "done, unread",
  idle: "idle",
  starting: "starting",
  exited: "exited",
  disconnected: "disconnected",
  empty: "empty",
};
