/**
 * The HTTP interface, one function a route.
 *
 * The cookie says who asks; nothing here knows a token after `signin`. A failed call is an
 * `ApiError` whose code says what to do.
 */

import type {
  ErrorCode,
  NewPane,
  NewRoom,
  PatchPane,
  PatchRoom,
  StartPane,
  TicketsRequest,
} from "../wire/gen/types.ts";
import {
  isErrorReply,
  isFolderList,
  isMe,
  isPane,
  isProfileList,
  isRoom,
  isRoomDetail,
  isRoomList,
  isTicketsReply,
} from "../wire/gen/validators.ts";

/** A call that did not succeed. `unreachable` means that there was no answer at all. */
export class ApiError extends Error {
  readonly code: ErrorCode | "unreachable";
  readonly status: number;

  constructor(code: ErrorCode | "unreachable", status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
  }
}

/** No answer for this long is no answer. */
const DEADLINE_MS = 15_000;
const PROBE_DEADLINE_MS = 4_000;

export const api = {
  signin: (token: string) => call("POST", "/api/signin", isAnything, { token }),
  signout: () => call("POST", "/api/signout", isAnything, {}),
  me: () => call("GET", "/api/me", isMe),
  rooms: () => call("GET", "/api/rooms", isRoomList),
  room: (id: string) => call("GET", `/api/rooms/${id}`, isRoomDetail),
  createRoom: (room: NewRoom) => call("POST", "/api/rooms", isRoom, room),
  patchRoom: (id: string, patch: PatchRoom) => call("PATCH", `/api/rooms/${id}`, isRoom, patch),
  deleteRoom: (id: string) => call("DELETE", `/api/rooms/${id}`, isAnything),
  createPane: (room: string, pane: NewPane) =>
    call("POST", `/api/rooms/${room}/panes`, isPane, pane),
  patchPane: (id: string, patch: PatchPane) => call("PATCH", `/api/panes/${id}`, isPane, patch),
  deletePane: (id: string) => call("DELETE", `/api/panes/${id}`, isAnything),
  startPane: (id: string, how: StartPane) => call("POST", `/api/panes/${id}/start`, isPane, how),
  stopPane: (id: string) => call("POST", `/api/panes/${id}/stop`, isAnything, {}),
  restartPane: (id: string, how: StartPane) =>
    call("POST", `/api/panes/${id}/restart`, isPane, how),
  tickets: (request: TicketsRequest) =>
    call("POST", "/api/tickets", isTicketsReply, request, PROBE_DEADLINE_MS),
  profiles: () => call("GET", "/api/profiles", isProfileList),
  folders: () => call("GET", "/api/folders", isFolderList),
};

async function call<T>(
  method: string,
  path: string,
  isRight: (value: unknown) => value is T,
  body?: unknown,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      credentials: "same-origin",
      redirect: "error",
      signal: AbortSignal.timeout(deadlineMs),
    });
  } catch {
    throw new ApiError("unreachable", 0, "Glasshouse does not answer.");
  }
  if (!response.ok) throw await failure(response);
  const text = await response.text();
  const value: unknown = text === "" ? undefined : JSON.parse(text);
  if (!isRight(value)) throw new ApiError("internal", 200, "Reload: Glasshouse has been updated.");
  return value;
}

function isAnything(_value: unknown): _value is unknown {
  return true;
}

async function failure(response: Response): Promise<ApiError> {
  const fallback = `Glasshouse answered ${response.status}.`;
  try {
    const reply: unknown = await response.json();
    if (isErrorReply(reply)) {
      return new ApiError(reply.error.code, response.status, reply.error.message);
    }
  } catch {
    // Something in between answered, such as a proxy: its body is not ours to read.
  }
  const code = response.status === 401 ? "unauthorized" : "unreachable";
  return new ApiError(code, response.status, fallback);
}
