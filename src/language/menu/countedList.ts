import { keyAt, word, type KeyMention } from './keyNames.ts';
import type { MenuLexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

interface ListedKey {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** "sales is 1", "that's 1" */
  readonly isPredicate: boolean;
}

/** The maximum number of words between two keys of a list. */
const longestGap = 12;
/** The maximum number of words in a label of a list of two. */
const longestName = 3;
const closingKeys: readonly string[] = ['0', '9', '*', '#'];

/**
 * Reads a menu without verbs: "One, opening hours. Two, directions.", "sales one service two reception zero", "for a
 * refund, that's 1". It counts up from one, each key beside a few words; a key such as zero or star can end it. Other
 * numbers don't make a menu. Beside keys with a verb, only numbers at the end of a clause count ("sales is 1").
 */
export function countedList(
  tokens: readonly Token[],
  known: readonly KeyMention[],
  lexicon: MenuLexicon,
): KeyMention[] {
  const usedKeys = new Set(
    known.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => from + offset)),
  );
  const isNew = ({ from, to }: ListedKey): boolean => !usedKeys.has(from) && !usedKeys.has(to - 1);
  const found = bareKeys(tokens, lexicon).filter(isNew);
  const predicates = found.filter(({ isPredicate }) => isPredicate);
  // "the desk is zero, housekeeping is eight, the bar is nine" needs no order.
  const isPredicated = predicates.length >= 3 && predicates.length === found.length;
  const counts = predicates.length >= 2 && predicates.every(follows);
  const list = isPredicated || counts ? predicates : known.length === 0 ? countFromOne(found, tokens) : [];
  return list === predicates || isMenu(list, tokens, lexicon)
    ? list.map(({ key, from, to }) => ({ keys: [key], from, to, elided: true, spoken: false }))
    : [];
}

/** The next key of a count, or one that ends it, after a few words. */
const follows = ({ key, from }: ListedKey, index: number, list: readonly ListedKey[]): boolean => {
  const last = list[index - 1];
  return !last || (from > last.to && (Number(key) === Number(last.key) + 1 || closingKeys.includes(key)));
};

function countFromOne(found: readonly ListedKey[], tokens: readonly Token[]): ListedKey[] {
  const list: ListedKey[] = [];
  // Cumulative counts, so that each gap costs the same.
  const wordsUntil = [0];
  for (const { kind } of tokens) wordsUntil.push((wordsUntil.at(-1) ?? 0) + (kind === 'word' ? 1 : 0));
  for (const next of found) {
    const last = list.at(-1);
    const gap = (wordsUntil[next.from] ?? 0) - (wordsUntil[last?.to ?? 0] ?? 0);
    if (last && (gap === 0 || gap > longestGap)) continue;
    const closes = list.length >= 2 && closingKeys.includes(next.key);
    if (closes || next.key === String(list.length + 1)) list.push(next);
    if (closes && next.key !== '9') break;
  }
  return list;
}

function bareKeys(tokens: readonly Token[], lexicon: MenuLexicon): ListedKey[] {
  const found: ListedKey[] = [];
  let clauseStart = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    if (tokens[index]?.kind === 'strong') clauseStart = index + 1;
    const at = keyAt(tokens, index, lexicon);
    if (!at) continue;
    const to = index + at.width;
    const alone = keyAt(tokens, to, lexicon) === undefined && keyAt(tokens, index - 1, lexicon) === undefined;
    const isPredicate =
      lexicon.copulas.has(word(tokens, index - 1)) ||
      (tokens[index - 1]?.kind === 'weak' && !word(tokens, to) && lexicon.cues.has(word(tokens, clauseStart)));
    const announced = lexicon.listWords.has(word(tokens, index - 1));
    const fits =
      isPredicate ||
      (announced
        ? !word(tokens, to) || lexicon.cues.has(word(tokens, to))
        : !lexicon.notBeforeBareKey.has(word(tokens, index - 1)));
    if (alone && fits && !lexicon.notAfterBareKey.has(word(tokens, to)))
      found.push({ key: at.key, from: announced ? index - 1 : index, to, isPredicate });
    index = to - 1;
  }
  return found;
}

function isMenu(list: readonly ListedKey[], tokens: readonly Token[], lexicon: MenuLexicon): boolean {
  const parts = (index: number): boolean => tokens[index]?.kind !== 'word' || lexicon.joiners.has(tokens[index].text);
  const cueBefore = ({ from }: ListedKey, index: number): boolean => {
    const start = list[index - 1]?.to ?? Math.max(0, from - longestGap);
    const gap = tokens.slice(start, from).filter(({ kind, text }) => kind === 'word' && !lexicon.joiners.has(text));
    return index === 0 ? gap.some(({ text }) => lexicon.cues.has(text)) : lexicon.cues.has(gap[0]?.text ?? '');
  };
  if (list.length >= 2 && list.every(cueBefore)) return true;
  const isLong = list.length >= 3;
  if (isLong && (list.every(({ from }) => parts(from - 1)) || list.every(({ to }) => parts(to)))) return true;
  // A recogniser drops the punctuation, but the list still begins or ends the prompt. A list of two is the whole
  // prompt.
  const isBrief = ({ from }: ListedKey, index: number): boolean => {
    const names = tokens.slice(list[index - 1]?.to ?? 0, from);
    return names.length <= longestName && !names.every(({ text }) => lexicon.cues.has(text));
  };
  const ends = list.at(-1)?.to === tokens.length;
  const fits = isLong ? ends || list[0]?.from === 0 : ends && list.length === 2 && list.every(isBrief);
  return fits && tokens.every(({ kind }) => kind === 'word');
}
