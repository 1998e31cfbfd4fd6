import { english } from './english.ts';
import type { MenuLexicon } from './lexicon.ts';

const headWords = 6;
const foldWord = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}*#]/gu, '');

/**
 * Cuts a prompt that repeats while it is heard before its second round: where its first six words occur again. Also
 * removes the sentence that leads into that round ("I did not hear you.").
 */
export function withoutRestart(text: string, lexicon: MenuLexicon = english): string {
  const words = text.split(/\s+/);
  const folded = words.map(foldWord);
  const head = folded.slice(0, headWords);
  if (head.length < headWords || words.length < headWords * 2) return text;
  for (let start = headWords; start + headWords <= folded.length; start += 1) {
    if (!head.every((word, index) => word === folded[start + index])) continue;
    const first = words.slice(0, start).join(' ');
    return first.replace(lexicon.notHeard, '').trim() || first;
  }
  return text;
}
