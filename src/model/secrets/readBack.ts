import { keysHeard } from '../../base/mishearings.ts';
import { patternWith } from '../../base/rows.ts';
import { wordTable } from '../../base/wordTable.ts';
import { spokenWords } from '../heard/heardWords.ts';
import { digitsByName, ohNames, repeats } from '../numbers/numberWords.ts';

/** Fewer consecutive digits are said for other reasons. A shorter secret counts as a whole. */
const minDigits = 4;
/** For the end of a secret, as in "beginning with four seven one". */
const minOfEnd = 3;

const digitWords = wordTable<string>({
  ...digitsByName,
  ...Object.fromEntries(ohNames.map((name) => [name, '0'])),
});
/** Words that are heard instead of a digit, but are also said for other reasons: "press one. To hear this again". */
const soundAlikes = wordTable<string>(
  // A digit is almost never heard as these, and "won" is a common word.
  (({ fore: _fore, won: _won, ...others }) => others)(keysHeard('anywhere')),
);
const digitOf = (word: string): string | undefined =>
  /^\d+$/.test(word) ? word : (digitWords[word] ?? soundAlikes[word]);

export interface SecretStretch {
  readonly from: number;
  readonly to: number;
}
/** `sure`: how many of the digits sound like nothing else. */
interface Digits extends SecretStretch {
  readonly digits: string;
  readonly sure: number;
}

/**
 * How much counts as a part of a secret. `ends`: also its first or last three digits, except amounts. `pieces`: also
 * two consecutive digits that aren't an amount and sound like nothing else, and a sentence of digits only, as in a
 * number that is read out with pauses. Both have false matches, so use them only for masking.
 */
export type ReadBackParts = 'long' | 'ends' | 'pieces';

/** Returns every part of a secret that would reveal it, so that all are masked. */
export const tellingParts = (secret: string): string[] =>
  secret.length <= minDigits
    ? [secret]
    : [
        secret,
        ...Array.from({ length: secret.length - minDigits + 1 }, (_, start) => secret.slice(start, start + minDigits)),
      ];

/**
 * Finds where a text repeats digits of these secrets, in digits or words: "four oh one two", "40 12", "forty twelve",
 * "double eight". In order, without overlaps.
 */
export function findReadBack(text: string, secrets: readonly string[], parts: ReadBackParts = 'long'): SecretStretch[] {
  if (secrets.length === 0) return [];
  const plain = plainWords(text);
  const alone =
    parts === 'pieces' &&
    plain.length > 0 &&
    plain.every((word) => digitOf(word.text) !== undefined || repeats[word.text] !== undefined);
  const tellsPart = (run: Digits, secret: string): boolean => {
    const { digits } = run;
    if (parts === 'pieces') return (alone || (run.sure > 1 && !isAmount(text, run))) && secret.includes(digits);
    return (
      parts === 'ends' &&
      digits.length === minOfEnd &&
      secret.length > minOfEnd &&
      (secret.startsWith(digits) || secret.endsWith(digits)) &&
      !isAmount(text, run)
    );
  };
  return apart(
    [...digitRuns(plain), ...digitRuns(spokenWords(text))].filter((run) =>
      secrets.some((secret) => tells(run.digits, secret) || tellsPart(run, secret)),
    ),
  );
}

/**
 * Returns the numbers with at least this many digits in a text, in digits or words, that aren't amounts. `within`: how
 * far into the text they can begin.
 */
export const numbersIn = (text: string, least = minOfEnd, within = Infinity): string[] => [
  ...new Set(
    [...digitRuns(plainWords(text)), ...digitRuns(spokenWords(text))]
      .filter((run) => run.from <= within && run.digits.length >= least && !isAmount(text, run))
      .map(({ digits }) => digits),
  ),
];

/** Merges overlapping spans, in order. */
export function apart(stretches: readonly SecretStretch[]): SecretStretch[] {
  const joined: SecretStretch[] = [];
  for (const { from, to } of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from < last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else joined.push({ from, to });
  }
  return joined;
}

/** Returns the indexes of the words, joined by spaces, that these spans touch. */
export function wordsIn(
  words: readonly string[],
  find: (text: string) => readonly SecretStretch[],
): ReadonlySet<number> {
  const found = find(words.join(' '));
  let at = 0;
  return new Set(
    words.flatMap((word, index) => {
      const from = at;
      at += word.length + 1;
      return found.some((stretch) => stretch.from < from + word.length && stretch.to > from) ? [index] : [];
    }),
  );
}

export const readBackWords = (
  words: readonly string[],
  secrets: readonly string[],
  parts?: ReadBackParts,
): ReadonlySet<number> => wordsIn(words, (text) => findReadBack(text, secrets, parts));

/** A short secret occurs in many longer numbers. */
const tells = (digits: string, secret: string): boolean =>
  secret.length < minDigits ? digits === secret : tellingParts(secret).some((part) => digits.includes(part));

/** Money, shares and times: "$471", "471 dollars". */
const isAmount = (text: string, { from, to }: SecretStretch): boolean =>
  /[$€£]\s*$/.test(text.slice(0, from)) ||
  patternWith('i')`
    ^\s*(?:
      %|percent\b|dollars?\b|cents?\b|euros?\b|pounds\b|pence\b|points?\b|minutes?\b|seconds?\b|hours?\b
      |days?\b|[.,]\d\d\b
    )
  `.test(text.slice(to));

const plainWords = (text: string): (SecretStretch & { readonly text: string })[] =>
  [...text.toLowerCase().matchAll(/\p{L}+|\d+/gu)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));

/** Rows of digits without a word in between. */
function digitRuns(words: readonly (SecretStretch & { readonly text: string })[]): Digits[] {
  const runs: Digits[] = [];
  let run: Digits | undefined;
  let times = 1,
    timesFrom: number | undefined;
  for (const { text, from, to } of words) {
    const repeat = repeats[text];
    if (repeat !== undefined) {
      times = repeat;
      timesFrom = from;
      continue;
    }
    const digits = digitOf(text);
    if (digits === undefined) {
      if (run) runs.push(run);
      run = undefined;
    } else
      run = {
        digits: (run?.digits ?? '') + digits.repeat(times),
        sure: (run?.sure ?? 0) + (soundAlikes[text] === undefined ? digits.length * times : 0),
        from: run?.from ?? timesFrom ?? from,
        to,
      };
    times = 1;
    timesFrom = undefined;
  }
  return run ? [...runs, run] : runs;
}
