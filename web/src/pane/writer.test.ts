import { describe, expect, it } from "vitest";
import { TERMINAL_WRITE_MAX_BYTES } from "../wire/gen/limits.ts";
import { cutAt } from "./utf8.ts";
import { JOIN_MAX_BYTES, type Job, PaneWriter, type Step } from "./writer.ts";

describe("the writer", () => {
  it("has one write in flight", () => {
    const writer = new PaneWriter();
    writer.push(output("a", 1));
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("a") });
    writer.push(output("b", 2));
    expect(writer.next()).toBeUndefined();
    expect(writer.onWritten()).toEqual({ socket: 1, stream: 1, seq: 1 });
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("b") });
  });

  it("joins what has gathered meanwhile and acknowledges its end", () => {
    const writer = new PaneWriter();
    for (const [text, seq] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const)
      writer.push(output(text, seq));
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("abc") });
    expect(writer.onWritten()).toEqual({ socket: 1, stream: 1, seq: 3 });
    expect(writer.idle).toBe(true);
  });

  it("joins no more than its limit", () => {
    const writer = new PaneWriter();
    const half = new Uint8Array(JOIN_MAX_BYTES / 2 + 1);
    writer.push({ job: "output", bytes: half, at: { socket: 1, stream: 1, seq: half.length } });
    writer.push({ job: "output", bytes: half, at: { socket: 1, stream: 1, seq: 2 * half.length } });
    expect(length(writer.next())).toBe(half.length);
  });

  it("sizes only after everything before has been parsed", () => {
    const writer = new PaneWriter();
    writer.push(output("wide", 4));
    writer.push({ job: "size", cols: 80, rows: 24 });
    writer.push(output("narrow", 10));
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("wide") });
    expect(writer.next()).toBeUndefined();
    writer.onWritten();
    expect(writer.next()).toEqual({ step: "size", cols: 80, rows: 24 });
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("narrow") });
  });

  it("draws a screen from a reset, sized, and forgets what waited before it", () => {
    const writer = new PaneWriter();
    writer.push(output("old", 3));
    writer.push(screen("new", 9));
    expect(writer.next()).toEqual({ step: "reset" });
    expect(writer.next()).toEqual({ step: "size", cols: 100, rows: 30 });
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("new") });
    expect(writer.onWritten()).toEqual({ socket: 1, stream: 1, seq: 9, n: 1 });
    expect(writer.idle).toBe(true);
  });

  it("acknowledges a screen apart from the output behind it", () => {
    const writer = new PaneWriter();
    writer.push(screen("new", 9));
    writer.push(output("more", 13));
    writer.next();
    writer.next();
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("new") });
    expect(writer.onWritten()).toEqual({ socket: 1, stream: 1, seq: 9, n: 1 });
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("more") });
  });

  it("acknowledges an empty screen", () => {
    const writer = new PaneWriter();
    writer.push(screen("", 0));
    writer.next();
    writer.next();
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("") });
    expect(writer.onWritten()).toEqual({ socket: 1, stream: 1, seq: 0, n: 1 });
  });

  it("cuts a large screen between characters and acknowledges it once", () => {
    const writer = new PaneWriter();
    // Two bytes a character, so the limit would split one if the screen begins with an odd byte.
    const text = `x${"é".repeat(TERMINAL_WRITE_MAX_BYTES)}`;
    writer.push(screen(text, 5));
    writer.next();
    writer.next();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let drawn = "";
    for (;;) {
      const step = writer.next();
      if (step?.step !== "write") throw new Error("nothing to write before the end");
      expect(step.bytes.length).toBeLessThanOrEqual(TERMINAL_WRITE_MAX_BYTES);
      drawn += decoder.decode(step.bytes);
      if (writer.onWritten() !== undefined) break;
    }
    expect(drawn === text).toBe(true);
  });

  it("gives nothing while held, and everything in order after", () => {
    const writer = new PaneWriter();
    writer.hold(true);
    writer.push(output("hid", 3));
    expect(writer.next()).toBeUndefined();
    expect(writer.queuedBytes).toBe(3);
    writer.hold(false);
    expect(writer.next()).toEqual({ step: "write", bytes: bytes("hid") });
    expect(writer.queuedBytes).toBe(0);
  });

  it("counts dropped bytes once", () => {
    const writer = new PaneWriter();
    writer.hold(true);
    writer.push(output("abc", 3));
    writer.push(output("de", 5));
    expect(writer.drop()).toBe(5);
    expect(writer.drop()).toBe(0);
  });
});

describe("cutting", () => {
  it.each(["é", "€", "🚀"])("never splits %s", (character) => {
    const text = bytes(character.repeat(8));
    for (let limit = character.length; limit <= text.length; limit += 1) {
      const cut = cutAt(text, Math.max(limit, 4));
      expect(() =>
        new TextDecoder("utf-8", { fatal: true }).decode(text.subarray(0, cut)),
      ).not.toThrow();
    }
  });

  it("cuts what is no text at the limit", () => {
    expect(cutAt(new Uint8Array(100).fill(0x80), 50)).toBe(50);
  });
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function output(text: string, seq: number): Job {
  return { job: "output", bytes: bytes(text), at: { socket: 1, stream: 1, seq } };
}

function screen(text: string, seq: number): Job {
  return {
    job: "screen",
    cols: 100,
    rows: 30,
    bytes: bytes(text),
    at: { socket: 1, stream: 1, seq, n: 1 },
  };
}

function length(step: Step | undefined): number {
  return step?.step === "write" ? step.bytes.length : 0;
}
