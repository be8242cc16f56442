/**
 * WebSockets: a pane's and the page's events. They carry what they are given and judge nothing.
 *
 * The ticket goes in the subprotocol header, where no log and no history keeps it.
 */

import type { Resume } from "../pane/session.ts";
import { encodeInput, type InputFrame, parseServerFrame, type ServerFrame } from "../wire/frame.ts";
import type { ClientMessage, EventEnvelope, ServerMessage } from "../wire/gen/types.ts";
import { parseEvent, parseServerMessage } from "../wire/parse.ts";

const PROTOCOL = "glasshouse.v1";

export interface PaneSocketHandlers {
  onMessage(message: ServerMessage): void;
  onFrame(frame: ServerFrame): void;
  /** Something that does not parse. */
  onNonsense(): void;
  /** Once, at the end, also when it never opened. */
  onClosed(code: number): void;
}

export interface PaneSocket {
  send(message: ClientMessage): void;
  input(input: InputFrame): void;
  /** Closes it; `onClosed` follows at once and nothing after it. */
  close(): void;
}

export function openPaneSocket(
  pane: string,
  ticket: string,
  resume: Resume | undefined,
  hidden: boolean,
  handlers: PaneSocketHandlers,
): PaneSocket {
  const query = new URLSearchParams();
  if (resume !== undefined) {
    query.set("after", String(resume.after));
    query.set("session", resume.session);
  }
  if (hidden) query.set("hidden", "1");
  const socket = open(`/api/panes/${pane}/cli/terminal`, query, ticket);
  socket.binaryType = "arraybuffer";
  const onClosed = closer(socket, (code) => handlers.onClosed(code));
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === "string") {
      const message = parseServerMessage(data);
      if (message === undefined) handlers.onNonsense();
      else handlers.onMessage(message);
    } else {
      const frame = parseServerFrame(data);
      if (frame === undefined) handlers.onNonsense();
      else handlers.onFrame(frame);
    }
  });
  return {
    send: (message) => transmit(socket, JSON.stringify(message)),
    input: (input) => transmit(socket, encodeInput(input)),
    close: onClosed,
  };
}

export interface EventSocketHandlers {
  onOpen(): void;
  onEvent(envelope: EventEnvelope): void;
  onClosed(code: number): void;
}

export function openEventSocket(
  ticket: string,
  after: string | undefined,
  handlers: EventSocketHandlers,
): { close(): void } {
  const query = new URLSearchParams();
  if (after !== undefined) query.set("after", after);
  const socket = open("/api/events", query, ticket);
  const close = closer(socket, (code) => handlers.onClosed(code));
  socket.addEventListener("open", () => handlers.onOpen());
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const envelope = parseEvent(data);
    if (envelope !== undefined) handlers.onEvent(envelope);
  });
  return { close };
}

function open(path: string, query: URLSearchParams, ticket: string): WebSocket {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = query.toString();
  return new WebSocket(url, [PROTOCOL, `ticket.${ticket}`]);
}

/** Tells of the end once: a dead connection's own close event can be a minute away. */
function closer(socket: WebSocket, onClosed: (code: number) => void): () => void {
  let closed = false;
  const tell = (code: number): void => {
    if (closed) return;
    closed = true;
    onClosed(code);
  };
  const events = new AbortController();
  socket.addEventListener("close", (event) => tell(event.code), { signal: events.signal });
  return () => {
    events.abort();
    socket.close();
    tell(NO_STATUS);
  };
}

const NO_STATUS = 1005;

/** What cannot be sent is still with the lease or is said anew by the next socket. */
function transmit(socket: WebSocket, data: string | Uint8Array<ArrayBuffer>): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(data);
}
