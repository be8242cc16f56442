/** What a pane's header, footer and row show of it. Replaced whole at every change. */

import type { Blocked, OfferReason } from "../pane/lease.ts";
import type { Phase } from "../pane/session.ts";
import type {
  Exit,
  Holder,
  Modes,
  Recording,
  ServerMessage,
  SessionState,
  ViewerInfo,
} from "../wire/gen/types.ts";

export interface PaneView {
  readonly phase: Phase;
  /** A screen has been shown: what is on it stays when the connection goes. */
  readonly shown: boolean;
  readonly cols: number;
  readonly rows: number;
  /** Who set the size, once somebody has. */
  readonly sizedBy?: string | undefined;
  readonly state: SessionState;
  readonly exit?: Exit | undefined;
  readonly recording: Recording;
  readonly holder?: Holder | undefined;
  readonly you: boolean;
  readonly readOnly: boolean;
  /** Who asks this holder for the lease. */
  readonly requestedBy?: string | undefined;
  readonly viewers: readonly ViewerInfo[];
  readonly modes: Modes;
  /** Bytes skipped since this viewer fell behind; nothing while it is live. */
  readonly lag?: { readonly behindBytes: number; readonly skippedBytes: number } | undefined;
  /** Bytes that nobody can send any more. */
  readonly gapBytes: number;
  /** The screen is a replay of the last stretch, or the record: not everything is as it was. */
  readonly partial?: "replay" | "stored" | undefined;
  readonly title: string;
  readonly notice?: string | undefined;
  /** Typed text that was not written, for the person to decide about. */
  readonly offer?: { readonly why: OfferReason; readonly text: string } | undefined;
  /** The last refusal to type, counted so that the same one shows again. */
  readonly blocked?: { readonly why: Blocked; readonly count: number } | undefined;
  /** A multi-line paste that waits for a yes. */
  readonly ask?: { readonly text: string } | undefined;
  readonly linesBelow: number;
}

const NO_MODES: Modes = {
  kitty: 0,
  paste: false,
  mouse: false,
  altScreen: false,
  appCursor: false,
};

export function initialView(cols: number, rows: number): PaneView {
  return {
    phase: { at: "lost" },
    shown: false,
    cols,
    rows,
    state: "starting",
    recording: "on",
    you: false,
    readOnly: false,
    viewers: [],
    modes: NO_MODES,
    gapBytes: 0,
    title: "",
    linesBelow: 0,
  };
}

/** The view after a message from the core, as far as that alone decides it. */
export function afterMessage(view: PaneView, message: ServerMessage): PaneView {
  switch (message.type) {
    case "ready":
      return {
        ...view,
        cols: message.cols,
        rows: message.rows,
        holder: message.holder,
        you: message.you,
        readOnly: message.readOnly,
        shown: true,
        lag: undefined,
      };
    case "snapshot":
      return {
        ...view,
        cols: message.cols,
        rows: message.rows,
        partial: partialFor(message),
      };
    case "resized":
      return { ...view, cols: message.cols, rows: message.rows, sizedBy: message.by };
    case "status":
      return { ...view, state: message.state, exit: message.exit, recording: message.recording };
    case "control":
      return {
        ...view,
        holder: message.holder,
        you: message.you,
        requestedBy: message.you ? message.requestedBy : undefined,
      };
    case "viewers":
      return { ...view, viewers: message.viewers };
    case "lag":
      return { ...view, lag: message };
    case "gap":
      return { ...view, gapBytes: view.gapBytes + Math.max(0, message.to - message.from) };
    case "modes":
      return { ...view, modes: message };
    case "notify":
      return { ...view, notice: message.text };
    case "error":
      return { ...view, notice: message.message };
    case "session_replaced":
      return {
        ...view,
        state: "running",
        exit: undefined,
        gapBytes: 0,
        partial: undefined,
        title: "",
        notice: undefined,
      };
    case "output":
    case "input_ack":
    case "refused":
    case "pong":
      return view;
  }
}

function partialFor(head: Extract<ServerMessage, { type: "snapshot" }>): PaneView["partial"] {
  if (head.reason === "stored") return "stored";
  return head.scope === "replay" && head.seq > head.bytes ? "replay" : undefined;
}
