import { withoutVolatile } from '../heard/volatileWords.ts';

export interface ExcerptOptions {
  /**
   * The label of the next option. The sentence that offers it is kept, and the last one, so that the key isn't pressed
   * during the prompt.
   */
  readonly goesOnBy?: string | undefined;
  /** Takes the end of the prompt instead of its beginning, as after a return to a menu without its greeting. */
  readonly end?: boolean;
}

/** A prompt up to this length is expected whole. */
const wholeWords = 30;
/** The minimum of words if there are more sentences: menus often begin with their own name and end alike. */
const minWords = { opening: 6, closing: 12 } as const;
/** A sentence without an end is cut. */
const maxWords = 40;

/**
 * Returns what a test expects of a prompt: enough words to recognise it, without what changes from call to call.
 * Undefined if nothing is left.
 */
export function promptExcerpt(transcript: string, { goesOnBy, end = false }: ExcerptOptions = {}): string | undefined {
  // These characters aren't meant as placeholders here.
  const text = transcript
    .replaceAll(/[{}]/g, '')
    .replaceAll(/(?<=^|\s)\*(?=[\s.,;:!?]|$)/g, 'star')
    .trim();
  const sentences = text.split(/(?<=[.?!])\s+/).filter((sentence) => sentence !== '');
  const keptSentences =
    wordsIn(text) <= wholeWords
      ? new Set(sentences.keys())
      : new Set([
          ...(end ? closing(sentences) : opening(sentences)),
          ...(goesOnBy === undefined ? [] : wayOn(sentences, goesOnBy)),
        ]);
  const parts: string[] = [];
  for (const [index, sentence] of sentences.entries()) {
    if (!keptSentences.has(index)) continue;
    if (index > 0 && !keptSentences.has(index - 1)) parts.push('*');
    parts.push(withoutVolatile(cut(sentence, end)));
  }
  const excerpt = parts
    .join(' ')
    .replaceAll(/(?:\*[.,;:!?]* )+(?=\*)/g, '')
    .replace(/^(?:\*[.,;:!?]*\s*)+/, '')
    .replace(/(?:\s*\*[.,;:!?]*)+$/, '');
  return /\p{L}{2}/u.test(excerpt) ? excerpt : undefined;
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

function first(sentences: readonly string[], least: number): number[] {
  let words = 0;
  return [...sentences.keys()].filter((index) => {
    const wanted = words < least;
    words += wordsIn(sentences[index] ?? '');
    return wanted;
  });
}

const opening = (sentences: readonly string[]): number[] => first(sentences, minWords.opening);
const closing = (sentences: readonly string[]): number[] =>
  first(sentences.toReversed(), minWords.closing).map((index) => sentences.length - 1 - index);

function wayOn(sentences: readonly string[], label: string): number[] {
  const folded = foldText(label);
  const offer = folded === '' ? -1 : sentences.findIndex((sentence) => foldText(sentence).includes(folded));
  return [...(offer < 0 ? [] : [offer]), sentences.length - 1];
}

const foldText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function cut(sentence: string, end: boolean): string {
  const words = sentence.split(/\s+/);
  return words.length <= maxWords ? sentence : (end ? words.slice(-maxWords) : words.slice(0, maxWords)).join(' ');
}
