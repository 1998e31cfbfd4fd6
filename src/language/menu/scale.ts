import type { MenuOption } from '../../contract/menu.ts';
import type { MenuLexicon } from './lexicon.ts';

/** "On a scale of 1 to 5": every step is an option. Its label is its own name, or what is rated. */
export function readScale(text: string, lexicon: MenuLexicon): MenuOption[] {
  const match = lexicon.scale.exec(text);
  if (!match || !lexicon.scaleAsked.test(text)) return [];
  const valueOf = (word = ''): number => lexicon.numberWords[word] ?? Number(word);
  const [low, high] = [valueOf(match[1] ?? '1'), valueOf(match[2] ?? match[3])];
  if (high > 9 || low >= high) return [];
  const steps = [...text.matchAll(lexicon.scaleStep)];
  const names = new Map(steps.map(([, digit = '', name = '']) => [lexicon.keys[digit], name.trim()]));
  const rated = ratedIn(text, match, steps, lexicon);
  return Array.from({ length: high - low + 1 }, (_, step) => {
    const key = String(low + step);
    return { key, label: names.get(key) ?? rated };
  });
}

/** Returns what is rated: the scale's sentence without the scale and its steps, or the sentence before it. */
function ratedIn(
  text: string,
  scale: RegExpExecArray,
  steps: readonly RegExpExecArray[],
  lexicon: MenuLexicon,
): string {
  const masked = [scale, ...steps].reduce(
    (rest, { 0: { length }, index }) => rest.slice(0, index) + '|'.repeat(length) + rest.slice(index + length),
    text,
  );
  const start = masked.slice(0, scale.index).search(/[^.;?!]*$/);
  const sentence = /^[^.;?!]*/.exec(masked.slice(start))?.[0] ?? '';
  const question = /([^.;?!]*)[.;?!][^.;?!]*$/.exec(masked.slice(0, scale.index))?.[1] ?? '';
  const parts = sentence.split(/\|+/).map((part) => part.replace(lexicon.scaleEdges, ''));
  const rated = parts.find((part) => lexicon.scaleAsks.test(part)) ?? parts.join(' ');
  return [rated, question].map((part) => part.replace(/[,\s]+/g, ' ').trim()).find((part) => part !== '') ?? '';
}
