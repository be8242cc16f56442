import { describe, expect, it } from "vitest";
import type { ServerMessage } from "../wire/gen/types.ts";
import { PaneSession, PING_EVERY_MS, PONG_WITHIN_MS, type SessionEffect } from "./session.ts";

describe("a pane's session", () => {
  it("starts from a reset at the size the PTY has", () => {
    const session = live();
    expect(session.effects).toEqual([
      { do: "write", job: { job: "fresh" } },
      { do: "write", job: { job: "size", cols: 120, rows: 32 } },
    ]);
  });

  it("writes output that continues", () => {
    const { session } = live();
    expect(session.onFrame(output("ab", 2), 0)).toEqual([written("ab", 2)]);
    expect(session.onFrame(output("c", 3), 0)).toEqual([written("c", 3)]);
  });

  it("hangs up at output that leaves bytes out or repeats them, and asks for a whole screen", () => {
    for (const seq of [3, 1]) {
      const { session } = live();
      session.onFrame(output("ab", 2), 0);
      expect(session.onFrame(output("x", seq + 1), 0)).toEqual([{ do: "hang_up" }]);
      session.onClosed(1005);
      expect(session.onOpening()).toBeUndefined();
    }
  });

  it("goes on behind what it has after the connection was lost", () => {
    const { session } = live();
    session.onFrame(output("abc", 3), 0);
    expect(session.onClosed(1006)).toEqual([{ do: "dial" }]);
    expect(session.onOpening()).toEqual({ after: 3, session: "one" });
    expect(session.onMessage(ready({ seq: 3, stream: 7 }), 0)).toEqual([]);
    expect(session.onFrame(output("d", 4), 0)).toEqual([written("d", 4, 7, 2)]);
  });

  it("starts anew when another session runs by then", () => {
    const { session } = live();
    session.onFrame(output("abc", 3), 0);
    session.onClosed(1006);
    session.onOpening();
    const effects = session.onMessage(ready({ session: "two", seq: 0 }), 0);
    expect(effects[0]).toEqual({ do: "write", job: { job: "fresh" } });
  });

  it("tells that it was revealed while the socket opened", () => {
    const session = new PaneSession(false);
    session.connect();
    session.onOpening();
    expect(session.onVisibility(true)).toEqual([]);
    expect(session.onMessage(ready({ seq: 0 }), 0)).toContainEqual({
      do: "send",
      message: { type: "visibility", visible: true },
    });
  });

  it("draws a snapshot when it is whole", () => {
    const { session } = live();
    expect(session.onMessage(snapshot({ n: 1, seq: 40, bytes: 4 }), 0)).toEqual([]);
    expect(session.onFrame(part("ab", 1), 0)).toEqual([]);
    const [effect] = session.onFrame(part("cd", 1), 0);
    expect(effect).toMatchObject({
      do: "write",
      job: { job: "screen", cols: 120, rows: 32, at: { socket: 1, stream: 1, seq: 40, n: 1 } },
    });
    expect(session.onFrame(output("e", 41), 0)).toEqual([written("e", 41)]);
  });

  it("draws a snapshot without bytes at once", () => {
    const { session } = live();
    expect(session.onMessage(snapshot({ n: 1, seq: 0, bytes: 0 }), 0)).toHaveLength(1);
  });

  it("forgets an unfinished snapshot at a new head and at a close", () => {
    const { session } = live();
    session.onMessage(snapshot({ n: 1, seq: 40, bytes: 4 }), 0);
    session.onFrame(part("ab", 1), 0);
    session.onMessage(snapshot({ n: 2, seq: 50, bytes: 1 }), 0);
    expect(session.onFrame(part("z", 2), 0)).toHaveLength(1);
    session.onMessage(snapshot({ n: 3, seq: 60, bytes: 4 }), 0);
    session.onClosed(1006);
    expect(session.onOpening()).toEqual({ after: 50, session: "one" });
  });

  it("hangs up at a part of no snapshot, of another one, or past its end", () => {
    const { session: none } = live();
    expect(none.onFrame(part("a", 1), 0)).toEqual([{ do: "hang_up" }]);
    const { session: other } = live();
    other.onMessage(snapshot({ n: 1, seq: 1, bytes: 1 }), 0);
    expect(other.onFrame(part("a", 2), 0)).toEqual([{ do: "hang_up" }]);
    const { session: longer } = live();
    longer.onMessage(snapshot({ n: 1, seq: 1, bytes: 1 }), 0);
    expect(longer.onFrame(part("ab", 1), 0)).toEqual([{ do: "hang_up" }]);
  });

  it("counts a gap as passed", () => {
    const { session } = live();
    session.onMessage({ type: "gap", from: 0, to: 100, why: "spool full" }, 0);
    expect(session.onFrame(output("a", 101), 0)).toEqual([written("a", 101)]);
  });

  it("shows a replacement from its first byte, under its own stream", () => {
    const { session } = live();
    session.onFrame(output("abc", 3), 0);
    const replaced = { type: "session_replaced", session: "two", stream: 2 } as const;
    expect(session.onMessage(replaced, 0)).toEqual([{ do: "write", job: { job: "fresh" } }]);
    expect(session.onFrame(output("x", 1), 0)).toEqual([written("x", 1, 2)]);
  });

  it("asks for the screen when it is shown again after its queue was dropped", () => {
    const { session } = live();
    session.onVisibility(false);
    session.onDropped();
    expect(session.onFrame(output("lost", 4), 0)).toEqual([]);
    expect(session.onVisibility(true)).toEqual([
      { do: "send", message: { type: "visibility", visible: true } },
      { do: "send", message: { type: "resync" } },
    ]);
    expect(session.onFrame(output("more", 8), 0)).toEqual([]);
    session.onMessage(snapshot({ n: 1, seq: 8, bytes: 1 }), 0);
    session.onFrame(part("S", 1), 0);
    expect(session.onFrame(output("!", 9), 0)).toEqual([written("!", 9)]);
  });

  it("asks for a whole screen when the connection goes while its queue is dropped", () => {
    const { session } = live();
    session.onFrame(output("abc", 3), 0);
    session.onVisibility(false);
    session.onDropped();
    session.onClosed(1006);
    expect(session.onOpening()).toBeUndefined();
  });

  it.each([
    [4001, "superseded"],
    [4003, "signed_out"],
    [4010, "session_lost"],
  ] as const)("does not come back by itself after %i", (code, why) => {
    const { session } = live();
    expect(session.onClosed(code)).toEqual([]);
    expect(session.phase).toEqual({ at: "ended", why });
    expect(session.connect()).toEqual([{ do: "dial" }]);
  });

  it("stops trying a door that is shut three times", () => {
    const session = new PaneSession(true);
    session.connect();
    for (const _ of [1, 2]) {
      session.onOpening();
      expect(session.onClosed(1008)).toEqual([{ do: "dial" }]);
    }
    session.onOpening();
    expect(session.onClosed(1008)).toEqual([]);
    expect(session.phase).toEqual({ at: "ended", why: "refused" });
  });

  it("asks after a silence, and hangs up when nothing answers", () => {
    const { session } = live();
    expect(session.onTick(PING_EVERY_MS - 1)).toEqual([]);
    const [ping] = session.onTick(PING_EVERY_MS);
    expect(ping).toMatchObject({ do: "send", message: { type: "ping" } });
    expect(session.onTick(PING_EVERY_MS + PONG_WITHIN_MS - 1)).toEqual([]);
    expect(session.onTick(PING_EVERY_MS + PONG_WITHIN_MS)).toEqual([{ do: "hang_up" }]);
  });

  it("takes any word for an answer", () => {
    const { session } = live();
    session.onTick(PING_EVERY_MS);
    session.onFrame(output("a", 1), PING_EVERY_MS + 1);
    expect(session.onTick(PING_EVERY_MS + PONG_WITHIN_MS)).toEqual([]);
  });

  it("leaves hidden panes in peace", () => {
    const { session } = live();
    session.onVisibility(false);
    expect(session.deadline()).toBeUndefined();
  });
});

function live(): { session: PaneSession; effects: SessionEffect[] } {
  const session = new PaneSession(true);
  session.connect();
  session.onOpening();
  return { session, effects: session.onMessage(ready({}), 0) };
}

function ready(over: Partial<Extract<ServerMessage, { type: "ready" }>>): ServerMessage {
  return {
    type: "ready",
    session: "one",
    stream: 1,
    seq: 0,
    cols: 120,
    rows: 32,
    you: false,
    epoch: 0,
    readOnly: false,
    limits: { inputUnits: 1_000_000, cols: 400, rows: 200 },
    ...over,
  };
}

function snapshot(over: { n: number; seq: number; bytes: number }): ServerMessage {
  return { type: "snapshot", cols: 120, rows: 32, scope: "full", reason: "attach", ...over };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function output(text: string, seq: number) {
  return { frame: "output", seq, bytes: bytes(text) } as const;
}

function part(text: string, n: number) {
  return { frame: "snapshot", n, bytes: bytes(text) } as const;
}

function written(text: string, seq: number, stream = 1, socket = 1): SessionEffect {
  return { do: "write", job: { job: "output", bytes: bytes(text), at: { socket, stream, seq } } };
}
