import type { MenuInput } from '../../contract/menu.ts';
import { englishLexicon } from './english.ts';
import type { MenuLexicon } from './lexicon.ts';

/** Returns what the prompt asks the caller to enter, or null. `text` is lower case. */
export function readInput(text: string, lexicon: MenuLexicon): MenuInput | null {
  const request = requestOf(text, lexicon);
  if (request === undefined) return null;
  const { sentence, object } = request;
  const typeIn = (part: string): MenuInput['type'] | undefined =>
    lexicon.inputTypes.find(([, pattern]) => pattern.test(part))?.[0];
  const type = typeIn(object) ?? typeIn(sentence) ?? 'other';
  const digits =
    type === 'date'
      ? (sumOfDigits(sentence, lexicon) ?? sumOfDigits(text, lexicon))
      : (digitsOf(object, lexicon) ?? digitsOf(sentence, lexicon) ?? digitsOf(text, lexicon));
  const terminator = lexicon.inputTerminator.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  return { type, digits, terminator };
}

/**
 * Returns true if the last words may ask for an entry, although their verb wasn't understood: "please entail the code".
 * What follows must show that the system waited.
 */
export const mayAskForEntry = (text: string, lexicon: MenuLexicon = englishLexicon): boolean =>
  lexicon.mayAsk.test(text.toLowerCase().trim());

interface Request {
  /** The words after the verb. */
  readonly object: string;
  /** The sentence that asks, with the one before it if that names the entry. */
  readonly sentence: string;
}

/** How many characters before and after the verb are read. */
const reachBefore = 90;
const reachAfter = 300;

function requestOf(text: string, lexicon: MenuLexicon): Request | undefined {
  for (const { 0: verb, index } of text.matchAll(lexicon.enterVerb)) {
    const end = index + verb.length;
    const object = objectIn(text.slice(end, end + reachAfter), lexicon);
    const before = text.slice(Math.max(0, index - reachBefore), index);
    if (!asks(before, verb, object, lexicon)) continue;
    const own = lexicon.entryNamedBefore.test(`${verb}>${object}`) ? before : (/[^.?!]*$/.exec(before)?.[0] ?? '');
    return { object, sentence: `${own}${verb} ${object}` };
  }
  return undefined;
}

/** A pause between recordings looks like the end of a sentence: "enter the first. Three. Letters of the name". */
function objectIn(after: string, lexicon: MenuLexicon): string {
  let object = '';
  for (const sentence of after.split(/[.;?!]/)) {
    object = `${object} ${sentence.replace(/^[\s,]+/, '').replace(/,[\s,]+/g, ', ')}`.trim();
    if (!lexicon.unfinished.test(object)) break;
  }
  return object;
}

function asks(before: string, verb: string, object: string, lexicon: MenuLexicon): boolean {
  const first = object.split(/[\s,]+/).find((word) => !lexicon.beforeKey.has(word)) ?? '';
  // "enter 1 to …" names a key, "enter 4 digits" an entry.
  if (Object.hasOwn(lexicon.keys, first) && !lexicon.entryData.test(object.slice(0, 40).replace(/^.*?\bkey\b/, '')))
    return false;
  const request = `${before}<${verb}>${object}`;
  return lexicon.entryRules.find(([, pattern]) => pattern.test(request))?.[0] ?? true;
}

const countOf = (word: string, lexicon: MenuLexicon): number => lexicon.numberWords[word] ?? Number(word);

/** The parts of a date add up: "a two-digit month and a four-digit year" are six digits. */
function sumOfDigits(text: string, lexicon: MenuLexicon): number | null {
  const counts = [...text.matchAll(lexicon.datePart)].map(([, word]) => countOf(word ?? '', lexicon));
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function digitsOf(text: string, lexicon: MenuLexicon): number | null {
  const word = lexicon.inputDigits.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  return word === undefined ? null : countOf(word, lexicon);
}
