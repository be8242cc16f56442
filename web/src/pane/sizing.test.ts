import { describe, expect, it } from "vitest";
import { RESIZE_EVERY_MS, SizePacer } from "./sizing.ts";

describe("resizing", () => {
  it("sends the first size at once and the last one at the end", () => {
    const pacer = new SizePacer();
    pacer.onCurrent({ cols: 80, rows: 24 });
    expect(pacer.onWanted({ cols: 81, rows: 24 }, 0)).toEqual({ cols: 81, rows: 24 });
    for (let cols = 82; cols <= 99; cols += 1) {
      expect(pacer.onWanted({ cols, rows: 24 }, cols - 80)).toBeUndefined();
    }
    expect(pacer.deadline()).toBe(RESIZE_EVERY_MS);
    expect(pacer.onTick(RESIZE_EVERY_MS)).toEqual({ cols: 99, rows: 24 });
    expect(pacer.deadline()).toBeUndefined();
  });

  it("says nothing while hidden or watching", () => {
    const pacer = new SizePacer();
    pacer.onCurrent({ cols: 80, rows: 24 });
    expect(pacer.onWanted(undefined, 0)).toBeUndefined();
    expect(pacer.deadline()).toBeUndefined();
  });

  it("says nothing when the PTY already has the size", () => {
    const pacer = new SizePacer();
    pacer.onCurrent({ cols: 80, rows: 24 });
    expect(pacer.onWanted({ cols: 80, rows: 24 }, 0)).toBeUndefined();
  });

  it("asks again when somebody else sized it meanwhile", () => {
    const pacer = new SizePacer();
    pacer.onWanted({ cols: 80, rows: 24 }, 0);
    pacer.onCurrent({ cols: 120, rows: 40 });
    expect(pacer.onTick(RESIZE_EVERY_MS)).toEqual({ cols: 80, rows: 24 });
  });
});
