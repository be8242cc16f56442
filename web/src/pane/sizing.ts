/**
 * When the holder's view tells the PTY its size.
 *
 * Programs redraw on every resize, so dragging a divider sends few of them and always the last one.
 */

/** At most one resize in this time, and one at the end. */
export const RESIZE_EVERY_MS = 150;

export interface GridSize {
  readonly cols: number;
  readonly rows: number;
}

export class SizePacer {
  /** What the view would like; nothing while it may not say. */
  #wanted: GridSize | undefined;
  /** What the PTY has, as last told or asked. */
  #current: GridSize | undefined;
  #sentMs = Number.NEGATIVE_INFINITY;

  /** The size that fits the view; nothing while it is hidden or somebody else holds. */
  onWanted(wanted: GridSize | undefined, nowMs: number): GridSize | undefined {
    this.#wanted = wanted;
    return this.onTick(nowMs);
  }

  /** The PTY has this size now, whoever set it. */
  onCurrent(current: GridSize): void {
    this.#current = current;
  }

  deadline(): number | undefined {
    return this.#isDue() ? this.#sentMs + RESIZE_EVERY_MS : undefined;
  }

  /** The size to send now, if any. */
  onTick(nowMs: number): GridSize | undefined {
    const wanted = this.#wanted;
    if (wanted === undefined || !this.#isDue() || nowMs - this.#sentMs < RESIZE_EVERY_MS) {
      return undefined;
    }
    this.#sentMs = nowMs;
    this.#current = wanted;
    return wanted;
  }

  #isDue(): boolean {
    const wanted = this.#wanted;
    const current = this.#current;
    if (wanted === undefined) return false;
    return wanted.cols !== current?.cols || wanted.rows !== current.rows;
  }
}
