import { runInNewContext } from 'node:vm';
import { inFigures } from '../../model/numbers/inFigures.ts';

const placeholder = /\{(\w+)\}/g;

/** `{name}` becomes the value of that name; one without a value stays. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

/** Names that stand in these texts and have no value. */
export function missingPlaceholders(texts: readonly string[], values: Readonly<Record<string, string>>): string[] {
  const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => !Object.hasOwn(values, name));
}

const patternMs = 200;

/**
 * What the pattern finds in the text: its first group, or the whole. Undefined where it finds nothing.
 * @throws Error for a pattern that is none, or that takes too long: it comes from whoever wrote the test, so its time
 * is bounded
 */
export function findPattern(pattern: string, text: string): string | undefined {
  try {
    const found: unknown = runInNewContext(
      '(() => { const found = new RegExp(pattern, "iu").exec(text); return found && String(found[1] ?? found[0]); })()',
      { pattern, text: text.slice(0, 20_000) },
      { timeout: patternMs },
    );
    return typeof found === 'string' ? found : undefined;
  } catch (error) {
    throw new Error(
      isTimeout(error)
        ? `The pattern “${pattern}” takes too long. Make it simpler.`
        : `The pattern “${pattern}” isn't a valid regular expression. Correct it.`,
      { cause: error },
    );
  }
}

/**
 * What the pattern finds in what was said, where numbers may be words: figures where it finds figures.
 * @throws Error as findPattern
 */
export function findSpoken(pattern: string, heard: string): string | undefined {
  const asHeard = findPattern(pattern, heard);
  // "4 7 1" is one number, and of its figures the pattern may have found the first alone.
  return asHeard !== undefined && !/\d/.test(asHeard) ? asHeard : (findPattern(pattern, inFigures(heard)) ?? asHeard);
}

/**
 * What the pattern finds, each behind the last: so many at most. A pattern that is none, or takes too long, finds no
 * more.
 */
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
