import { describe, expect, it } from "vitest";
import clientMessages from "../../../tests/fixtures/frames/client-messages.json";
import serverMessages from "../../../tests/fixtures/frames/server-messages.json";
import golden from "../../../tests/fixtures/frames/viewer.json";
import { encodeInput, parseServerFrame } from "./frame.ts";
import type { Paste } from "./gen/types.ts";
import { isClientMessage } from "./gen/validators.ts";
import { parseServerMessage } from "./parse.ts";

describe("binary frames", () => {
  it.each(golden.filter(({ frame }) => frame === "output"))("reads $means", (one) => {
    const frame = parseServerFrame(fromHex(one.hex));
    expect(frame).toEqual({ frame: "output", seq: one.seq, bytes: utf8(one.text) });
  });

  it.each(golden.filter(({ frame }) => frame === "snapshot"))("reads $means", (one) => {
    const frame = parseServerFrame(fromHex(one.hex));
    expect(frame).toEqual({ frame: "snapshot", n: one.n, bytes: utf8(one.text) });
  });

  it.each(golden.filter(({ frame }) => frame === "input"))("writes $means", (one) => {
    const { epoch = 0, run = 0, id = 0 } = one;
    const paste = (one.paste ?? undefined) as Paste | undefined;
    expect(toHex(encodeInput({ paste, epoch, run, id, bytes: utf8(one.text) }))).toBe(one.hex);
  });

  it("refuses frames that are cut, unknown, or past what a number holds", () => {
    expect(parseServerFrame(new ArrayBuffer(0))).toBeUndefined();
    expect(parseServerFrame(fromHex("01000000000000"))).toBeUndefined();
    expect(parseServerFrame(fromHex("020000"))).toBeUndefined();
    expect(parseServerFrame(fromHex("09ffffffffffffffffff"))).toBeUndefined();
    expect(parseServerFrame(fromHex("01ffffffffffffffff"))).toBeUndefined();
  });
});

describe("text messages", () => {
  it.each(serverMessages)("reads $type", (message) => {
    expect(parseServerMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each(clientMessages)("may send $type", (message) => {
    expect(isClientMessage(message)).toBe(true);
  });

  it("refuses what is no JSON, no message, or lacks a field", () => {
    expect(parseServerMessage("{")).toBeUndefined();
    expect(parseServerMessage("null")).toBeUndefined();
    expect(parseServerMessage('{"type":"launch"}')).toBeUndefined();
    expect(parseServerMessage('{"type":"resized","cols":80}')).toBeUndefined();
  });
});

function fromHex(hex: string): ArrayBuffer {
  return Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16)).buffer;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
