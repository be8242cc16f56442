/** How well a few typed letters stand for a name. */

/**
 * A score, higher is better; nothing when the letters do not occur in this order.
 *
 * Letters that follow each other and letters that begin a word count more, so `sr` finds "Split
 * right" before "Restart".
 */
export function match(query: string, name: string): number | undefined {
  const wanted = query.toLowerCase();
  const text = name.toLowerCase();
  let score = 0;
  let at = 0;
  let last = -2;
  for (const letter of wanted) {
    if (letter === " ") continue;
    const next = bestAt(text, letter, at);
    if (next < 0) return undefined;
    if (next === last + 1) score += 3;
    if (startsWord(text, next)) score += 4;
    score -= Math.min(next - at, 3) / 4;
    last = next;
    at = next + 1;
  }
  return score;
}

/** The next place of the letter, preferring one that begins a word. */
function bestAt(text: string, letter: string, from: number): number {
  const first = text.indexOf(letter, from);
  if (first === from) return first;
  for (let at = first; at >= 0; at = text.indexOf(letter, at + 1)) {
    if (startsWord(text, at)) return at;
  }
  return first;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}
