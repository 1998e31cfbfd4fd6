const negations = /\b(?:not|no|never|nobody|none|neither|nor|without|cannot|unable|hardly|\w+n't)\b/u;
/** "No, I am a machine" denies nothing after the comma. */
const clauseEnds = /[.;:!?,]|\b(?:but|because|so)\b/u;
const lookarounds = /\(\?<?[!=](?:[^()]|\([^()]*\))*\)/gu;

/** Returns true if a pattern itself looks for a denial. */
const denies = (pattern: string): boolean =>
  negations.test(pattern.replaceAll(lookarounds, '').replaceAll(/\\\w|[\\()|?:]/gu, ' '));

/**
 * Returns where a sentence in lower case first matches one of the patterns without denying it in the same clause ("no
 * calls are recorded"), or -1.
 */
export function saidAt(patterns: readonly string[], text: string): number {
  const places = patterns.flatMap((pattern) => {
    const found = [...text.matchAll(new RegExp(pattern, 'gu'))];
    return (
      denies(pattern)
        ? found
        : found.filter(
            ({ index, 0: matched }) => !negations.test((text.slice(0, index).split(clauseEnds).at(-1) ?? '') + matched),
          )
    ).map(({ index }) => index);
  });
  return places.length === 0 ? -1 : Math.min(...places);
}
