// Generated from server/wire by `cargo dev gen`. Not edited by hand.

/** A room: a set of panes that a person arranges. */
export type RoomId = string;

/** A place on the screen; has at most one session at a time. */
export type PaneId = string;

/** One program on one PTY. A restart is a new session. */
export type SessionId = string;

/** A pane host, for as long as its state directory lives. */
export type HostId = string;

/** One page load, or one other client: made by the viewer, never by the core. */
export type ViewerId = string;

/** Who is asking: a person, an agent's token or a guest. */
export type CallerId = string;

/** A folder in which panes may start. */
export type FolderId = string;

/** An offset in a session's output, in bytes from its start. Exact in JSON up to 2^53. */
export type Seq = number;

/** A stretch of output: `from..to`. Never reversed. */
export type Span = { 
/**
 * The first byte.
 */
from: Seq, 
/**
 * One past the last byte. Not before `from`.
 */
to: Seq, };

/** What went wrong, for a program to act on. */
export type ErrorCode = "bad_message" | "too_large" | "unauthorized" | "forbidden" | "bad_origin" | "bad_host" | "bad_ticket" | "not_found" | "stale" | "full" | "conflict" | "cwd_missing" | "cwd_outside" | "command_missing" | "spawn_failed" | "exhausted" | "exited" | "lost" | "held_by" | "lease_stale" | "after_refused" | "dropped" | "busy" | "read_only" | "rate_limited" | "host_down" | "wrong_store" | "bad_secret" | "unsupported" | "store_down" | "timeout" | "gap" | "internal";

/** An error on a wire. */
export type ErrorBody = { 
/**
 * For programs.
 */
code: ErrorCode, 
/**
 * For people: what happened and what to do. Holds no secret.
 */
message: string, 
/**
 * More for people or programs, such as the name of the holder.
 */
details?: string, };

/** The body of every failed HTTP answer. */
export type ErrorReply = { 
/**
 * What went wrong.
 */
error: ErrorBody, };

/** From a viewer to the core. */
export type ClientMessage = { "type": "input", 
/**
 * The text; at most [`crate::limits::INPUT_MAX_UNITS`] UTF-16 units.
 */
data: string, 
/**
 * Which part of a paste this is; none for keys.
 */
paste?: Paste, 
/**
 * The grant under which it is typed; 0 or none takes a free lease.
 */
epoch?: number, 
/**
 * How many refusals this viewer has seen.
 */
run?: number, 
/**
 * Counts up for the life of the viewer. Without one there is no ack and no resend.
 */
id?: number, } | { "type": "resize", 
/**
 * Columns, 2 to 400.
 */
cols: number, 
/**
 * Rows, 2 to 200.
 */
rows: number, 
/**
 * Width of a cell in CSS pixels, for programs that ask.
 */
cellWidth?: number, 
/**
 * Height of a cell in CSS pixels.
 */
cellHeight?: number, } | { "type": "interrupt", } | { "type": "ping", 
/**
 * Comes back as it was.
 */
t: number, } | { "type": "control", 
/**
 * What to do with it.
 */
action: ControlAction, } | { "type": "ack", 
/**
 * The stream it belongs to, from `ready` or `session_replaced`; others are ignored.
 */
stream: number, 
/**
 * The offset reached.
 */
seq: Seq, 
/**
 * The snapshot that was applied, if this acknowledges one.
 */
n?: number, } | { "type": "visibility", 
/**
 * False in another room, under a zoomed pane, in a background tab.
 */
visible: boolean, } | { "type": "theme", 
/**
 * Foreground, `#rrggbb`.
 */
fg: string, 
/**
 * Background, `#rrggbb`.
 */
bg: string, 
/**
 * Cursor, `#rrggbb`.
 */
cursor: string, 
/**
 * The 16 colours of the palette, `#rrggbb`.
 */
palette: Array<string>, } | { "type": "resync", };

/** Which part of a paste an input is. */
export type Paste = "one" | "start" | "more" | "end";

/** What a viewer asks of the lease. */
export type ControlAction = "acquire" | "renew" | "release" | "take" | "request" | "give";

/** From the core to a viewer. */
export type ServerMessage = { "type": "ready", 
/**
 * The session.
 */
session: SessionId, 
/**
 * Counts the sessions this socket has shown; acks name it.
 */
stream: number, 
/**
 * Where the output that follows begins, unless a snapshot comes first.
 */
seq: Seq, 
/**
 * Columns of the PTY.
 */
cols: number, 
/**
 * Rows of the PTY.
 */
rows: number, 
/**
 * Who may type now.
 */
holder?: Holder, 
/**
 * Whether that is this viewer.
 */
you: boolean, 
/**
 * The grant's number.
 */
epoch: number, 
/**
 * This viewer may only watch.
 */
readOnly: boolean, 
/**
 * The numbers to keep to.
 */
limits: ReadyLimits, } | { "type": "snapshot", 
/**
 * Numbers the snapshots of this socket.
 */
n: number, 
/**
 * The offset at which the screen stands.
 */
seq: Seq, 
/**
 * Columns to draw it at.
 */
cols: number, 
/**
 * Rows to draw it at.
 */
rows: number, 
/**
 * How much it holds.
 */
scope: Scope, 
/**
 * Why it comes.
 */
reason: SnapshotReason, 
/**
 * Bytes of all parts together.
 */
bytes: number, 
/**
 * Which part this is, from 0 (JSON only).
 */
part?: number, 
/**
 * Whether it is the last part (JSON only).
 */
last?: boolean, 
/**
 * The part's text (JSON only).
 */
data?: string, } | { "type": "output", 
/**
 * Where it ends.
 */
seq: Seq, 
/**
 * The text; bytes that are not UTF-8 are U+FFFD, with `seq` still in bytes.
 */
data: string, } | { "type": "status", 
/**
 * Running, exited or lost.
 */
state: SessionState, 
/**
 * How it ended.
 */
exit?: Exit, 
/**
 * Whether what it prints is being kept.
 */
recording: Recording, } | { "type": "control", 
/**
 * The holder; none when free.
 */
holder?: Holder, 
/**
 * The grant's number.
 */
epoch: number, 
/**
 * How long it lasts from now without renewal, in milliseconds.
 */
untilMs: number, 
/**
 * Whether that is this viewer.
 */
you: boolean, 
/**
 * Who has asked for it, while somebody has.
 */
requestedBy?: string, } | { "type": "viewers", 
/**
 * Everybody attached, in order of arrival.
 */
viewers: Array<ViewerInfo>, } | { "type": "resized", 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, 
/**
 * Who did it.
 */
by: string, 
/**
 * The offset from which output is laid out for it.
 */
seq: Seq, } | { "type": "lag", 
/**
 * How far it is behind.
 */
behindBytes: number, 
/**
 * How much it will not be sent.
 */
skippedBytes: number, } | { "type": "gap", 
/**
 * Its first byte.
 */
from: Seq, 
/**
 * One past its last byte.
 */
to: Seq, 
/**
 * Why it is gone.
 */
why: string, } | { "type": "input_ack", 
/**
 * The id.
 */
id: number, } | { "type": "refused", 
/**
 * The input's id, if it had one.
 */
id?: number, 
/**
 * Why.
 */
code: ErrorCode, 
/**
 * Who holds the lease, for `held_by`.
 */
holder?: string, } | { "type": "modes" } & Modes | { "type": "notify", 
/**
 * What it says, plain text.
 */
text: string, } | { "type": "error", 
/**
 * For programs.
 */
code: ErrorCode, 
/**
 * For people.
 */
message: string, 
/**
 * Whether the socket closes now.
 */
fatal: boolean, } | { "type": "pong", 
/**
 * As it came.
 */
t: number, } | { "type": "session_replaced", 
/**
 * The session.
 */
session: SessionId, 
/**
 * The number that acks must name from now on.
 */
stream: number, };

/** How much a snapshot holds. */
export type Scope = "screen" | "full" | "replay";

/** Why a snapshot comes. */
export type SnapshotReason = "attach" | "lag" | "resize" | "resync" | "stored";

/** The numbers a viewer keeps to. */
export type ReadyLimits = { 
/**
 * Most UTF-16 units in one input.
 */
inputUnits: number, 
/**
 * Most columns.
 */
cols: number, 
/**
 * Most rows.
 */
rows: number, };

/** Who may type. */
export type Holder = { 
/**
 * The viewer that holds the lease.
 */
viewer: ViewerId, 
/**
 * The caller's name, for people.
 */
name: string, 
/**
 * Person, agent or guest.
 */
kind: CallerKind, };

/** What kind of caller somebody is. */
export type CallerKind = "person" | "agent" | "guest";

/** One of those who watch. */
export type ViewerInfo = { 
/**
 * The viewer.
 */
viewer: ViewerId, 
/**
 * The caller's name, for people.
 */
name: string, 
/**
 * Person, agent or guest.
 */
kind: CallerKind, 
/**
 * Whether it may only watch.
 */
readOnly: boolean, 
/**
 * Whether its pane can be seen.
 */
visible: boolean, 
/**
 * Whether it is this viewer.
 */
you: boolean, };

/** How a session is. */
export type SessionState = "starting" | "running" | "exited" | "lost";

/** How a program ended. */
export type Exit = { "code": number } | { "signal": number };

/** Whether output is being kept. */
export type Recording = "on" | "off" | "behind" | "gap";

/** What the program has asked of the terminal, as far as keys and mouse go. */
export type Modes = { 
/**
 * The kitty keyboard flags in force; 0 for none.
 */
kitty: number, 
/**
 * Bracketed paste (mode 2004).
 */
paste: boolean, 
/**
 * Any mouse mode.
 */
mouse: boolean, 
/**
 * The alternate screen.
 */
altScreen: boolean, 
/**
 * Application cursor keys (mode 1).
 */
appCursor: boolean, };

/** One event with its place in the order of this core's events. */
export type EventEnvelope = { 
/**
 * `boot:n`: the core's start and the event's number within it. Sent back as `?after=` (or
 * `Last-Event-ID`), it continues there; an unknown boot answers [`Event::Reset`].
 */
id: string, 
/**
 * What happened.
 */
event: Event, };

/** What happened. */
export type Event = { "type": "reset", } | { "type": "room", 
/**
 * As it is now.
 */
room: Room, } | { "type": "room_gone", 
/**
 * Which.
 */
id: RoomId, } | { "type": "pane", 
/**
 * As it is now.
 */
pane: Pane, } | { "type": "pane_gone", 
/**
 * Which.
 */
id: PaneId, 
/**
 * Where it was.
 */
room: RoomId, } | { "type": "host", 
/**
 * Whether the core can reach it.
 */
up: boolean, } | { "type": "signed_out", };

/** `POST /api/signin`. */
export type SigninRequest = { 
/**
 * The one-time token of the printed URL.
 */
token: string, };

/** `GET /api/me`. */
export type Me = { 
/**
 * Who is signed in.
 */
caller: CallerId, 
/**
 * Their name.
 */
name: string, 
/**
 * The core's version, for "reload to update".
 */
build: string, 
/**
 * Whether the pane host can be reached.
 */
hostUp: boolean, 
/**
 * Whether the store can be reached.
 */
storeUp: boolean, };

/** A room. */
export type Room = { 
/**
 * The room.
 */
id: RoomId, 
/**
 * Its place among the rooms, from 0.
 */
slot: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Where its panes start unless they say otherwise.
 */
folder: string, 
/**
 * How its panes are arranged; none until somebody arranges them.
 */
layout?: LayoutNode, 
/**
 * Counts the changes of the layout; a change names the one it was made on.
 */
version: number, };

/** How panes share a room's space: a tree of splits. */
export type LayoutNode = { "node": "pane", 
/**
 * Which.
 */
pane: PaneId, } | { "node": "split", 
/**
 * Which way they lie.
 */
direction: SplitDirection, 
/**
 * The share of each child; as many as children, each above 0.
 */
shares: Array<number>, 
/**
 * At least two.
 */
children: Array<LayoutNode>, };

/** Which way the children of a split lie. */
export type SplitDirection = "row" | "column";

/** `POST /api/rooms`. */
export type NewRoom = { 
/**
 * Its name.
 */
name: string, 
/**
 * Where its panes start; the first registered folder if none is given.
 */
folder?: string, };

/** `PATCH /api/rooms/:id`. What is not given stays. */
export type PatchRoom = { 
/**
 * A new name.
 */
name?: string, 
/**
 * A new folder.
 */
folder?: string, 
/**
 * A new arrangement; `version` must then be the one it was made on.
 */
layout?: LayoutNode, 
/**
 * The version the layout was made on; another answers 409 `stale`.
 */
version?: number, 
/**
 * A new place among the rooms: the others make way.
 */
slot?: number, };

/** A pane, with the session it shows. */
export type Pane = { 
/**
 * The pane.
 */
id: PaneId, 
/**
 * Its room.
 */
room: RoomId, 
/**
 * Its place in the room, 0 to 15.
 */
slot: number, 
/**
 * Its name.
 */
name: string, 
/**
 * The profile it runs, such as `claude` or `shell`.
 */
profile: string, 
/**
 * The command, when it is not the profile's own.
 */
command?: string, 
/**
 * The command's arguments.
 */
args: Array<string>, 
/**
 * Where it starts.
 */
cwd: string, 
/**
 * The session it shows; none before its first start.
 */
session?: Session, };

/** A session, as lists show it. */
export type Session = { 
/**
 * The session.
 */
id: SessionId, 
/**
 * The pane that shows it.
 */
pane: PaneId, 
/**
 * The host that runs it.
 */
host: HostId, 
/**
 * Starting, running, exited or lost.
 */
state: SessionState, 
/**
 * How it ended.
 */
exit?: Exit, 
/**
 * Columns of its PTY.
 */
cols: number, 
/**
 * Rows of its PTY.
 */
rows: number, 
/**
 * Its title, as the program set it.
 */
title?: string, 
/**
 * When it started, in milliseconds since 1970.
 */
startedAtMs: number, 
/**
 * How far it is recorded.
 */
durable: Seq, 
/**
 * Whether it is being recorded.
 */
recording: Recording, };

/** `POST /api/rooms/:id/panes`. */
export type NewPane = { 
/**
 * A profile's name; this or `command`.
 */
profile?: string, 
/**
 * A command, found by PATH or a path; this or `profile`.
 */
command?: string, 
/**
 * Its arguments.
 */
args?: Array<string>, 
/**
 * Where to start; the room's folder if none is given. Inside a registered folder.
 */
cwd?: string, 
/**
 * Its name; the profile's or command's if none is given.
 */
name?: string, 
/**
 * Columns to start at; 120 if none are given.
 */
cols?: number, 
/**
 * Rows to start at; 32 if none are given.
 */
rows?: number, };

/** `PATCH /api/panes/:id`. What is not given stays. */
export type PatchPane = { 
/**
 * A new name.
 */
name?: string, 
/**
 * Another room to move to; its session goes on.
 */
room?: RoomId, };

/** `POST /api/panes/:id/start` and `/restart`. */
export type StartPane = { 
/**
 * Whether to continue the CLI's own last conversation.
 */
resume?: boolean, 
/**
 * Columns to start at.
 */
cols?: number, 
/**
 * Rows to start at.
 */
rows?: number, };

/** `POST /api/panes/:id/cli/ticket`. */
export type TicketRequest = { 
/**
 * What the socket may do; `control` if none is given.
 */
mode?: TicketMode, 
/**
 * The viewer that will open it; a new one if none is given.
 */
viewer?: ViewerId, };

/** What a terminal socket may do. */
export type TicketMode = "control" | "watch";

/** A ticket: opens one socket, once, soon. */
export type TicketReply = { 
/**
 * 32 random bytes in base64url.
 */
ticket: string, 
/**
 * How long it can be redeemed.
 */
expiresInMs: number, };

/** `POST /api/tickets`: many at once, for a page that comes back. */
export type TicketsRequest = { 
/**
 * Up to 16 panes.
 */
panes?: Array<PaneId>, 
/**
 * Whether to get one for the event socket too.
 */
events?: boolean, 
/**
 * The viewer that will open them; a new one if none is given.
 */
viewer?: ViewerId, 
/**
 * What the sockets may do; `control` if none is given.
 */
mode?: TicketMode, };

/** The tickets. A pane that does not exist has none. */
export type TicketsReply = { 
/**
 * By pane.
 */
panes: Array<PaneTicket>, 
/**
 * For the event socket.
 */
events?: string, 
/**
 * How long they can be redeemed.
 */
expiresInMs: number, };

/** A ticket and the pane it is for. */
export type PaneTicket = { 
/**
 * The pane.
 */
pane: PaneId, 
/**
 * The ticket.
 */
ticket: string, };

/** A CLI or shell that panes can run. */
export type Profile = { 
/**
 * Its name, such as `claude`.
 */
name: string, 
/**
 * Its name for people, such as `Claude Code`.
 */
title: string, 
/**
 * Whether it was found on the host's machine.
 */
found: boolean, 
/**
 * Where it was found.
 */
path?: string, 
/**
 * Its version, when it could be told cheaply.
 */
version?: string, 
/**
 * Whether somebody is signed in to it, when that can be told.
 */
signedIn?: boolean, 
/**
 * How to get it, for one that was not found.
 */
install?: string, 
/**
 * Whether it can continue its last conversation.
 */
resumes: boolean, 
/**
 * Whether it is a plain shell.
 */
shell: boolean, };

/** A folder in which panes may start. */
export type Folder = { 
/**
 * The folder.
 */
id: FolderId, 
/**
 * Its absolute path.
 */
path: string, };

/** `POST /api/folders`. */
export type NewFolder = { 
/**
 * An absolute path.
 */
path: string, };

/** A list. `next` continues it. */
export type RoomList = { 
/**
 * The rooms, by slot.
 */
items: Array<Room>, };

/** `GET /api/rooms/:id`: a room with its panes. */
export type RoomDetail = { 
/**
 * The room.
 */
room: Room, 
/**
 * Its panes, by slot.
 */
panes: Array<Pane>, };

/** `GET /api/profiles`. */
export type ProfileList = { 
/**
 * The profiles: found ones first.
 */
items: Array<Profile>, };

/** `GET /api/folders`. */
export type FolderList = { 
/**
 * The folders, by path.
 */
items: Array<Folder>, };

/** `GET /api/sessions/:id/transcript`: recorded output, redacted. */
export type TranscriptReply = { 
/**
 * The session.
 */
session: SessionId, 
/**
 * Where `items` begins.
 */
from: Seq, 
/**
 * How far it is recorded.
 */
durable: Seq, 
/**
 * Rows and gaps in order of Seq; together they tile `from` to the last one's end.
 */
items: Array<TranscriptItem>, 
/**
 * The offset to ask for next; none at the end.
 */
next?: Seq, };

/** A row of the record, or a hole in it. */
export type TranscriptItem = { "kind": "row", 
/**
 * Its first byte's offset, before redaction.
 */
from: Seq, 
/**
 * Its end's offset, before redaction.
 */
to: Seq, 
/**
 * When it was printed, in milliseconds since 1970.
 */
atMs: number, 
/**
 * The redacted bytes in base64.
 */
data: string, } | { "kind": "gap", 
/**
 * Its first byte.
 */
from: Seq, 
/**
 * One past its last byte; none when not known.
 */
to?: Seq, 
/**
 * Why.
 */
why: string, };
