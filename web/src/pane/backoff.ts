/**
 * How long to wait before the page asks the core again whether it is back.
 *
 * A core that restarts is back within a second, and sessions are promised on the screen within one
 * more: so the first two minutes ask often. It is one question a page, whatever the panes.
 */

/** Asking often ends after this long without an answer. */
export const EAGER_FOR_MS = 120_000;
const EAGER_LEAST_MS = 200;
const EAGER_MOST_MS = 500;
const PATIENT_MS = 5_000;

/**
 * The wait before the next try, `lostForMs` after the connection went.
 *
 * `random` lies in 0..1 and keeps pages that lost the same core from asking at the same moment.
 */
export function retryDelayMs(lostForMs: number, random: number): number {
  if (lostForMs >= EAGER_FOR_MS) return PATIENT_MS;
  return EAGER_LEAST_MS + random * (EAGER_MOST_MS - EAGER_LEAST_MS);
}
