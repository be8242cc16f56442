// Generated from server/wire by `cargo dev gen`. Not edited by hand.

import type * as types from "./types.ts";

type Guard = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Guard>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/* @__NO_SIDE_EFFECTS__ */
const lazy =
  (guard: () => Guard): Guard =>
  (value) =>
    guard()(value);
const text: Guard = (value) => typeof value === "string";
const flag: Guard = (value) => typeof value === "boolean";
const real: Guard = (value) => typeof value === "number" && Number.isFinite(value);
const whole: Guard = (value) => Number.isSafeInteger(value);
const count: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/* @__NO_SIDE_EFFECTS__ */
const word =
  (...words: readonly string[]): Guard =>
  (value) =>
    typeof value === "string" && words.includes(value);
/* @__NO_SIDE_EFFECTS__ */
const list =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(guard);
/* @__NO_SIDE_EFFECTS__ */
const fields =
  (required: Fields, optional: Fields): Guard =>
  (value) =>
    isObject(value) &&
    Object.entries(required).every(([name, guard]) => guard(value[name])) &&
    Object.entries(optional).every(
      ([name, guard]) => value[name] === undefined || guard(value[name]),
    );
/* @__NO_SIDE_EFFECTS__ */
const any =
  (...guards: readonly Guard[]): Guard =>
  (value) =>
    guards.some((guard) => guard(value));
/* @__NO_SIDE_EFFECTS__ */
const all =
  (...guards: readonly Guard[]): Guard =>
  (value) =>
    guards.every((guard) => guard(value));

const roomIdGuard: Guard = text;
const paneIdGuard: Guard = text;
const sessionIdGuard: Guard = text;
const hostIdGuard: Guard = text;
const viewerIdGuard: Guard = text;
const callerIdGuard: Guard = text;
const folderIdGuard: Guard = text;
const seqGuard: Guard = count;
const spanGuard: Guard = fields({ from: lazy(() => seqGuard), to: lazy(() => seqGuard) }, {});
const errorCodeGuard: Guard = word("bad_message", "too_large", "unauthorized", "forbidden", "bad_origin", "bad_host", "bad_ticket", "not_found", "stale", "full", "conflict", "cwd_missing", "cwd_outside", "command_missing", "spawn_failed", "exhausted", "exited", "lost", "held_by", "lease_stale", "after_refused", "dropped", "busy", "read_only", "rate_limited", "host_down", "wrong_store", "bad_secret", "unsupported", "store_down", "timeout", "gap", "internal");
const errorBodyGuard: Guard = fields({ code: lazy(() => errorCodeGuard), message: text }, { details: text });
const errorReplyGuard: Guard = fields({ error: lazy(() => errorBodyGuard) }, {});
const clientMessageGuard: Guard = any(fields({ data: text, type: word("input") }, { epoch: count, id: count, paste: lazy(() => pasteGuard), run: count }), fields({ cols: count, rows: count, type: word("resize") }, { cellHeight: count, cellWidth: count }), fields({ type: word("interrupt") }, {}), fields({ t: real, type: word("ping") }, {}), fields({ action: lazy(() => controlActionGuard), type: word("control") }, {}), fields({ seq: lazy(() => seqGuard), stream: count, type: word("ack") }, { n: count }), fields({ type: word("visibility"), visible: flag }, {}), fields({ bg: text, cursor: text, fg: text, palette: list(text), type: word("theme") }, {}), fields({ type: word("resync") }, {}));
const pasteGuard: Guard = word("one", "start", "more", "end");
const controlActionGuard: Guard = word("acquire", "renew", "release", "take", "request", "give");
const serverMessageGuard: Guard = any(fields({ cols: count, epoch: count, limits: lazy(() => readyLimitsGuard), readOnly: flag, rows: count, seq: lazy(() => seqGuard), session: lazy(() => sessionIdGuard), stream: count, type: word("ready"), you: flag }, { holder: lazy(() => holderGuard) }), fields({ bytes: count, cols: count, n: count, reason: lazy(() => snapshotReasonGuard), rows: count, scope: lazy(() => scopeGuard), seq: lazy(() => seqGuard), type: word("snapshot") }, { data: text, last: flag, part: count }), fields({ data: text, seq: lazy(() => seqGuard), type: word("output") }, {}), fields({ recording: lazy(() => recordingGuard), state: lazy(() => sessionStateGuard), type: word("status") }, { exit: lazy(() => exitGuard) }), fields({ epoch: count, type: word("control"), untilMs: count, you: flag }, { holder: lazy(() => holderGuard), requestedBy: text }), fields({ type: word("viewers"), viewers: list(lazy(() => viewerInfoGuard)) }, {}), fields({ by: text, cols: count, rows: count, seq: lazy(() => seqGuard), type: word("resized") }, {}), fields({ behindBytes: count, skippedBytes: count, type: word("lag") }, {}), fields({ from: lazy(() => seqGuard), to: lazy(() => seqGuard), type: word("gap"), why: text }, {}), fields({ id: count, type: word("input_ack") }, {}), fields({ code: lazy(() => errorCodeGuard), type: word("refused") }, { holder: text, id: count }), all(lazy(() => modesGuard), fields({ type: word("modes") }, {})), fields({ text: text, type: word("notify") }, {}), fields({ code: lazy(() => errorCodeGuard), fatal: flag, message: text, type: word("error") }, {}), fields({ t: real, type: word("pong") }, {}), fields({ session: lazy(() => sessionIdGuard), stream: count, type: word("session_replaced") }, {}));
const scopeGuard: Guard = word("screen", "full", "replay");
const snapshotReasonGuard: Guard = word("attach", "lag", "resize", "resync", "stored");
const readyLimitsGuard: Guard = fields({ cols: count, inputUnits: count, rows: count }, {});
const holderGuard: Guard = fields({ kind: lazy(() => callerKindGuard), name: text, viewer: lazy(() => viewerIdGuard) }, {});
const callerKindGuard: Guard = word("person", "agent", "guest");
const viewerInfoGuard: Guard = fields({ kind: lazy(() => callerKindGuard), name: text, readOnly: flag, viewer: lazy(() => viewerIdGuard), visible: flag, you: flag }, {});
const sessionStateGuard: Guard = word("starting", "running", "exited", "lost");
const exitGuard: Guard = any(fields({ code: whole }, {}), fields({ signal: whole }, {}));
const recordingGuard: Guard = word("on", "off", "behind", "gap");
const modesGuard: Guard = fields({ altScreen: flag, appCursor: flag, kitty: count, mouse: flag, paste: flag }, {});
const eventEnvelopeGuard: Guard = fields({ event: lazy(() => eventGuard), id: text }, {});
const eventGuard: Guard = any(fields({ type: word("reset") }, {}), fields({ room: lazy(() => roomGuard), type: word("room") }, {}), fields({ id: lazy(() => roomIdGuard), type: word("room_gone") }, {}), fields({ pane: lazy(() => paneGuard), type: word("pane") }, {}), fields({ id: lazy(() => paneIdGuard), room: lazy(() => roomIdGuard), type: word("pane_gone") }, {}), fields({ type: word("host"), up: flag }, {}), fields({ type: word("signed_out") }, {}));
const signinRequestGuard: Guard = fields({ token: text }, {});
const meGuard: Guard = fields({ build: text, caller: lazy(() => callerIdGuard), hostUp: flag, name: text, storeUp: flag }, {});
const roomGuard: Guard = fields({ folder: text, id: lazy(() => roomIdGuard), name: text, slot: whole, version: whole }, { layout: lazy(() => layoutNodeGuard) });
const layoutNodeGuard: Guard = any(fields({ node: word("pane"), pane: lazy(() => paneIdGuard) }, {}), fields({ children: list(lazy(() => layoutNodeGuard)), direction: lazy(() => splitDirectionGuard), node: word("split"), shares: list(real) }, {}));
const splitDirectionGuard: Guard = word("row", "column");
const newRoomGuard: Guard = fields({ name: text }, { folder: text });
const patchRoomGuard: Guard = fields({}, { folder: text, layout: lazy(() => layoutNodeGuard), name: text, slot: whole, version: whole });
const paneGuard: Guard = fields({ args: list(text), cwd: text, id: lazy(() => paneIdGuard), name: text, profile: text, room: lazy(() => roomIdGuard), slot: whole }, { command: text, session: lazy(() => sessionGuard) });
const sessionGuard: Guard = fields({ cols: count, durable: lazy(() => seqGuard), host: lazy(() => hostIdGuard), id: lazy(() => sessionIdGuard), pane: lazy(() => paneIdGuard), recording: lazy(() => recordingGuard), rows: count, startedAtMs: whole, state: lazy(() => sessionStateGuard) }, { exit: lazy(() => exitGuard), title: text });
const newPaneGuard: Guard = fields({}, { args: list(text), cols: count, command: text, cwd: text, name: text, profile: text, rows: count });
const patchPaneGuard: Guard = fields({}, { name: text, room: lazy(() => roomIdGuard) });
const startPaneGuard: Guard = fields({}, { cols: count, resume: flag, rows: count });
const ticketRequestGuard: Guard = fields({}, { mode: lazy(() => ticketModeGuard), viewer: lazy(() => viewerIdGuard) });
const ticketModeGuard: Guard = word("control", "watch");
const ticketReplyGuard: Guard = fields({ expiresInMs: count, ticket: text }, {});
const ticketsRequestGuard: Guard = fields({}, { events: flag, mode: lazy(() => ticketModeGuard), panes: list(lazy(() => paneIdGuard)), viewer: lazy(() => viewerIdGuard) });
const ticketsReplyGuard: Guard = fields({ expiresInMs: count, panes: list(lazy(() => paneTicketGuard)) }, { events: text });
const paneTicketGuard: Guard = fields({ pane: lazy(() => paneIdGuard), ticket: text }, {});
const profileGuard: Guard = fields({ found: flag, name: text, resumes: flag, shell: flag, title: text }, { install: text, path: text, signedIn: flag, version: text });
const folderGuard: Guard = fields({ id: lazy(() => folderIdGuard), path: text }, {});
const newFolderGuard: Guard = fields({ path: text }, {});
const roomListGuard: Guard = fields({ items: list(lazy(() => roomGuard)) }, {});
const roomDetailGuard: Guard = fields({ panes: list(lazy(() => paneGuard)), room: lazy(() => roomGuard) }, {});
const profileListGuard: Guard = fields({ items: list(lazy(() => profileGuard)) }, {});
const folderListGuard: Guard = fields({ items: list(lazy(() => folderGuard)) }, {});
const transcriptReplyGuard: Guard = fields({ durable: lazy(() => seqGuard), from: lazy(() => seqGuard), items: list(lazy(() => transcriptItemGuard)), session: lazy(() => sessionIdGuard) }, { next: lazy(() => seqGuard) });
const transcriptItemGuard: Guard = any(fields({ atMs: whole, data: text, from: lazy(() => seqGuard), kind: word("row"), to: lazy(() => seqGuard) }, {}), fields({ from: lazy(() => seqGuard), kind: word("gap"), why: text }, { to: lazy(() => seqGuard) }));

export const isRoomId = (value: unknown): value is types.RoomId => roomIdGuard(value);

export const isPaneId = (value: unknown): value is types.PaneId => paneIdGuard(value);

export const isSessionId = (value: unknown): value is types.SessionId => sessionIdGuard(value);

export const isHostId = (value: unknown): value is types.HostId => hostIdGuard(value);

export const isViewerId = (value: unknown): value is types.ViewerId => viewerIdGuard(value);

export const isCallerId = (value: unknown): value is types.CallerId => callerIdGuard(value);

export const isFolderId = (value: unknown): value is types.FolderId => folderIdGuard(value);

export const isSeq = (value: unknown): value is types.Seq => seqGuard(value);

export const isSpan = (value: unknown): value is types.Span => spanGuard(value);

export const isErrorCode = (value: unknown): value is types.ErrorCode => errorCodeGuard(value);

export const isErrorBody = (value: unknown): value is types.ErrorBody => errorBodyGuard(value);

export const isErrorReply = (value: unknown): value is types.ErrorReply => errorReplyGuard(value);

export const isClientMessage = (value: unknown): value is types.ClientMessage => clientMessageGuard(value);

export const isPaste = (value: unknown): value is types.Paste => pasteGuard(value);

export const isControlAction = (value: unknown): value is types.ControlAction => controlActionGuard(value);

export const isServerMessage = (value: unknown): value is types.ServerMessage => serverMessageGuard(value);

export const isScope = (value: unknown): value is types.Scope => scopeGuard(value);

export const isSnapshotReason = (value: unknown): value is types.SnapshotReason => snapshotReasonGuard(value);

export const isReadyLimits = (value: unknown): value is types.ReadyLimits => readyLimitsGuard(value);

export const isHolder = (value: unknown): value is types.Holder => holderGuard(value);

export const isCallerKind = (value: unknown): value is types.CallerKind => callerKindGuard(value);

export const isViewerInfo = (value: unknown): value is types.ViewerInfo => viewerInfoGuard(value);

export const isSessionState = (value: unknown): value is types.SessionState => sessionStateGuard(value);

export const isExit = (value: unknown): value is types.Exit => exitGuard(value);

export const isRecording = (value: unknown): value is types.Recording => recordingGuard(value);

export const isModes = (value: unknown): value is types.Modes => modesGuard(value);

export const isEventEnvelope = (value: unknown): value is types.EventEnvelope => eventEnvelopeGuard(value);

export const isEvent = (value: unknown): value is types.Event => eventGuard(value);

export const isSigninRequest = (value: unknown): value is types.SigninRequest => signinRequestGuard(value);

export const isMe = (value: unknown): value is types.Me => meGuard(value);

export const isRoom = (value: unknown): value is types.Room => roomGuard(value);

export const isLayoutNode = (value: unknown): value is types.LayoutNode => layoutNodeGuard(value);

export const isSplitDirection = (value: unknown): value is types.SplitDirection => splitDirectionGuard(value);

export const isNewRoom = (value: unknown): value is types.NewRoom => newRoomGuard(value);

export const isPatchRoom = (value: unknown): value is types.PatchRoom => patchRoomGuard(value);

export const isPane = (value: unknown): value is types.Pane => paneGuard(value);

export const isSession = (value: unknown): value is types.Session => sessionGuard(value);

export const isNewPane = (value: unknown): value is types.NewPane => newPaneGuard(value);

export const isPatchPane = (value: unknown): value is types.PatchPane => patchPaneGuard(value);

export const isStartPane = (value: unknown): value is types.StartPane => startPaneGuard(value);

export const isTicketRequest = (value: unknown): value is types.TicketRequest => ticketRequestGuard(value);

export const isTicketMode = (value: unknown): value is types.TicketMode => ticketModeGuard(value);

export const isTicketReply = (value: unknown): value is types.TicketReply => ticketReplyGuard(value);

export const isTicketsRequest = (value: unknown): value is types.TicketsRequest => ticketsRequestGuard(value);

export const isTicketsReply = (value: unknown): value is types.TicketsReply => ticketsReplyGuard(value);

export const isPaneTicket = (value: unknown): value is types.PaneTicket => paneTicketGuard(value);

export const isProfile = (value: unknown): value is types.Profile => profileGuard(value);

export const isFolder = (value: unknown): value is types.Folder => folderGuard(value);

export const isNewFolder = (value: unknown): value is types.NewFolder => newFolderGuard(value);

export const isRoomList = (value: unknown): value is types.RoomList => roomListGuard(value);

export const isRoomDetail = (value: unknown): value is types.RoomDetail => roomDetailGuard(value);

export const isProfileList = (value: unknown): value is types.ProfileList => profileListGuard(value);

export const isFolderList = (value: unknown): value is types.FolderList => folderListGuard(value);

export const isTranscriptReply = (value: unknown): value is types.TranscriptReply => transcriptReplyGuard(value);

export const isTranscriptItem = (value: unknown): value is types.TranscriptItem => transcriptItemGuard(value);
