import { describe, expect, it } from "vitest";
import type { Session } from "../wire/gen/types.ts";
import { byUrgency, exitLabel, type PaneState, stateOf } from "./attention.ts";

describe("how a pane is", () => {
  const quiet = { lost: false, busy: false, unread: false, calls: false };

  it("follows its session first", () => {
    expect(stateOf({ ...quiet })).toBe("empty");
    expect(stateOf({ ...quiet, busy: true, session: session("exited", { code: 0 }) })).toBe(
      "exited",
    );
    expect(stateOf({ ...quiet, session: session("exited", { code: 1 }) })).toBe("failed");
    expect(stateOf({ ...quiet, session: session("exited", { signal: 9 }) })).toBe("failed");
    expect(stateOf({ ...quiet, session: session("lost") })).toBe("failed");
  });

  it("calls before it works, and works before it is done", () => {
    const running = session("running");
    expect(stateOf({ ...quiet, session: running })).toBe("idle");
    expect(stateOf({ ...quiet, session: running, unread: true })).toBe("done");
    expect(stateOf({ ...quiet, session: running, unread: true, busy: true })).toBe("working");
    expect(stateOf({ ...quiet, session: running, busy: true, calls: true })).toBe("needs_you");
    expect(stateOf({ ...quiet, session: running, busy: true, lost: true })).toBe("disconnected");
  });

  it("sorts by who needs somebody", () => {
    const states: PaneState[] = ["idle", "working", "needs_you", "exited", "failed"];
    expect(states.sort(byUrgency)).toEqual(["needs_you", "failed", "working", "idle", "exited"]);
  });

  it.each([
    [{ code: 0 }, "0"],
    [{ code: 137 }, "137"],
    [{ signal: 9 }, "SIGKILL"],
    [{ signal: 40 }, "signal 40"],
    [undefined, "lost"],
  ])("names the end %j", (exit, label) => {
    expect(exitLabel(exit)).toBe(label);
  });
});

function session(state: Session["state"], exit?: Session["exit"]): Session {
  const base = { id: "s", pane: "p", host: "h", cols: 80, rows: 24, startedAtMs: 0, durable: 0 };
  return { ...base, recording: "on", state, ...(exit === undefined ? {} : { exit }) };
}
