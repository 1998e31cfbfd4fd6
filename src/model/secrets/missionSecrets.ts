import { patternWith } from '../../base/rows.ts';
import { numberWords } from '../numbers/spokenNumbers.ts';
import { numbersIn } from './readBack.ts';
import { SecretMask } from './secretMask.ts';

/** Names of values that are secret anywhere in the sentence: "the PIN, told only when they ask for it, is 4711". */
const named = /\b(?:pin|password|pass ?phrase|passcode|code ?word|access code|security code|cvv|cvc)\b/gi;
/** Names of values that are secret only if a number follows directly, because an account also has a balance. */
const numbered = patternWith('gi')`
  \b(?:
    card|account|iban
    |(?:
      customer|client|member(?:ship)?|policy|patient|subscriber|contract|user|social security|insurance
    )(?:'s)? (?:number|no\.?|id|code)
  )(?: (?:number|no\.?|id|code))?\b
`;
/** "Enter 4711 when it asks for the PIN". */
const before = new RegExp(
  `(?<!\\d[ -]?)(\\d[\\d -]*\\d)(?=,?\\s(?:as|for|if|is|once|when)\\b[^.;?!\\n\\d]{0,80}${named.source})`,
  'gi',
);
/** A word follows one of these. In quotes, it can be several words. */
const word = /^[^.;?!\n]{0,80}?(?:\bis|[:=])\s*(?:["“„'‘]([^"”“'’\n]{2,60})["”“'’]|([\p{L}\p{N}][\p{L}\p{N}_-]*))/u;
/** Words after "the password is" that aren't a password. */
const noSecrets = new Set([
  ...numberWords,
  ...(
    'a an the my your our to in on at of and or not no asked needed required requested wanted wrong right correct incorrect invalid unknown known forgotten lost never only given told sent reset rejected refused accepted ' +
    'entered spoken read repeated always then when if it there here four-digit six-digit optional expired changed blocked secret'
  ).split(' '),
]);
const minLetters = 3,
  minDigits = 3;
/** The maximum distance after a weaker name, in characters. */
const nearby = 25;

/**
 * Returns the parts of a mission's text that are never shown: what follows a word for a PIN, a password, a card or a
 * customer number, in digits or words, and everything with eight or more digits. Amounts, times and other short numbers
 * stay, such as those of menus.
 */
export function secretsOf(mission: string): string[] {
  const restOf = (match: RegExpExecArray): string =>
    /^(?:[^.;?!\n]|[.](?=\S))*/.exec(mission.slice(match.index + match[0].length))?.[0] ?? '';
  const strong = [...mission.matchAll(named)].flatMap((match) => {
    const rest = restOf(match);
    const [, quoted, plain = ''] = word.exec(rest) ?? [];
    const told =
      quoted ??
      (plain.length >= minLetters && /\p{L}/u.test(plain) && !noSecrets.has(plain.toLowerCase()) ? plain : undefined);
    return [...numbersIn(rest).slice(0, 2), ...(told === undefined ? [] : [told])];
  });
  const weak = [...mission.matchAll(numbered)].flatMap((match) =>
    numbersIn(restOf(match), minDigits, nearby).slice(0, 2),
  );
  const first = [...mission.matchAll(before)].map(([digits]) => digits);
  const long = [...mission.matchAll(/(?:\d[ -]?){8,19}/g)].map(([digits]) => digits.trim());
  return [
    ...new Set(
      [...strong, ...weak, ...first, ...long].flatMap((told) =>
        /^[\d -]+$/.test(told) ? [told, told.replaceAll(/[ -]/g, '')] : [told],
      ),
    ),
  ];
}

export const maskMission = (mission: string, text: string): string => new SecretMask(secretsOf(mission)).text(text);
