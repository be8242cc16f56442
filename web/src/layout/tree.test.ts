import { describe, expect, it } from "vitest";
import type { LayoutNode } from "../wire/gen/types.ts";
import * as tree from "./tree.ts";

const AREA = { x: 0, y: 0, width: 1001, height: 601 };

describe("the split tree", () => {
  it("gives a new pane half of the one it is split from", () => {
    const two = tree.split(tree.single("a"), "a", "row", "b");
    const { panes } = tree.placesIn(two, AREA);
    expect(panes.get("a")).toEqual({ x: 0, y: 0, width: 500, height: 601 });
    expect(panes.get("b")).toEqual({ x: 501, y: 0, width: 500, height: 601 });
  });

  it("keeps splits that lie the same way flat", () => {
    const three = build("a|b", ["b", "row", "c"]);
    expect(three).toMatchObject({ node: "split", shares: [0.5, 0.25, 0.25] });
    expect(tree.panesOf(three)).toEqual(["a", "b", "c"]);
  });

  it("gives the space of a closed pane to its neighbours and flattens what is left", () => {
    const four = build("a|b", ["b", "column", "c"], ["c", "row", "d"]);
    const three = tree.close(four, "b");
    expect(three).toMatchObject({ direction: "row", shares: [0.5, 0.25, 0.25] });
    expect(tree.close(tree.single("a"), "a")).toBeUndefined();
  });

  it("covers the area without a hole or an overlap, however it is split and closed", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const grown = grow(seed);
      const { panes, dividers } = tree.placesIn(grown, AREA);
      const covered = [...panes.values(), ...dividers.map(({ rect }) => rect)]
        .map(({ width, height }) => width * height)
        .reduce((sum, part) => sum + part, 0);
      expect(covered).toBe(AREA.width * AREA.height);
      expectNoSplitInSameDirection(grown);
    }
  });

  it("moves a divider between its two neighbours only, and not past their least", () => {
    const three = build("a|b", ["b", "row", "c"]);
    const moved = tree.moveDivider(three, [], 0, 0.125);
    expect(moved).toMatchObject({ shares: [0.625, 0.125, 0.25] });
    const far = tree.moveDivider(three, [], 0, 0.9);
    expect(far.node === "split" && far.shares[1]).toBeCloseTo(tree.SHARE_MIN);
  });

  it("moves a divider deep in the tree", () => {
    const nested = build("a|b", ["b", "column", "c"]);
    const moved = tree.moveDivider(nested, [1], 0, 0.25);
    expect(moved.node === "split" && moved.children[1]).toMatchObject({ shares: [0.75, 0.25] });
  });

  it("goes to the pane that shares most of the edge", () => {
    const layout = build("a|b", ["b", "column", "c"], ["c", "row", "d"]);
    const { panes } = tree.placesIn(layout, AREA);
    expect(tree.neighbor(panes, "a", "right")).toBe("b");
    expect(tree.neighbor(panes, "d", "left")).toBe("c");
    expect(tree.neighbor(panes, "d", "up")).toBe("b");
    expect(tree.neighbor(panes, "c", "left")).toBe("a");
    expect(tree.neighbor(panes, "a", "left")).toBeUndefined();
  });

  it("takes in panes it does not know and lets go of ones that are gone", () => {
    const two = build("a|b");
    const next = tree.reconcile(two, ["b", "c", "d"]);
    expect(next === undefined ? [] : tree.panesOf(next)).toEqual(["b", "c", "d"]);
    expect(tree.reconcile(undefined, [])).toBeUndefined();
    expect(tree.reconcile(two, [])).toBeUndefined();
  });

  it("swaps and replaces panes in place", () => {
    const three = build("a|b", ["b", "column", "c"]);
    expect(tree.panesOf(tree.swap(three, "a", "c"))).toEqual(["c", "b", "a"]);
    expect(tree.panesOf(tree.replace(three, "b", "x"))).toEqual(["a", "x", "c"]);
  });
});

function build(first: "a|b", ...splits: [string, "row" | "column", string][]): LayoutNode {
  const [left = "", right = ""] = first.split("|");
  let layout = tree.split(tree.single(left), left, "row", right);
  for (const [at, direction, added] of splits) layout = tree.split(layout, at, direction, added);
  return layout;
}

/** A tree after a random life of splits and closes. */
function grow(seed: number): LayoutNode {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  let layout = tree.single("0");
  for (let step = 1; step < 30; step += 1) {
    const panes = tree.panesOf(layout);
    const pane = panes[random(panes.length)] ?? "0";
    if (panes.length > 1 && random(3) === 0) layout = tree.close(layout, pane) ?? layout;
    else layout = tree.split(layout, pane, random(2) === 0 ? "row" : "column", String(step));
    if (layout.node === "split") layout = tree.moveDivider(layout, [], 0, random(100) / 100 - 0.5);
  }
  return layout;
}

function expectNoSplitInSameDirection(layout: LayoutNode): void {
  if (layout.node === "pane") return;
  expect(layout.children.length).toBeGreaterThan(1);
  for (const child of layout.children) {
    if (child.node === "split") expect(child.direction).not.toBe(layout.direction);
    expectNoSplitInSameDirection(child);
  }
}
