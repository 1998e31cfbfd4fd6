/**
 * Returns true if a text begins with the first of these parts, ends with the last one, and has the others between them
 * in order: a pattern with wildcards, split at them. Linear, because each part is searched after the one before it.
 */
export function partsInOrder(parts: readonly string[], text: string): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
