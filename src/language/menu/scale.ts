import type { MenuOption } from '../../contract/menu.ts';
import type { MenuLexicon } from './lexicon.ts';

/** "On a scale of 1 to 5": every step is an option, with its own name or with what is rated as its label. */
export function readScale(text: string, lexicon: MenuLexicon): MenuOption[] {
  const match = lexicon.scale.exec(text);
  if (!match || !lexicon.scaleAsked.test(text)) return [];
  const valueOf = (word = ''): number => lexicon.numberWords[word] ?? Number(word);
  const [low, high] = [valueOf(match[1] ?? '1'), valueOf(match[2] ?? match[3])];
  if (high > 9 || low >= high) return [];
  const names = new Map(
    [...text.matchAll(lexicon.scaleStep)].map(([, digit = '', name = '']) => [lexicon.keys[digit], name.trim()]),
  );
  const before = /[^.;?!]*$/.exec(text.slice(0, match.index))?.[0] ?? '';
  const after = /^[^.;?!]*/.exec(text.slice(match.index + match[0].length))?.[0] ?? '';
  const question = /([^.;?!]*)[.;?!][^.;?!]*$/.exec(text.slice(0, match.index))?.[1] ?? '';
  const rated =
    `${before} ${after.replace(lexicon.scaleTalk, '')}`
      .replace(/^[\s,]+/, '')
      .replace(lexicon.scaleTalk, ' ')
      .replace(/[,\s]+/g, ' ')
      .trim() || question.trim();
  return Array.from({ length: high - low + 1 }, (_, step) => {
    const key = String(low + step);
    return { key, label: names.get(key) ?? rated };
  });
}
