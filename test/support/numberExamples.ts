import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Parses a numbering plan's pattern: choices, groups, classes, digits, and repetitions. */
function readPattern(pattern: string): () => string[] {
  let at = 0;
  const choices = (): (() => string[]) => {
    const branches = [sequence()];
    while (pattern[at] === '|') {
      at += 1;
      branches.push(sequence());
    }
    return () => branches.flatMap((branch) => branch());
  };
  const sequence = (): (() => string[]) => {
    const parts: (() => string[])[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated());
    // Takes the last alternative of each part in turn, which gives few numbers that cover each choice.
    return () =>
      parts.reduce<string[]>(
        (all, part) => {
          const next = part();
          return Array.from(
            { length: Math.max(all.length, next.length) },
            (_, n) => `${all[n % all.length] ?? ''}${next[n % next.length] ?? ''}`,
          );
        },
        [''],
      );
  };
  const repeated = (): (() => string[]) => {
    const one = single();
    const [count, least = '', most = least] = /^(?:\?|\{(\d+)(?:,(\d+))?\})/.exec(pattern.slice(at)) ?? [''];
    at += count.length;
    if (count === '') return one;
    const times = count === '?' ? [1, 0] : [Number(least), Number(most)];
    return () => [...new Set(times)].flatMap((n) => one().map((text) => text.repeat(n)));
  };
  const single = (): (() => string[]) => {
    if (pattern.startsWith('(?:', at)) {
      at += 3;
      const inner = choices();
      at += 1;
      return inner;
    }
    const [token = ''] = /^(?:\\d|\[[^\]]*\]|\d)/.exec(pattern.slice(at)) ?? [];
    if (token === '') throw new Error(`cannot read ${pattern} at ${String(at)}`);
    at += token.length;
    const fits = new RegExp(`^${token}$`);
    const digits = Array.from('5274136890').filter((digit) => fits.test(digit));
    return () => digits.slice(0, 2);
  };
  return choices();
}

const types = ['FIXED_LINE', 'MOBILE', 'TOLL_FREE', 'PREMIUM_RATE'] as const;
export type ExampleType = (typeof types)[number];

/** From the metadata: the calling code, then, from index 11, the pattern of each type. */
type Territory = readonly [callingCode: string, ...rest: unknown[]];

/**
 * Returns numbers of a type for each territory with that type, made from the patterns of its numbering plan. They aren't
 * validated: ask the library which are valid.
 */
export function numberExamples(type: ExampleType): ReadonlyMap<string, readonly string[]> {
  const path = createRequire(import.meta.url).resolve('libphonenumber-js/metadata.max.json');
  const { countries } = JSON.parse(readFileSync(path, 'utf8')) as { countries: Record<string, Territory> };
  return new Map(
    Object.entries(countries).flatMap(([country, territory]) => {
      const patterns = (territory[11] as readonly (readonly [string] | 0)[] | undefined)?.[types.indexOf(type)];
      return patterns && patterns[0] !== ''
        ? [[country, readPattern(patterns[0])().map((national) => `+${territory[0]}${national}`)] as const]
        : [];
    }),
  );
}
