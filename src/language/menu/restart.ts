import { englishLexicon } from './english.ts';
import type { MenuLexicon } from './lexicon.ts';
import { readMenu } from './readMenu.ts';

const headWords = 6;
/** The first option of a prompt is within this many words. */
const maxLeadWords = 60;
/** Options that begin alike repeat the first words of a prompt, but not this often. */
const maxRounds = 12;
const foldWord = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}*#]/gu, '');

/**
 * Cuts a prompt that repeats while it is heard before its second round: where its first six words occur again, unless
 * another option follows them ("If you are calling about …"). Also removes the sentence that leads into that round ("I
 * did not hear you.").
 */
export function withoutRestart(text: string, lexicon: MenuLexicon = englishLexicon): string {
  const words = text.split(/\s+/);
  const folded = words.map(foldWord);
  const head = folded.slice(0, headWords);
  if (head.length < headWords || words.length < headWords * 2) return text;
  const firstKey = firstKeyOf(words, lexicon);
  let rounds = 0;
  for (let start = headWords; start + headWords <= folded.length && rounds < maxRounds; start += 1) {
    if (!head.every((word, index) => word === folded[start + index])) continue;
    rounds += 1;
    const key = firstKeyOf(words.slice(start), lexicon);
    // The first round may have lost its first word: "… one for sales. Press one for sales."
    if (lexicon.pressVerbs.has(folded[start - 1] ?? '')) continue;
    const isRestart =
      key === undefined ? folded.slice(start).every((word, index) => word === folded[index]) : key === firstKey;
    if (firstKey !== undefined && !isRestart) continue;
    const first = words.slice(0, start).join(' ');
    return first.replace(lexicon.notHeard, '').trim() || first;
  }
  return text;
}

const firstKeyOf = (words: readonly string[], lexicon: MenuLexicon): string | undefined =>
  readMenu(words.slice(0, maxLeadWords).join(' '), lexicon).options[0]?.key;
