import { numberInWords } from '../numberInWords.ts';
import { bare, keyNamed, keyWords, wordPartsOf } from './keyWords.ts';

/** Word sequences in lower case, with letters and apostrophes. */
export type SaidWords = readonly string[];

/** One or several words of the text, with what may have been said. */
export interface WordSlot {
  /** With the punctuation around it. */
  readonly shown: string;
  /** How it is read aloud. Empty if it isn't a word, or certainly wrong. */
  readonly own: readonly SaidWords[];
  /** What may have been said instead. `logOdds`: natural log, against the words as shown. */
  readonly others: readonly { readonly said: SaidWords; readonly logOdds: number }[];
}

export const slotsOf = (text: string): WordSlot[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((shown) => ({ shown, own: readingsOf(bare(shown)), others: [] }));

/** "one hundred (and) one", "two twenty one" */
function hundredsOf(hundreds: string, rest: string): SaidWords[] {
  const small = numberInWords(String(Number(rest)));
  return [
    [hundreds, 'hundred', ...small],
    [hundreds, 'hundred', 'and', ...small],
    ...(rest.startsWith('0') ? [] : [[hundreds, ...small]]),
  ];
}

/** Returns how a word can be read aloud. */
function readingsOf(word: string): SaidWords[] {
  const key = keyNamed(word);
  if (key !== undefined) return key === 'zero' ? [['zero'], ['oh']] : [[key]];
  if (/^\d+$/.test(word)) {
    const digits = Array.from(word, (digit) => keyWords[Number(digit)] ?? digit);
    const readings: SaidWords[] = [digits, digits.map((digit) => (digit === 'zero' ? 'oh' : digit))];
    if (/^[1-9]00$/.test(word)) readings.unshift([digits[0] ?? '', 'hundred']);
    else if (/^[1-9]\d\d$/.test(word)) readings.push(...hundredsOf(digits[0] ?? '', word.slice(1)));
    else if (/^[1-9]\d$/.test(word)) readings.push(numberInWords(word));
    return readings;
  }
  const words = word
    .split(/[^a-z']+/)
    .map((part) => part.replace(/^'+|'+$/g, ''))
    .filter(Boolean);
  return words.length > 0 ? [words] : [];
}

/** Returns the slots as JSGF (Java Speech Grammar Format 1.0): one sequence, with alternatives for readings. */
export function writeGrammar(slots: readonly WordSlot[]): string {
  const parts = slots.flatMap(({ own, others }) => {
    const least = Math.min(...others.map(({ logOdds }) => logOdds), own.length > 0 ? 0 : Infinity);
    const choices = [...own.map((said) => ({ said, logOdds: 0 })), ...others];
    const isWeighted = choices.some(({ logOdds }) => logOdds > least);
    // The weights of the decoder are whole numbers.
    const weight = (logOdds: number): string =>
      isWeighted ? `/${BigInt(Math.round(Math.exp(logOdds - least)))}/ ` : '';
    const written = choices.map(({ said, logOdds }) => weight(logOdds) + said.join(' '));
    return written.length > 1 ? [`(${written.join(' | ')})`] : written;
  });
  return `#JSGF V1.0;\ngrammar said;\npublic <said> = ${parts.join(' ')};`;
}

interface HeardSlot {
  readonly text: string;
  /** Indexes of the first and last of the slot's heard words; undefined for a slot without words. */
  readonly span: readonly [number, number] | undefined;
}

/** Finds each slot's words in what was heard, and writes the chosen reading; undefined if they don't match. */
export function readSlots(slots: readonly WordSlot[], heard: SaidWords): HeardSlot[] | undefined {
  const inDigits = writesDigits(slots);
  const result: HeardSlot[] = [];
  let at = 0;
  for (const { shown, own, others } of slots) {
    if (own.length === 0 && others.length === 0) {
      result.push({ text: shown, span: undefined });
      continue;
    }
    const fitting = [...own, ...others.map(({ said }) => said)]
      .filter((said) => said.every((word, index) => heard[at + index] === word))
      .sort((a, b) => b.length - a.length)[0];
    if (!fitting) return undefined;
    const text = own.includes(fitting) ? shown : rewrite(shown, fitting, inDigits);
    result.push({ text, span: [at, at + fitting.length - 1] });
    at += fitting.length;
  }
  return at === heard.length ? result : undefined;
}

/** Returns true if a text writes its keys in digits. */
export const writesDigits = (slots: readonly WordSlot[]): boolean =>
  slots.some(({ shown }) => /^\W*\d\W*$/.test(shown));

/** Writes other words in place of those shown, with their punctuation. */
export function rewrite(shown: string, said: SaidWords, inDigits: boolean): string {
  const [lead, core, trail] = wordPartsOf(shown);
  const digit = (word: string): number => keyWords.slice(0, 10).indexOf(word);
  const written = said.map((word) => (inDigits && digit(word) >= 0 ? String(digit(word)) : word)).join(' ');
  const isCapital = /^\p{Lu}/u.test(core) && ['press', 'dial', 'four'].includes(said[0] ?? '');
  return `${lead}${isCapital ? written.charAt(0).toUpperCase() + written.slice(1) : written}${trail}`;
}

/** Divides what a recogniser joins: "Forbilling", "press 74 new customers" (7 for). */
export function divideJoined(text: string, isWord: (word: string) => boolean): string {
  return text
    .replace(/\b(for)([a-z]{3,})\b/gi, (whole: string, start: string, rest: string) =>
      !isWord(whole.toLowerCase()) && isWord(rest.toLowerCase()) ? `${start} ${rest}` : whole,
    )
    .replace(
      /\b(press \d)([24]) (?!(?:for|to|if)\b)(?=[a-z])/gi,
      (_, offer: string, word: string) => `${offer} ${word === '4' ? 'for' : 'to'} `,
    )
    .replace(/\bfourwards?\b/gi, 'forward');
}
