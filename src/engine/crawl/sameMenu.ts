import { words } from '../../base/rows.ts';
import { digitNames } from '../../model/numbers/numberWords.ts';
import { distance } from 'fastest-levenshtein';
import type { MenuReading } from '../../contract/menu.ts';
import { isSameLabel, maxLetterErrorShare } from '../hearing/promptText.ts';
import type { HeardPrompt } from './hear.ts';

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}*#]+/gu) ?? [];

/**
 * Returns true if two menus offer the same, and one prompt equals the other or its end. The second can have an
 * announcement before it ("Your balance is …"). Strict on words, because menus of one IVR can differ by one word ("your
 * checking account" and "your savings account").
 */
export function sameMenu(textA: string, readingA: MenuReading, textB: string, readingB: MenuReading): boolean {
  if (offers(readingA) !== offers(readingB) || offers(readingA) === '') return false;
  const [shorter, longer] = [wordsOf(textA), wordsOf(textB)].sort((a, b) => a.length - b.length);
  if (!shorter || !longer || shorter.length < 3) return false;
  const tail = longer.slice(longer.length - shorter.length);
  const differing = shorter.filter((word, index) => word !== tail[index]).length;
  return differing <= Math.floor(shorter.length * 0.04);
}

/**
 * Returns true if the heard text is the last part of that prompt: the key wasn't accepted, and the prompt continued.
 * Lenient on words, because a prompt that begins in its middle is recognised less well.
 */
export function readsLikeTailOf(
  text: string,
  reading: MenuReading,
  prompt: string,
  offered: readonly { readonly digit?: string; readonly label: string }[],
): boolean {
  const labels = new Map(offered.map(({ digit, label }) => [digit, label]));
  if (reading.options.length === 0 || reading.options.some(({ key }) => !labels.has(key))) return false;
  if (reading.options.every(({ key, label }) => isSameLabel(labels.get(key) ?? '', label))) return true;
  const part = content(text).join('');
  const tail = content(prompt).join('').slice(-part.length);
  return part.length >= minLetters && distance(part, tail) <= part.length * maxLetterErrorShare;
}

/**
 * Returns true if two readings have the same keys, and the same label for at least one of them. A bad line changes some
 * labels. If all are different, this is another menu with the same keys.
 */
export function resemblesMenu({ options }: MenuReading, known: MenuReading): boolean {
  const labels = new Map(known.options.map(({ key, label }) => [key, label]));
  return (
    keysOf(options) === keysOf(known.options) &&
    options.some(({ key, label }) => isSameLabel(labels.get(key) ?? '', label))
  );
}

/** A menu that is heard with other words still has this many options, and this share of them, in common. */
const fewestAlike = 3;
const leastAlike = 0.6;

/**
 * Returns true if most options of one reading are in the other, with labels that are alike: a bad line changes some words
 * each time. Menus of one IVR can be as similar, so where a key leads must decide.
 */
export function mayBeSameMenu({ options }: MenuReading, known: MenuReading): boolean {
  const labels = new Map(known.options.map(({ key, label }) => [key, label]));
  const alike = options.filter(({ key, label }) => isSameLabel(labels.get(key) ?? '', label)).length;
  return alike >= fewestAlike && alike >= leastAlike * Math.min(options.length, known.options.length);
}

const keysOf = (options: MenuReading['options']): string =>
  options
    .map(({ key }) => key)
    .sort()
    .join('');

const minLetters = 12;

/** Words that occur in every menu carry no information. */
const common = new Set([
  ...digitNames,
  ...words`
    for to press or the a an your you have reached and of if star pound return main menu go back repeat
    these options
  `,
]);
const content = (text: string): string[] =>
  wordsOf(text).filter((word) => !common.has(word) && !/^[0-9*#]$/.test(word));

const offers = ({ options, speech }: MenuReading): string =>
  [...options.map(({ key, label }) => `${key}=${label}`), ...speech].sort().join('|');

/**
 * Returns where the first option's label begins, in milliseconds from the beginning of the prompt, or 0 if it isn't
 * known, so that the whole prompt counts as options. Words of an announcement before the options can resemble a label,
 * so the first one counts only if the words contain nearly all of it.
 */
export function firstOptionMs({
  words: heard,
  reading,
  startMs,
}: Pick<HeardPrompt, 'words' | 'reading' | 'startMs'>): number {
  const spoken = heard.map(({ text }) => wordsOf(text).join(''));
  const labels = [...reading.options.map(({ label }) => label), ...reading.speech].map(wordsOf);
  const starts = labels.flatMap((label) => {
    const at = positionOf(label, spoken);
    return at === undefined ? [] : [heard[at]?.startMs ?? startMs];
  });
  return starts.length === 0 ? 0 : Math.max(0, Math.min(...starts) - startMs);
}

/** The share of a label's words that must be spoken in order where it is found. */
const minFound = 0.75;

/** Returns where the label is spoken, the last place if there are several. */
function positionOf(label: readonly string[], spoken: readonly string[]): number | undefined {
  let best = { at: -1, found: label.length * minFound };
  for (const at of spoken.keys()) {
    const found = label.filter((part, offset) => spoken[at + offset] === part).length;
    if (found >= best.found) best = { at, found };
  }
  return label.length === 0 || best.at < 0 ? undefined : best.at;
}
