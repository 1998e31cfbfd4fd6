import { escapeRegExp } from '../../base/escape.ts';
import { apart, findReadBack, numbersIn, wordsIn } from './readBack.ts';
import type { ReadBackParts, Stretch } from './readBack.ts';

/**
 * What hides which secret. In what is told of a call, `SecretMask` hides secrets that are known, as they are written
 * and as they are read back; `maskReadBack` hides digits alone, in more ways. Which secrets there are: `secretSteps.ts`
 * for scripted tests and their rows, `missionSecrets.ts` (with `maskMission`) for the text of a mission. In logs,
 * `hideValues` hides values that are known, wherever they come from (`editor/basics/log/knownSecrets.ts`,
 * `cli/secretValues.ts`), and `scrub` what has the form of a secret; `editor/issue/redact.ts` takes out more before a
 * log leaves the machine.
 */

/** What stands in the place of a secret. */
export const masked = '••••';

/**
 * A shorter word is said inside of others: it is masked where it stands by itself. A key by itself is one of a menu,
 * and tells nothing.
 */
const whole = 4;
const least = 2;
/** Digits of a secret in fewer are no number that is read back as such. */
const minDigits = 3;

/**
 * Masks secrets in texts: as they are written, in whatever case, and their digits also as they are read back, one by
 * one or in groups, in figures or in words (`readBack.ts`). Keys count without their `*`, `#` and pauses; of a
 * sentence, its numbers of at least three digits count. What stays: single keys, so that "press 1" can be read, and
 * amounts of three digits that a longer secret begins or ends with. What is masked without need: another number that
 * has four digits in a row with a secret, or is three of its first or last ones.
 */
export class SecretMask {
  readonly #literal: RegExp | undefined;
  readonly #digits: readonly string[];

  constructor(secrets: Iterable<string>) {
    const all = [
      ...new Set([...secrets].map((secret) => secret.trim()).flatMap((secret) => [secret, ...partsOfKeys(secret)])),
    ]
      .filter(({ length }) => length >= least)
      .toSorted((one, other) => other.length - one.length);
    this.#literal = all.length === 0 ? undefined : new RegExp(all.map(formOf).join('|'), 'giu');
    this.#digits = [...new Set(all.flatMap((secret) => numbersIn(secret, minDigits)))];
  }

  get isEmpty(): boolean {
    return this.#literal === undefined;
  }

  /** `parts`: how much of a secret is taken for it. */
  text(text: string, parts: ReadBackParts = 'ends'): string {
    return covered(text, this.#find(text, parts));
  }

  /** Indexes of words that tell a secret. */
  hidden(words: readonly string[], parts: ReadBackParts = 'ends'): ReadonlySet<number> {
    return wordsIn(words, (text) => this.#find(text, parts));
  }

  #find(text: string, parts: ReadBackParts): Stretch[] {
    const written = this.#literal
      ? [...text.matchAll(this.#literal)].map((match) => ({ from: match.index, to: match.index + match[0].length }))
      : [];
    return apart([...written, ...findReadBack(text, this.#digits, parts)]);
  }
}

/** What was typed, without what ends it or waits: `4711#` is 4711, `12*4711#` is 12 and 4711. */
function partsOfKeys(secret: string): string[] {
  if (!/^[0-9*#,\s.-]+$/.test(secret)) return [];
  const parts = secret.replaceAll(/[\s,.-]/g, '').split(/[*#]+/);
  return [...parts, parts.join('')];
}

function formOf(secret: string): string {
  // A short number is no part of a longer one, nor of an amount.
  if (/^\d+$/.test(secret) && secret.length < whole) return `(?<![\\d.,$€£])${secret}(?!\\d|[.,]\\d)`;
  const form = escapeRegExp(secret);
  return secret.length < whole ? `(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])` : form;
}

/** Digits beside a masked part belong to the same number: "••••••••81". */
const remains = new RegExp(`(?:\\d+[\\s,-]*)?${masked}(?:[\\s,-]*(?:${masked}|\\d+))*`, 'g');

/** The text without the digits that it repeats, also where some of them are masked already. */
export const maskReadBack = (text: string, secrets: readonly string[], parts?: ReadBackParts): string =>
  covered(text, findReadBack(text, secrets, parts)).replaceAll(remains, masked);

/** The text with a mask over each of these stretches, which are in order and apart. */
const covered = (text: string, stretches: readonly Stretch[]): string =>
  stretches.reduceRight((left, { from, to }) => left.slice(0, from) + masked + left.slice(to), text);
