import { runInNewContext } from 'node:vm';
import { inFigures } from '../../model/numbers/inFigures.ts';
import { columnsIn } from '../../model/tests/columnUse.ts';

/** Returns the names in these texts that have no value. */
export function missingPlaceholders(texts: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return [...new Set(texts.flatMap(columnsIn))].filter((name) => !Object.hasOwn(values, name));
}

const patternMs = 200;
/** A busy machine can use up the time of a simple pattern, but not twice in a row. */
const patternTries = 2;

/**
 * Returns what the pattern finds in the text: its first group, or the whole match. Undefined if it doesn't match.
 * @throws Error for an invalid pattern, or one that takes too long: the test's author writes it, so its time is limited
 */
function findPattern(pattern: string, text: string, tries = patternTries): string | undefined {
  try {
    const found: unknown = runInNewContext(
      '(() => { const found = new RegExp(pattern, "iu").exec(text); return found && String(found[1] ?? found[0]); })()',
      { pattern, text: text.slice(0, 20_000) },
      { timeout: patternMs },
    );
    return typeof found === 'string' ? found : undefined;
  } catch (error) {
    if (isTimeout(error) && tries > 1) return findPattern(pattern, text, tries - 1);
    throw new Error(
      isTimeout(error)
        ? `The pattern “${pattern}” takes too long. Make it simpler.`
        : `The pattern “${pattern}” isn't a valid regular expression. Correct it.`,
      { cause: error },
    );
  }
}

/**
 * Returns what the pattern finds in spoken text, where numbers can be words. Digits are tried if it needs digits.
 * @throws Error like findPattern
 */
export function findSpoken(pattern: string, heard: string): string | undefined {
  const asHeard = findPattern(pattern, heard);
  // "4 7 1" is one number, and the pattern may have matched only its first digit.
  return asHeard !== undefined && !/\d/.test(asHeard) ? asHeard : (findPattern(pattern, inFigures(heard)) ?? asHeard);
}

/** Returns up to `most` consecutive matches of the pattern. Stops if the pattern is invalid or takes too long. */
export function findRepeatedly(pattern: string, text: string, most: number): string[] {
  const all: string[] = [];
  let rest = text;
  try {
    while (all.length < most) {
      const found = findPattern(pattern, rest);
      if (found === undefined || found === '') break;
      all.push(found);
      rest = rest.slice(rest.indexOf(found) + found.length);
    }
  } catch {
    return all;
  }
  return all;
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
