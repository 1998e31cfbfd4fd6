import { escapeRegExp } from '../../base/escape.ts';
import { apart, findReadBack, numbersIn, wordsIn, type ReadBackParts, type SecretStretch } from './readBack.ts';

/**
 * Which part masks which secret. For reports of a call, `SecretMask` masks known secrets, as written and as read back;
 * `maskReadBack` masks only digits, in more forms. The secrets come from `secretSteps.ts` for scripted tests and their
 * rows, and from `missionSecrets.ts` (with `maskMission`) for a mission's text. For logs, `hideValues` masks known
 * values from any source (`editor/basics/log/log.ts`, `cli/settings/secretValues.ts`), and `scrub` masks what has the
 * form of a secret; `editor/issue/redact.ts` removes more before a log leaves the machine.
 */

export const masked = '••••';

/** A shorter word occurs inside others, so it is masked only as a word. A single key of a menu reveals nothing. */
const whole = 4;
const least = 2;
/** Fewer digits of a secret don't count as a number that is read back. */
const minDigits = 3;

/**
 * Masks secrets in text: as written, in any case, and their digits as they are read back, singly or in groups, in
 * digits or words (`readBack.ts`). Keys count without their `*`, `#` and pauses; of a sentence, numbers with at least
 * three digits count. What stays: single keys, so that "press 1" is readable, and amounts of three digits that begin or
 * end a longer secret. What is masked unnecessarily: another number that shares four consecutive digits with a secret,
 * or equals its first or last three.
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

  /** `parts`: how much of a secret counts as the secret. */
  text(text: string, parts: ReadBackParts = 'ends'): string {
    return covered(text, this.#find(text, parts));
  }

  hidden(words: readonly string[], parts: ReadBackParts = 'ends'): ReadonlySet<number> {
    return wordsIn(words, (text) => this.#find(text, parts));
  }

  #find(text: string, parts: ReadBackParts): SecretStretch[] {
    const written = this.#literal
      ? [...text.matchAll(this.#literal)].map((match) => ({ from: match.index, to: match.index + match[0].length }))
      : [];
    return apart([...written, ...findReadBack(text, this.#digits, parts)]);
  }
}

/** Returns the typed digits without terminators and pauses: `4711#` is 4711, `12*4711#` is 12 and 4711. */
function partsOfKeys(secret: string): string[] {
  if (!/^[0-9*#,\s.-]+$/.test(secret)) return [];
  const parts = secret.replaceAll(/[\s,.-]/g, '').split(/[*#]+/);
  return [...parts, parts.join('')];
}

function formOf(secret: string): string {
  // A short number isn't a part of a longer one, or of an amount.
  if (/^\d+$/.test(secret) && secret.length < whole) return `(?<![\\d.,$€£])${secret}(?!\\d|[.,]\\d)`;
  const form = escapeRegExp(secret);
  return secret.length < whole ? `(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])` : form;
}

/** Digits beside a masked part belong to the same number: "••••••••81". */
const remains = new RegExp(`(?:\\d+[\\s,-]*)?${masked}(?:[\\s,-]*(?:${masked}|\\d+))*`, 'g');

/** Masks the digits that a text repeats, even if some are already masked. */
export const maskReadBack = (text: string, secrets: readonly string[], parts?: ReadBackParts): string =>
  covered(text, findReadBack(text, secrets, parts)).replaceAll(remains, masked);

/** Returns the text with a mask over each of these spans, which are in order and separate. */
const covered = (text: string, stretches: readonly SecretStretch[]): string =>
  stretches.reduceRight((left, { from, to }) => left.slice(0, from) + masked + left.slice(to), text);
