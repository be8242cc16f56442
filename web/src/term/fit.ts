/**
 * How many cells fit a pane, and at which font size a grid somebody else set fits it.
 *
 * The holder's view sets the size of the PTY; every other view shows that same grid smaller. The
 * font shrinks instead of the picture, so text stays sharp and the mouse stays right.
 */

import { COLS_MAX, ROWS_MAX } from "../wire/gen/limits.ts";

export interface Cell {
  readonly width: number;
  readonly height: number;
}

export interface Area {
  readonly width: number;
  readonly height: number;
}

/** A PTY is never asked to be smaller than this. */
export const COLS_LEAST = 20;
export const ROWS_LEAST = 5;
/** Below this nobody can read: then the view pans. */
export const FONT_LEAST_PX = 9;

export function gridIn(area: Area, cell: Cell): { cols: number; rows: number } {
  const cols = Math.floor(area.width / cell.width);
  const rows = Math.floor(area.height / cell.height);
  return {
    cols: Math.min(Math.max(cols, COLS_LEAST), COLS_MAX),
    rows: Math.min(Math.max(rows, ROWS_LEAST), ROWS_MAX),
  };
}

/** The largest font size up to `base` at which the grid fits, in half pixels. */
export function fontSizeFor(
  area: Area,
  grid: { cols: number; rows: number },
  cell: Cell,
  base: number,
): number {
  const across = area.width / (grid.cols * cell.width);
  const down = area.height / (grid.rows * cell.height);
  const scale = Math.min(1, across, down);
  if (scale >= 1) return base;
  return Math.max(FONT_LEAST_PX, Math.floor(base * scale * 2) / 2);
}
