/**
 * What may be pasted into a program.
 *
 * Pasted text comes from anywhere, and the end mark of a bracketed paste inside it would let the
 * rest run as if it had been typed. The marks are written by the host, so no escape, C1 or other
 * control character has any business here: only TAB and line ends stay.
 */

/** The text without control characters, line ends as CR, which is what Enter sends. */
export function sanitizePaste(text: string): string {
  let clean = "";
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isControl = unit < 0x20 || (unit >= 0x7f && unit <= 0x9f);
    if (!isControl || unit === TAB || unit === CR) continue;
    clean += text.slice(kept, at);
    kept = at + 1;
    if (unit === LF && text.charCodeAt(at - 1) !== CR) clean += "\r";
  }
  return clean + text.slice(kept);
}

/** Whether a program that does not mark pastes would run the first line before the last is in. */
export function hasSeveralLines(sanitized: string): boolean {
  return sanitized.slice(0, -1).includes("\r");
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
