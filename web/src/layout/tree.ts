/**
 * How the panes of a room share its space: a tree of splits, changed by replacing it.
 *
 * Splits have any number of children and a child never lies the same way as its parent, so dragging
 * one divider moves two neighbours and nothing else. Places are computed, never nested in the page:
 * a pane's element stays where it is while the tree around it changes, and so does its terminal.
 */

import type { LayoutNode, SplitDirection } from "../wire/gen/types.ts";

export type Direction = "left" | "right" | "up" | "down";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The line between two children of a split. */
export interface Divider {
  /** From the root to the split: which child at each step. */
  readonly path: readonly number[];
  /** It lies after this child. */
  readonly after: number;
  readonly direction: SplitDirection;
  readonly rect: Rect;
  /** Length of the whole split along its direction, for turning pixels into shares. */
  readonly lengthPx: number;
}

export interface Places {
  readonly panes: ReadonlyMap<string, Rect>;
  readonly dividers: readonly Divider[];
}

/** Smallest share of a split that dragging leaves to a child. */
export const SHARE_MIN = 0.08;
/** Room between two panes: the line that is drawn there. */
export const GUTTER_PX = 1;

export function single(pane: string): LayoutNode {
  return { node: "pane", pane };
}

/** The panes from left to right, from top to bottom. */
export function panesOf(tree: LayoutNode): string[] {
  return tree.node === "pane" ? [tree.pane] : tree.children.flatMap(panesOf);
}

/** Puts `added` beside `pane`, which gives it half of its space. */
export function split(
  tree: LayoutNode,
  pane: string,
  direction: SplitDirection,
  added: string,
): LayoutNode {
  if (tree.node === "pane") {
    if (tree.pane !== pane) return tree;
    return { node: "split", direction, shares: [0.5, 0.5], children: [tree, single(added)] };
  }
  const children: LayoutNode[] = [];
  const shares: number[] = [];
  tree.children.forEach((child, index) => {
    const share = tree.shares[index] ?? 0;
    const isHere = child.node === "pane" && child.pane === pane && tree.direction === direction;
    if (isHere) {
      children.push(child, single(added));
      shares.push(share / 2, share / 2);
    } else {
      children.push(split(child, pane, direction, added));
      shares.push(share);
    }
  });
  return { node: "split", direction: tree.direction, shares, children };
}

/** Takes `pane` out; its neighbours get its space. Nothing when it was the last. */
export function close(tree: LayoutNode, pane: string): LayoutNode | undefined {
  if (tree.node === "pane") return tree.pane === pane ? undefined : tree;
  const children: LayoutNode[] = [];
  const shares: number[] = [];
  tree.children.forEach((child, index) => {
    const left = close(child, pane);
    if (left === undefined) return;
    children.push(left);
    shares.push(tree.shares[index] ?? 0);
  });
  return join(tree.direction, children, shares);
}

/** Puts `replacement` in the place of `pane`. */
export function replace(tree: LayoutNode, pane: string, replacement: string): LayoutNode {
  if (tree.node === "pane") return tree.pane === pane ? single(replacement) : tree;
  const children = tree.children.map((child) => replace(child, pane, replacement));
  return { ...tree, children };
}

/** Lets two panes change places. */
export function swap(tree: LayoutNode, one: string, other: string): LayoutNode {
  if (tree.node === "split") {
    return { ...tree, children: tree.children.map((child) => swap(child, one, other)) };
  }
  if (tree.pane === one) return single(other);
  return tree.pane === other ? single(one) : tree;
}

/** Makes the tree hold exactly `panes`: gone ones are closed, unknown ones added at the end. */
export function reconcile(
  tree: LayoutNode | undefined,
  panes: readonly string[],
): LayoutNode | undefined {
  let result = tree;
  for (const pane of tree === undefined ? [] : panesOf(tree)) {
    if (!panes.includes(pane) && result !== undefined) result = close(result, pane);
  }
  const known = new Set(result === undefined ? [] : panesOf(result));
  for (const pane of panes) {
    if (known.has(pane)) continue;
    result = result === undefined ? single(pane) : append(result, pane);
  }
  return result;
}

/** Moves the divider by a part of its split's length, within what its neighbours can give. */
export function moveDivider(
  tree: LayoutNode,
  path: readonly number[],
  after: number,
  by: number,
): LayoutNode {
  if (tree.node === "pane") return tree;
  const [step, ...rest] = path;
  if (step !== undefined) {
    const children = tree.children.map((child, index) =>
      index === step ? moveDivider(child, rest, after, by) : child,
    );
    return { ...tree, children };
  }
  const before = tree.shares[after] ?? 0;
  const behind = tree.shares[after + 1] ?? 0;
  const total = tree.shares.reduce((sum, share) => sum + share, 0);
  const least = Math.min(SHARE_MIN * total, before, behind);
  const moved = Math.min(Math.max(before + by * total, least), before + behind - least);
  const shares = tree.shares.slice();
  shares[after] = moved;
  shares[after + 1] = before + behind - moved;
  return { ...tree, shares };
}

/** Where everything lies inside `area`, in whole pixels. */
export function placesIn(tree: LayoutNode, area: Rect): Places {
  const panes = new Map<string, Rect>();
  const dividers: Divider[] = [];
  place(tree, area, [], panes, dividers);
  return { panes, dividers };
}

/** The pane one meets going that way from `from`: the one that shares most of the edge. */
export function neighbor(
  panes: ReadonlyMap<string, Rect>,
  from: string,
  direction: Direction,
): string | undefined {
  const start = panes.get(from);
  if (start === undefined) return undefined;
  let best: { pane: string; distance: number; overlap: number } | undefined;
  for (const [pane, rect] of panes) {
    if (pane === from) continue;
    const distance = gap(start, rect, direction);
    if (distance < 0) continue;
    const overlap = sharedEdge(start, rect, direction);
    if (overlap <= 0) continue;
    const isBetter =
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && overlap > best.overlap);
    if (isBetter) best = { pane, distance, overlap };
  }
  return best?.pane;
}

function place(
  tree: LayoutNode,
  area: Rect,
  path: readonly number[],
  panes: Map<string, Rect>,
  dividers: Divider[],
): void {
  if (tree.node === "pane") {
    panes.set(tree.pane, area);
    return;
  }
  const isRow = tree.direction === "row";
  const lengthPx = isRow ? area.width : area.height;
  const usable = Math.max(0, lengthPx - GUTTER_PX * (tree.children.length - 1));
  const total = tree.shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  let at = isRow ? area.x : area.y;
  tree.children.forEach((child, index) => {
    const begin = Math.round((sum / total) * usable);
    sum += tree.shares[index] ?? 0;
    const length = Math.round((sum / total) * usable) - begin;
    const rect = along(area, isRow, at, length);
    place(child, rect, [...path, index], panes, dividers);
    at += length;
    if (index < tree.children.length - 1) {
      const line = along(area, isRow, at, GUTTER_PX);
      dividers.push({ path, after: index, direction: tree.direction, rect: line, lengthPx });
      at += GUTTER_PX;
    }
  });
}

function along(area: Rect, isRow: boolean, at: number, length: number): Rect {
  return isRow ? { ...area, x: at, width: length } : { ...area, y: at, height: length };
}

function append(tree: LayoutNode, pane: string): LayoutNode {
  if (tree.node === "split" && tree.direction === "row") {
    const total = tree.shares.reduce((sum, share) => sum + share, 0);
    const shares = [...tree.shares, total / tree.children.length];
    return { ...tree, shares, children: [...tree.children, single(pane)] };
  }
  return { node: "split", direction: "row", shares: [0.5, 0.5], children: [tree, single(pane)] };
}

function join(
  direction: SplitDirection,
  children: readonly LayoutNode[],
  shares: readonly number[],
): LayoutNode | undefined {
  const [only] = children;
  if (children.length <= 1) return only;
  const flat: LayoutNode[] = [];
  const flatShares: number[] = [];
  children.forEach((child, index) => {
    const share = shares[index] ?? 0;
    if (child.node === "pane" || child.direction !== direction) {
      flat.push(child);
      flatShares.push(share);
      return;
    }
    const total = child.shares.reduce((sum, part) => sum + part, 0);
    child.children.forEach((inner, at) => {
      flat.push(inner);
      flatShares.push((share * (child.shares[at] ?? 0)) / total);
    });
  });
  return { node: "split", direction, shares: flatShares, children: flat };
}

function gap(from: Rect, to: Rect, direction: Direction): number {
  switch (direction) {
    case "left":
      return from.x - (to.x + to.width);
    case "right":
      return to.x - (from.x + from.width);
    case "up":
      return from.y - (to.y + to.height);
    case "down":
      return to.y - (from.y + from.height);
  }
}

function sharedEdge(one: Rect, other: Rect, direction: Direction): number {
  const isSideways = direction === "left" || direction === "right";
  const [from, to] = isSideways
    ? [Math.max(one.y, other.y), Math.min(one.y + one.height, other.y + other.height)]
    : [Math.max(one.x, other.x), Math.min(one.x + one.width, other.x + other.width)];
  return to - from;
}
