import type { Turn } from '../../contract/testRuns.ts';
import { likeness, soundKey } from '../../model/heard/homophones.ts';
import { words as wordList } from '../../base/rows.ts';
import { areOpposites, negates, rivalKind } from '../../model/heard/rivals.ts';
import { isMishearing } from './mishearing.ts';
import { evidenceAt, type Evidence } from './quotes.ts';
import { comparableTokens } from '../../model/heard/spokenForms.ts';
import { isContent, stem } from './words.ts';
import type { HeardWord } from '../../model/heard/heardWords.ts';

const turning = new Set(
  wordList`
    isnt wasnt arent werent dont didnt doesnt hasnt havent hadnt cant couldnt wont wouldnt shouldnt mustnt neednt unable
    non if whether unless until once when
  `,
);
/** Folded words that, before a phrase, negate it or make it a condition. */
const turnsRound = (word: string): boolean => negates(word) || turning.has(word);

export interface PlacedWord extends HeardWord {
  readonly turn: Turn;
}

/** Returns all words of the callee in order. */
export const wordsOfTurns = (turns: readonly Turn[]): PlacedWord[] =>
  turns
    .filter(({ speaker }) => speaker === 'them')
    .flatMap((turn) => comparableWords(turn.text).map((word) => ({ ...word, turn })));

/** The words as scripts compare them, with their places without the punctuation around them. */
function comparableWords(text: string): HeardWord[] {
  const written = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const [bare = word] = /[\p{L}\p{N}#*$£€¥].*[\p{L}\p{N}#*%€°¢]|[\p{L}\p{N}#*%]/u.exec(word) ?? [];
    const from = index + word.indexOf(bare);
    return { word, from, to: from + bare.length };
  });
  const tokens = comparableTokens(
    written.map(({ word }) => word),
    false,
  );
  return tokens.map((token) => ({
    text: token.text,
    from: written[token.from]?.from ?? 0,
    to: written[token.to - 1]?.to ?? text.length,
  }));
}

export interface PhraseMatch {
  /**
   * `said`: these words, or words that recognition confuses with them. `absent`: nothing similar. `near`: similar
   * words. `denied`: the words, in a sentence that negates them.
   */
  readonly kind: 'said' | 'absent' | 'near' | 'denied';
  readonly evidence: readonly Evidence[];
  /** The index of the first word, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

const pronouns = new Set([
  'i',
  'me',
  'my',
  'mine',
  'you',
  'your',
  'yours',
  'we',
  'our',
  'us',
  'he',
  'his',
  'she',
  'her',
  'they',
  'their',
  'them',
]);
/**
 * Finds a phrase in words: the best match, comparing words by stem and sound. `least`: the share of its words that is
 * enough; by default, all, or of a longer phrase all but what changes no meaning.
 */
export function matchPhrase(phrase: string, heard: readonly PlacedWord[], from = 0, least?: number): PhraseMatch {
  const said = heard.map((word, index) => ({ ...word, index })).slice(from);
  const written = comparableWords(phrase);
  const wanted = joined(written, said).map(({ text }) => text),
    words = joined(said, written);
  if (wanted.length === 0 || words.length === 0) return { kind: 'absent', evidence: [], start: from, end: from };
  const best = align(
    wanted,
    words.map(({ text }) => text),
  );
  const stretch = words.slice(best.start, best.end);
  const evidence = evidenceOf(stretch);
  const start = stretch[0]?.index ?? from,
    end = (stretch.at(-1)?.index ?? from) + 1;
  const score = 1 - best.cost / wanted.length;
  const isEnough =
    least === undefined ? wanted.length >= 5 && score >= 0.85 && best.odd.every(isHarmless) : score >= least;
  if (score >= 0.999 || isEnough) {
    const denied = isTurnedRound(words, best.start) && !wanted.some((word) => turnsRound(word));
    return { kind: denied ? 'denied' : 'said', evidence, start, end };
  }
  // "Declined" instead of "approved" isn't a mishearing.
  const opposed = best.opposed || (wanted.length > 2 && isOtherFigure(best.odd));
  // One word of a short phrase may have been misheard. A word that both happen to share proves nothing.
  const absent = opposed || (score <= 0.5 && !isNearContent(wanted, words));
  return { kind: absent ? 'absent' : 'near', evidence: absent && !opposed ? [] : evidence, start, end };
}

/** Returns true if one of the three words before, in the same sentence, negates what follows. */
function isTurnedRound(words: readonly PlacedWord[], start: number): boolean {
  const before = words.slice(Math.max(0, start - 3), start);
  const last = before.findLastIndex((word) => /[.;?!]\s*$/.test(word.turn.text.slice(word.to, word.to + 2)));
  return before.slice(last + 1).some(({ text }) => turnsRound(text));
}

/** Returns true if each content word of one or two wanted words has a similar word. */
function isNearContent(wanted: readonly string[], words: readonly HeardWord[]): boolean {
  return (
    wanted.length <= 2 &&
    wanted.some(isContent) &&
    wanted.filter(isContent).every((word) => words.some(({ text }) => closeness(word, text) >= 0.6))
  );
}

/** Returns true if the only difference is a figure, and the two don't sound alike. */
function isOtherFigure(odd: readonly string[]): boolean {
  const [want = '', word = ''] = odd;
  return odd.length === 2 && /^\d/.test(want) && /^\d/.test(word) && !isMishearing(Number(want), Number(word));
}

/** Joins words that the other text writes as one: "re fill" for "refill". */
function joined<Word extends HeardWord>(words: readonly Word[], other: readonly HeardWord[]): Word[] {
  const known = new Set(other.map(({ text }) => text));
  const all: Word[] = [];
  for (const word of words) {
    const last = all.at(-1);
    if (last && !known.has(word.text) && known.has(last.text + word.text))
      all[all.length - 1] = { ...last, text: last.text + word.text, to: word.to };
    else all.push(word);
  }
  return all;
}

/** Numbers, negations, persons and mutually exclusive words decide what a sentence means. */
const isHarmless = (word: string): boolean =>
  !/\d/.test(word) && rivalKind(word) === undefined && !turnsRound(word) && !pronouns.has(word) && !isContent(word);

function closeness(a: string, b: string): number {
  if (a === b) return 1;
  if (/\d/.test(a) || /\d/.test(b)) return 0;
  if (stem(a) === stem(b) && !pronouns.has(a)) return 0.999;
  return likeness({ text: a, key: soundKey(a) }, { text: b, key: soundKey(b) });
}

const areRivals = (a: string, b: string): boolean =>
  (rivalKind(a) !== undefined && rivalKind(a) === rivalKind(b)) || areOpposites(a, b);

/** A few differing words are as informative as all of them. */
const maxNoted = 24;
const noted = (odd: readonly string[], ...words: readonly string[]): readonly string[] =>
  odd.length >= maxNoted ? odd : [...odd, ...words];

/** Returns the edit distance of the whole phrase to any span of the words. */
function align(
  wanted: readonly string[],
  words: readonly string[],
): { cost: number; start: number; end: number; odd: readonly string[]; opposed: boolean } {
  interface Cell {
    readonly cost: number;
    readonly start: number;
    readonly odd: readonly string[];
    readonly opposed: boolean;
  }
  let row: Cell[] = words.map((_, index) => ({ cost: 0, start: index, odd: [], opposed: false }));
  row.push({ cost: 0, start: words.length, odd: [], opposed: false });
  for (const want of wanted) {
    const next: Cell[] = [];
    const known = new Map<string, number>();
    row.forEach((above, index) => {
      const skipped: Cell = { ...above, cost: above.cost + 1, odd: noted(above.odd, want) };
      const left = next[index - 1],
        diagonal = row[index - 1],
        word = words[index - 1] ?? '';
      const options: Cell[] = [];
      // Among alignments with equal cost, a substitution is the most informative.
      if (diagonal) {
        const close = known.get(word) ?? closeness(want, word);
        known.set(word, close);
        options.push(
          close > 0.9
            ? { ...diagonal, cost: diagonal.cost }
            : {
                cost: diagonal.cost + 1 - close / 2,
                start: diagonal.start,
                odd: noted(diagonal.odd, want, word),
                opposed: diagonal.opposed || areRivals(want, word),
              },
        );
      }
      options.push(skipped);
      if (left) options.push({ ...left, cost: left.cost + 1, odd: noted(left.odd, word) });
      next.push(options.reduce((best, one) => (one.cost < best.cost ? one : best)));
    });
    row = next;
  }
  const { cell, end } = row
    .map((cell, index) => ({ cell, end: index }))
    .reduce((best, one) =>
      one.cell.cost < best.cell.cost || (one.cell.cost === best.cell.cost && one.cell.opposed && !best.cell.opposed)
        ? one
        : best,
    );
  return { ...cell, end };
}

function evidenceOf(words: readonly PlacedWord[]): Evidence[] {
  const turns = [...new Set(words.map(({ turn }) => turn))];
  return turns.map((turn) => {
    const own = words.filter((word) => word.turn === turn);
    return evidenceAt(turn, own[0]?.from ?? 0, own.at(-1)?.to ?? 0);
  });
}
