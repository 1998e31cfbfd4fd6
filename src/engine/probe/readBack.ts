import { spokenWords } from '../../language/judge/words.ts';
import { masked } from '../../model/secretMask.ts';

/** Fewer digits in a row are said for other reasons; a shorter secret counts as a whole. */
const leastDigits = 4;

const digitWords: Readonly<Record<string, string>> = { zero: '0', oh: '0', o: '0', one: '1', two: '2', to: '2', too: '2', three: '3', four: '4', for: '4', five: '5', six: '6', seven: '7', eight: '8', ate: '8', nine: '9' };
const repeats: Readonly<Record<string, number>> = { double: 2, triple: 3 };

/** A stretch of a text. */
interface Stretch { readonly from: number; readonly to: number }
interface Digits extends Stretch { readonly digits: string }

/** Every stretch of a secret that would give it away, so that all of them are masked. */
export const tellingParts = (secret: string): string[] => (secret.length <= leastDigits ? [secret]
  : [secret, ...Array.from({ length: secret.length - leastDigits + 1 }, (_, start) => secret.slice(start, start + leastDigits))]);

/**
 * Where a text repeats digits of these secrets, in figures or words: "four oh one two", "40 12", "forty twelve", "double eight". In order, none over another.
 * `piecewise`: also two in a row, and a sentence of digits alone, as where a number is read out with pauses. That finds much that is none: for masking only.
 */
export function findReadBack(text: string, secrets: readonly string[], piecewise = false): Stretch[] {
  const plain = [...text.toLowerCase().matchAll(/\p{L}+|\d+/gu)].map((match) => ({ text: match[0], from: match.index, to: match.index + match[0].length }));
  const alone = piecewise && plain.length > 0 && plain.every((word) => digitWords[word.text] !== undefined || repeats[word.text] !== undefined || /^\d+$/.test(word.text));
  const tellsPart = (digits: string, secret: string): boolean => piecewise && (alone || digits.length > 1) && secret.includes(digits);
  const found = [...digitRuns(plain), ...digitRuns(spokenWords(text))].filter(({ digits }) => secrets.some((secret) => tells(digits, secret) || tellsPart(digits, secret))).sort((one, other) => one.from - other.from);
  const apart: Stretch[] = [];
  for (const { from, to } of found) {
    const last = apart.at(-1);
    if (last && from < last.to) apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else apart.push({ from, to });
  }
  return apart;
}

/** A short secret stands in many longer numbers. */
const tells = (digits: string, secret: string): boolean => (secret.length < leastDigits ? digits === secret : tellingParts(secret).some((part) => digits.includes(part)));

function digitRuns(words: readonly (Stretch & { readonly text: string })[]): Digits[] {
  const runs: Digits[] = [];
  let run: Digits | undefined;
  let times = 1, timesFrom: number | undefined;
  for (const { text, from, to } of words) {
    const repeat = repeats[text];
    if (repeat !== undefined) { times = repeat; timesFrom = from; continue; }
    const digits = digitWords[text] ?? (/^\d+$/.test(text) ? text : undefined);
    if (digits === undefined) {
      if (run) runs.push(run);
      run = undefined;
    } else run = { digits: (run?.digits ?? '') + digits.repeat(times), from: run?.from ?? timesFrom ?? from, to };
    times = 1;
    timesFrom = undefined;
  }
  return run ? [...runs, run] : runs;
}

/** Digits beside a masked part belong to the same number: "••••••••81". */
const remains = new RegExp(`(?:\\d+[\\s,-]*)?${masked}(?:[\\s,-]*(?:${masked}|\\d+))*`, 'g');

/** The text without the digits that it repeats, also where some of them are masked already. */
export const maskReadBack = (text: string, secrets: readonly string[], piecewise = false): string => findReadBack(text, secrets, piecewise)
  .reduceRight((left, { from, to }) => left.slice(0, from) + masked + left.slice(to), text).replaceAll(remains, masked);

/** Indexes of the words that repeat digits. */
export function readBackWords(words: readonly string[], secrets: readonly string[], piecewise = false): ReadonlySet<number> {
  const found = findReadBack(words.join(' '), secrets, piecewise);
  let at = 0;
  return new Set(words.flatMap((word, index) => {
    const from = at;
    at += word.length + 1;
    return found.some((stretch) => stretch.from < from + word.length && stretch.to > from) ? [index] : [];
  }));
}
