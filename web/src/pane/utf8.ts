/** Where bytes of UTF-8 may be cut: xterm.js loses characters that a write splits. */

/**
 * The largest cut at or before `limit` that splits no character.
 *
 * Bytes that are no UTF-8 are cut at `limit`: there is no character to split.
 */
export function cutAt(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  for (let at = limit; at > 0 && at > limit - 4; at -= 1) {
    const isContinuation = ((bytes[at] ?? 0) & 0xc0) === 0x80;
    if (!isContinuation) return at;
  }
  return limit;
}

/** Several pieces as one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
