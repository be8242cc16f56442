/**
 * Which panes are at work, as far as their output tells: the last resort until the host judges.
 *
 * A pane is busy while output keeps coming and idle after a silence; what was printed while nobody
 * looked is unread until its pane had the focus for a second.
 */

import type { Model } from "./model.ts";
import type { Pool } from "./pool.ts";

/** Idle after this long without output. */
const QUIET_MS = 3_000;
/** Output must go on for this long: an echo is no work. */
const SUSTAINED_MS = 1_000;
const SEEN_AFTER_MS = 1_000;
const TICK_MS = 500;

interface Activity {
  /** Since when output has come without a silence. */
  sinceMs: number;
  lastMs: number;
}

export function watchActivity(model: Model, pool: Pool): void {
  const activities = new Map<string, Activity>();
  let focused: string | undefined;
  let focusedMs = 0;
  pool.attached.on((attachment) => {
    attachment.printed.on(() => {
      const nowMs = performance.now();
      const known = activities.get(attachment.pane);
      if (known === undefined || nowMs - known.lastMs > QUIET_MS) {
        activities.set(attachment.pane, { sinceMs: nowMs, lastMs: nowMs });
      } else known.lastMs = nowMs;
    });
  });
  pool.detached.on((pane) => activities.delete(pane));
  window.setInterval(() => {
    const nowMs = performance.now();
    const current = document.hasFocus() ? model.places.focused() : undefined;
    if (current !== focused) {
      focused = current;
      focusedMs = nowMs;
    }
    for (const [pane, { sinceMs, lastMs }] of activities) {
      const busy = nowMs - lastMs < QUIET_MS && lastMs - sinceMs >= SUSTAINED_MS;
      if (busy !== (model.state.busy[pane] ?? false)) {
        model.onActivity(pane, busy, pane === focused);
      }
      if (nowMs - lastMs >= QUIET_MS) activities.delete(pane);
    }
    if (focused !== undefined && nowMs - focusedMs >= SEEN_AFTER_MS) model.onSeen(focused);
  }, TICK_MS);
}
