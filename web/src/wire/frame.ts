/**
 * The binary frames of a `glasshouse.v1` socket. All integers are big-endian.
 *
 * Written by hand here and in Rust; the golden files in `tests/fixtures/frames` hold both to the
 * same bytes. A Seq is the end of what the frame holds, exact up to 2^53.
 */

import type { Paste } from "./gen/types.ts";

const TAG_OUTPUT = 1;
const TAG_SNAPSHOT = 2;
const TAG_INPUT = 16;
const PASTE_TAGS: Readonly<Record<Paste, number>> = { one: 17, start: 18, more: 19, end: 20 };
const OUTPUT_HEAD_BYTES = 9;
const SNAPSHOT_HEAD_BYTES = 5;
const INPUT_HEAD_BYTES = 17;

export type ServerFrame =
  | { readonly frame: "output"; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly frame: "snapshot"; readonly n: number; readonly bytes: Uint8Array };

/** Reads a frame from the core; nothing for one that does not parse, and the caller hangs up. */
export function parseServerFrame(buffer: ArrayBuffer): ServerFrame | undefined {
  const view = new DataView(buffer);
  if (view.byteLength === 0) return undefined;
  switch (view.getUint8(0)) {
    case TAG_OUTPUT: {
      if (view.byteLength < OUTPUT_HEAD_BYTES) return undefined;
      const seq = Number(view.getBigUint64(1));
      if (!Number.isSafeInteger(seq)) return undefined;
      return { frame: "output", seq, bytes: new Uint8Array(buffer, OUTPUT_HEAD_BYTES) };
    }
    case TAG_SNAPSHOT: {
      if (view.byteLength < SNAPSHOT_HEAD_BYTES) return undefined;
      const n = view.getUint32(1);
      return { frame: "snapshot", n, bytes: new Uint8Array(buffer, SNAPSHOT_HEAD_BYTES) };
    }
    default:
      return undefined;
  }
}

/** One input, as the lease numbers it. */
export interface InputFrame {
  /** Which part of a paste it is; none for keys. */
  readonly paste?: Paste | undefined;
  /** Under which grant. */
  readonly epoch: number;
  /** How many refusals this viewer has seen. */
  readonly run: number;
  /** Counts up for the life of the viewer. */
  readonly id: number;
  readonly bytes: Uint8Array;
}

export function encodeInput(input: InputFrame): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(INPUT_HEAD_BYTES + input.bytes.length);
  const view = new DataView(out.buffer);
  view.setUint8(0, input.paste === undefined ? TAG_INPUT : PASTE_TAGS[input.paste]);
  view.setUint32(1, input.epoch);
  view.setUint32(5, input.run);
  view.setBigUint64(9, BigInt(input.id));
  out.set(input.bytes, INPUT_HEAD_BYTES);
  return out;
}
