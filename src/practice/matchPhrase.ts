const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the target whose phrase the caller said, tolerating recognition errors, or undefined if none is close. */
export function matchPhrase(said: string, speech: Readonly<Record<string, string>>): string | undefined {
  const words = wordsOf(said);
  let best: { target: string; score: number } | undefined;
  for (const [phrase, target] of Object.entries(speech)) {
    const wanted = wordsOf(phrase);
    if (wanted.length === 0) continue;
    const score =
      wanted.reduce((sum, word) => sum + Math.max(0, ...words.map((heard) => closeness(word, heard))), 0) /
      wanted.length;
    if (score >= 0.7 && (!best || score > best.score)) best = { target, score };
  }
  return best?.target;
}

/** 1 for equal words, down to 0: one minus the edit distance over the longer length. */
function closeness(a: string, b: string): number {
  if (a === b) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return 1 - (previous[b.length] ?? 0) / Math.max(a.length, b.length);
}
