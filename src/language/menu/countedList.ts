import { keyAt, type KeyMention } from './keyNames.ts';
import type { MenuLexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

interface ListedKey {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Words between two keys of one list. */
const longestGap = 12;
const closingKeys: readonly string[] = ['0', '9', '*', '#'];

/**
 * A menu without any verb: "One, opening hours. Two, directions.", "sales one service two reception zero", "for a
 * refund, that's 1". It counts up from one, each key beside a few words; a key such as zero or star may close it.
 * Numbers that do less are no menu.
 */
export function countedList(tokens: readonly Token[], lexicon: MenuLexicon): KeyMention[] {
  const list: ListedKey[] = [];
  for (const found of bareKeys(tokens, lexicon)) {
    const last = list.at(-1);
    const gap = tokens.slice(last?.to ?? 0, found.from).filter(({ kind }) => kind === 'word').length;
    if (last && (gap === 0 || gap > longestGap)) continue;
    if (found.key === String(list.length + 1) || (list.length >= 2 && closingKeys.includes(found.key)))
      list.push(found);
    if (list.length > 2 && closingKeys.includes(found.key) && found.key !== '9') break;
  }
  return isMenu(list, tokens, lexicon)
    ? list.map(({ key, from, to }) => ({ keys: [key], from, to, elided: true, spoken: false }))
    : [];
}

function bareKeys(tokens: readonly Token[], lexicon: MenuLexicon): ListedKey[] {
  const word = (index: number): string => (tokens[index]?.kind === 'word' ? tokens[index].text : '');
  const found: ListedKey[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const at = keyAt(tokens, index, lexicon);
    if (!at) continue;
    const to = index + at.width;
    const alone = keyAt(tokens, to, lexicon) === undefined && keyAt(tokens, index - 1, lexicon) === undefined;
    const announced = lexicon.listWords.has(word(index - 1));
    const fits = announced ? !word(to) || lexicon.cues.has(word(to)) : !lexicon.notBeforeBareKey.has(word(index - 1));
    if (alone && fits && !lexicon.notAfterBareKey.has(word(to)))
      found.push({ key: at.key, from: announced ? index - 1 : index, to });
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
  if (list.length < 3) return false;
  if (list.every(({ from }) => parts(from - 1)) || list.every(({ to }) => parts(to))) return true;
  // A recogniser drops the punctuation, but the list still begins or ends the prompt.
  return tokens.every(({ kind }) => kind === 'word') && (list[0]?.from === 0 || list.at(-1)?.to === tokens.length);
}
