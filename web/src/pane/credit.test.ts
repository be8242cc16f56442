import { describe, expect, it } from "vitest";
import { ACK_EVERY_BYTES, AckPacer } from "./credit.ts";

describe("acks", () => {
  it("come when nothing waits behind", () => {
    const pacer = new AckPacer();
    expect(pacer.onParsed({ stream: 1, seq: 3 }, true)).toEqual({ stream: 1, seq: 3 });
    expect(pacer.onParsed({ stream: 1, seq: 3 }, true)).toBeUndefined();
  });

  it("come often enough for the smallest window, and not for every frame", () => {
    const pacer = new AckPacer();
    pacer.onAttached(1, 0);
    expect(pacer.onParsed({ stream: 1, seq: ACK_EVERY_BYTES - 1 }, false)).toBeUndefined();
    expect(pacer.onParsed({ stream: 1, seq: ACK_EVERY_BYTES }, false)).toBeDefined();
  });

  it("always come for a snapshot", () => {
    const pacer = new AckPacer();
    pacer.onAttached(1, 50);
    expect(pacer.onParsed({ stream: 1, seq: 50, n: 4 }, false)).toEqual({
      stream: 1,
      seq: 50,
      n: 4,
    });
  });

  it("start anew with another stream", () => {
    const pacer = new AckPacer();
    pacer.onParsed({ stream: 1, seq: 900 }, true);
    expect(pacer.onParsed({ stream: 2, seq: 5 }, true)).toEqual({ stream: 2, seq: 5 });
  });
});
