import { describe, expect, it } from "vitest";
import { HiddenQueues } from "./hidden.ts";
import { WarmRooms } from "./warm.ts";

describe("warm rooms", () => {
  it("lets the room go that was not shown for longest", () => {
    const warm = new WarmRooms({ rooms: 2, panes: 96 });
    expect(warm.onShown("a", 4)).toEqual([]);
    expect(warm.onShown("b", 4)).toEqual([]);
    warm.onShown("a", 4);
    expect(warm.onShown("c", 4)).toEqual(["b"]);
    expect(warm.rooms).toEqual(["c", "a"]);
  });

  it("counts panes too, but never lets the shown room go", () => {
    const warm = new WarmRooms({ rooms: 6, panes: 20 });
    warm.onShown("a", 16);
    expect(warm.onShown("b", 10)).toEqual(["a"]);
    expect(warm.onPanes("b", 30)).toEqual([]);
    expect(warm.isWarm("b")).toBe(true);
  });

  it("forgets rooms that are gone", () => {
    const warm = new WarmRooms({ rooms: 1, panes: 96 });
    warm.onShown("a", 1);
    warm.onGone("a");
    expect(warm.onShown("b", 1)).toEqual([]);
  });
});

describe("hidden queues", () => {
  it("drop a pane's own queue past its cap", () => {
    const queues = new HiddenQueues({ paneBytes: 100, pageBytes: 1_000 });
    expect(queues.onQueued("a", 100)).toEqual([]);
    expect(queues.onQueued("a", 101)).toEqual(["a"]);
    expect(queues.totalBytes).toBe(0);
    expect(queues.drops).toBe(1);
  });

  it("drop the fullest when the page is full", () => {
    const queues = new HiddenQueues({ paneBytes: 100, pageBytes: 150 });
    queues.onQueued("a", 80);
    queues.onQueued("b", 40);
    expect(queues.onQueued("c", 35)).toEqual(["a"]);
    expect(queues.totalBytes).toBe(75);
  });

  it("never hold more than the page's cap", () => {
    const queues = new HiddenQueues({ paneBytes: 100, pageBytes: 250 });
    for (let step = 0; step < 500; step += 1) {
      queues.onQueued(`pane ${step % 7}`, (step * 37) % 130);
      expect(queues.totalBytes).toBeLessThanOrEqual(250);
    }
  });

  it("give back what a shown pane held", () => {
    const queues = new HiddenQueues({ paneBytes: 100, pageBytes: 150 });
    queues.onQueued("a", 80);
    queues.onShown("a");
    expect(queues.totalBytes).toBe(0);
  });
});
