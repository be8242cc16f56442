import { describe, expect, it } from "vitest";
import { ACK_EVERY_BYTES, AckPacer } from "./credit.ts";

describe("acks", () => {
  it("come when nothing waits behind", () => {
    const pacer = attached();
    expect(pacer.onParsed({ socket: 1, stream: 1, seq: 3 }, true)).toEqual({
      socket: 1,
      stream: 1,
      seq: 3,
    });
    expect(pacer.onParsed({ socket: 1, stream: 1, seq: 3 }, true)).toBeUndefined();
  });

  it("come often enough for the smallest window, and not for every frame", () => {
    const pacer = attached();
    expect(
      pacer.onParsed({ socket: 1, stream: 1, seq: ACK_EVERY_BYTES - 1 }, false),
    ).toBeUndefined();
    expect(pacer.onParsed({ socket: 1, stream: 1, seq: ACK_EVERY_BYTES }, false)).toBeDefined();
  });

  it("always come for a snapshot", () => {
    const pacer = attached();
    pacer.onAttached(1, 1, 50);
    expect(pacer.onParsed({ socket: 1, stream: 1, seq: 50, n: 4 }, false)).toEqual({
      socket: 1,
      stream: 1,
      seq: 50,
      n: 4,
    });
  });

  it("start anew with another stream", () => {
    const pacer = attached();
    pacer.onParsed({ socket: 1, stream: 1, seq: 900 }, true);
    expect(pacer.onParsed({ socket: 1, stream: 2, seq: 5 }, true)).toEqual({
      socket: 1,
      stream: 2,
      seq: 5,
    });
  });

  it("never come to a socket for what an earlier one sent", () => {
    const pacer = attached();
    pacer.onAttached(2, 1, 40);
    expect(pacer.onParsed({ socket: 1, stream: 1, seq: 40, n: 3 }, true)).toBeUndefined();
    expect(pacer.onParsed({ socket: 2, stream: 1, seq: 41 }, true)).toBeDefined();
  });
});

function attached(): AckPacer {
  const pacer = new AckPacer();
  pacer.onAttached(1, 1, 0);
  return pacer;
}
