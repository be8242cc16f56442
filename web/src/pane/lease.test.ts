import { describe, expect, it } from "vitest";
import {
  LEASE_HEARTBEAT_MS,
  UNACKED_INPUT_MAX_AGE_MS,
  VIEWER_RETURN_MS,
} from "../wire/gen/limits.ts";
import type { Holder } from "../wire/gen/types.ts";
import { AHEAD_MAX_BYTES, Lease, type LeaseEffect, PASTE_PART_BYTES } from "./lease.ts";

const ME: Holder = { viewer: "other tab", name: "Jo", kind: "person" };
const ANNA: Holder = { viewer: "anna", name: "Anna", kind: "person" };
const MINE = { holder: ME, epoch: 1, you: true };

describe("the lease", () => {
  it("takes a free session with the first key and holds keys until it is named", () => {
    const lease = attached({ epoch: 0, you: false });
    expect(lease.onKeys(bytes("a"), 0)).toEqual([{ do: "control", action: "acquire" }]);
    expect(lease.onKeys(bytes("b"), 0)).toEqual([]);
    expect(sent(lease.onControl(MINE, 1))).toEqual([
      ["a", 1, 0, 1],
      ["b", 1, 0, 2],
    ]);
  });

  it("sends under the grant it holds, numbered for good", () => {
    const lease = attached(MINE);
    expect(sent(lease.onKeys(bytes("a"), 0))).toEqual([["a", 1, 0, 1]]);
    expect(sent(lease.onKeys(bytes("b"), 0))).toEqual([["b", 1, 0, 2]]);
    lease.onInputAck(2, 0);
    expect(lease.pendingBytes).toBe(0);
    expect(sent(lease.onKeys(bytes("c"), 0))).toEqual([["c", 1, 0, 3]]);
  });

  it("takes from another tab of the same person before its first key", () => {
    const lease = attached({ holder: ME, epoch: 4, you: false });
    expect(lease.onKeys(bytes("a"), 0)).toEqual([{ do: "control", action: "take" }]);
    expect(sent(lease.onControl({ holder: ME, epoch: 5, you: true }, 1))).toEqual([["a", 5, 0, 1]]);
  });

  it("sends nothing while somebody else types, and says so", () => {
    const lease = attached({ holder: ANNA, epoch: 4, you: false });
    expect(lease.onKeys(bytes("a"), 0)).toEqual([{ do: "blocked", why: "held" }]);
    expect(lease.pendingBytes).toBe(0);
  });

  it("offers keys back when somebody else was faster", () => {
    const lease = attached({ epoch: 0, you: false });
    lease.onKeys(bytes("rm"), 0);
    expect(lease.onControl({ holder: ANNA, epoch: 1, you: false }, 1)).toEqual([
      { do: "offer", why: "taken", code: undefined, bytes: [bytes("rm")] },
    ]);
  });

  it("opens a new run after a refusal and offers everything from it on", () => {
    const lease = attached(MINE);
    for (const key of ["a", "b", "c"]) lease.onKeys(bytes(key), 0);
    lease.onInputAck(1, 0);
    expect(lease.onRefused(2, "lease_stale")).toEqual([
      { do: "offer", why: "refused", code: "lease_stale", bytes: [bytes("b"), bytes("c")] },
    ]);
    expect(lease.onRefused(3, "after_refused")).toEqual([]);
    expect(sent(lease.onKeys(bytes("d"), 0))).toEqual([["d", 1, 1, 4]]);
  });

  it("sends again what was not acknowledged when it comes back to the same grant", () => {
    const lease = attached(MINE);
    lease.onKeys(bytes("a"), 0);
    lease.onKeys(bytes("b"), 0);
    lease.onInputAck(1, 0);
    lease.onLost(100);
    lease.onKeys(bytes("c"), 200);
    expect(sent(lease.onReady(MINE, false, 900))).toEqual([
      ["b", 1, 0, 2],
      ["c", 1, 0, 3],
    ]);
  });

  it("offers back what was typed under a grant that is gone", () => {
    const lease = attached(MINE);
    lease.onKeys(bytes("a"), 0);
    lease.onLost(100);
    const effects = lease.onReady({ epoch: 2, you: false }, false, 900);
    expect(effects).toEqual([{ do: "offer", why: "disconnected", bytes: [bytes("a")] }]);
  });

  it("never sends by itself what was typed long ago", () => {
    const lease = attached(MINE);
    lease.onKeys(bytes("rm -rf build\r"), 0);
    lease.onLost(1);
    const effects = lease.onReady(MINE, false, UNACKED_INPUT_MAX_AGE_MS + 1);
    expect(effects).toEqual([{ do: "offer", why: "too_old", bytes: [bytes("rm -rf build\r")] }]);
  });

  it("takes keys into a dead connection only while the grant may be kept", () => {
    const lease = attached(MINE);
    lease.onLost(0);
    expect(lease.onKeys(bytes("a"), VIEWER_RETURN_MS)).toEqual([]);
    expect(lease.onKeys(bytes("b"), VIEWER_RETURN_MS + 1)).toEqual([
      { do: "blocked", why: "disconnected" },
    ]);
  });

  it("takes a free session that somebody looks at, but not on touch devices", () => {
    const lease = attached({ epoch: 0, you: false });
    const looking = { attended: true, visible: true, shy: false };
    expect(lease.onCircumstances({ ...looking, shy: true })).toEqual([]);
    expect(lease.onCircumstances({ ...looking, attended: false })).toEqual([]);
    expect(lease.onCircumstances(looking)).toEqual([{ do: "control", action: "acquire" }]);
    expect(lease.onCircumstances(looking)).toEqual([]);
  });

  it("takes a session that becomes free while somebody looks at it", () => {
    const lease = attached({ holder: ANNA, epoch: 1, you: false });
    lease.onCircumstances({ attended: true, visible: true, shy: false });
    expect(lease.onControl({ epoch: 2, you: false }, 0)).toEqual([
      { do: "control", action: "acquire" },
    ]);
  });

  it("takes back what the person let go only by a key", () => {
    const lease = attached(MINE);
    lease.onCircumstances({ attended: true, visible: true, shy: false });
    lease.act("release");
    expect(lease.onControl({ epoch: 2, you: false }, 0)).toEqual([]);
    expect(lease.onCircumstances({ attended: true, visible: true, shy: false })).toEqual([]);
    expect(lease.onKeys(bytes("a"), 0)).toEqual([{ do: "control", action: "acquire" }]);
  });

  it("renews while it can be seen, also by typing", () => {
    const lease = attached(MINE);
    expect(lease.deadline()).toBeUndefined();
    lease.onCircumstances({ attended: false, visible: true, shy: false });
    lease.onKeys(bytes("a"), 4_000);
    expect(lease.onTick(LEASE_HEARTBEAT_MS)).toEqual([]);
    expect(lease.onTick(4_000 + LEASE_HEARTBEAT_MS)).toEqual([{ do: "control", action: "renew" }]);
  });

  it("sends a long paste in parts, a few ahead of what was written, keys behind it", () => {
    const lease = attached(MINE);
    const text = new Uint8Array(AHEAD_MAX_BYTES + 2 * PASTE_PART_BYTES).fill(120);
    const first = inputs(lease.onPaste(text, 0));
    expect(first.map(({ paste }) => paste)).toEqual(["start", "more", "more", "more"]);
    expect(lease.onKeys(bytes("\r"), 1)).toEqual([]);
    const second = inputs(lease.onInputAck(2, 2));
    expect(second.map(({ paste }) => paste)).toEqual(["more", "end"]);
    const last = inputs(lease.onInputAck(4, 3));
    expect(last.map(({ paste, bytes: key }) => [paste, key.length])).toEqual([[undefined, 1]]);
    const ids = [...first, ...second, ...last].map(({ id }) => id);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("sends a short paste whole", () => {
    const lease = attached(MINE);
    expect(inputs(lease.onPaste(bytes("two\rlines"), 0))[0]?.paste).toBe("one");
  });

  it("interrupts ahead of a paste and offers its rest back", () => {
    const lease = attached(MINE);
    const text = new Uint8Array(AHEAD_MAX_BYTES + PASTE_PART_BYTES);
    lease.onPaste(text, 0);
    const effects = lease.interrupt();
    expect(effects.map((effect) => effect.do)).toEqual(["offer", "interrupt"]);
  });

  it("takes nothing for a session that ended, until it is replaced", () => {
    const lease = attached(MINE);
    expect(lease.onEnded()).toEqual([]);
    expect(lease.onKeys(bytes("a"), 0)).toEqual([{ do: "blocked", why: "ended" }]);
    lease.onReplaced();
    lease.onControl({ ...MINE, epoch: 2 }, 0);
    expect(sent(lease.onKeys(bytes("a"), 0))).toEqual([["a", 2, 0, 1]]);
  });

  it("says when the claim was refused", () => {
    const lease = attached({ holder: ME, epoch: 4, you: false });
    lease.onKeys(bytes("a"), 0);
    expect(lease.onRefused(undefined, "held_by")).toEqual([
      { do: "blocked", why: "held" },
      { do: "offer", why: "refused", code: "held_by", bytes: [bytes("a")] },
    ]);
  });

  it("lets watchers watch", () => {
    const lease = new Lease(isMe);
    lease.onReady({ epoch: 0, you: false }, true, 0);
    expect(lease.onKeys(bytes("a"), 0)).toEqual([{ do: "blocked", why: "read_only" }]);
  });

  it("loses nothing in silence, whatever happens", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { typed, applied, offered } = live(seed);
      expect(new Set(applied).size).toBe(applied.length);
      // What was applied before its ack was lost may be offered too: the page cannot know.
      expect(new Set([...applied, ...offered])).toEqual(new Set(typed));
      expect(applied).toEqual(typed.filter((key) => applied.includes(key)));
    }
  });
});

/** A random life against a host that applies each id once. */
function live(seed: number): { typed: string[]; applied: string[]; offered: string[] } {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  const lease = attached(MINE);
  const typed: string[] = [];
  const applied: string[] = [];
  const offered: string[] = [];
  const wire: { id: number; run: number; text: string }[] = [];
  let lastId = 0;
  let refusedRun = -1;
  let up = true;
  let nowMs = 0;
  const perform = (effects: LeaseEffect[]): void => {
    for (const effect of effects) {
      if (effect.do === "input" && up)
        wire.push({ ...effect.input, text: text(effect.input.bytes) });
      if (effect.do === "offer") offered.push(...effect.bytes.map(text));
      if (effect.do === "blocked") typed.pop();
    }
  };
  for (let step = 0; step < 60; step += 1) {
    nowMs += random(400);
    switch (random(6)) {
      case 0:
      case 1: {
        const key = `key ${step}`;
        typed.push(key);
        perform(lease.onKeys(bytes(key), nowMs));
        break;
      }
      case 2:
      case 3: {
        const input = wire.shift();
        if (input === undefined || !up) break;
        const isRefused = input.run === refusedRun || random(8) === 0;
        if (input.id > lastId && isRefused) {
          refusedRun = input.run;
          perform(lease.onRefused(input.id, "busy"));
          break;
        }
        if (input.id > lastId) applied.push(input.text);
        lastId = Math.max(lastId, input.id);
        // The ack may be lost with the connection.
        if (random(4) > 0) perform(lease.onInputAck(lastId, nowMs));
        break;
      }
      case 4:
        up = false;
        wire.length = 0;
        lease.onLost(nowMs);
        break;
      default:
        if (up) break;
        up = true;
        perform(lease.onReady(MINE, false, nowMs));
        break;
    }
  }
  if (!up) {
    up = true;
    perform(lease.onReady(MINE, false, nowMs));
  }
  for (const input of wire) {
    if (input.id > lastId) applied.push(input.text);
    lastId = Math.max(lastId, input.id);
  }
  perform(lease.onInputAck(lastId, nowMs));
  return { typed, applied, offered };
}

function attached(grant: { holder?: Holder; epoch: number; you: boolean }): Lease {
  const lease = new Lease(isMe);
  lease.onReady(grant, false, 0);
  return lease;
}

function isMe({ name }: Holder): boolean {
  return name === "Jo";
}

function inputs(effects: LeaseEffect[]) {
  return effects.flatMap((effect) => (effect.do === "input" ? [effect.input] : []));
}

function sent(effects: LeaseEffect[]): [string, number, number, number][] {
  return inputs(effects).map(({ bytes: keys, epoch, run, id }) => [text(keys), epoch, run, id]);
}

function bytes(keys: string): Uint8Array {
  return new TextEncoder().encode(keys);
}

function text(keys: Uint8Array): string {
  return new TextDecoder().decode(keys);
}
