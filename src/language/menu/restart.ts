import { english } from './english.ts';
import type { MenuLexicon } from './lexicon.ts';

const headWords = 6;
const fold = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}*#]/gu, '');

/**
 * A prompt that starts over while one still listens is cut before its second round: from where its first six words come
 * again. The sentence that leads into that round ("I did not hear you.") goes too.
 */
export function withoutRestart(text: string, lexicon: MenuLexicon = english): string {
  const words = text.split(/\s+/);
  const folded = words.map(fold);
  const head = folded.slice(0, headWords);
  if (head.length < headWords || words.length < headWords * 2) return text;
  for (let start = headWords; start + headWords <= folded.length; start += 1) {
    if (!head.every((word, index) => word === folded[start + index])) continue;
    const first = words.slice(0, start).join(' ');
    return first.replace(lexicon.notHeard, '').trim() || first;
  }
  return text;
}
