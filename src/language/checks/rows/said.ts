import { join, sentence, type Sentences } from '../../../base/sentences.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import { plainWords } from '../../../model/heard/heardWords.ts';
import { wordsOfTurns, matchPhrase, type PhraseMatch, type PlacedWord } from '../../heard/phraseMatch.ts';
import type { Evidence } from '../../heard/quotes.ts';
import { saidAt } from '../denial.ts';
import type { HeardCall } from '../heardCall.ts';
import { isInside, sentencesIn, type Find, type Part } from '../part.ts';
import { seenInSentence, seenInTurn, type Seen, type Sightings } from '../sightings.ts';
import { textsOf } from '../texts.ts';

/** Returns true if a text in lower case matches any of these. */
export const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => new RegExp(pattern, 'u').test(text));

export const findSaid: Find<'says'> = ({ text, patterns, threshold, literal, missing }, call, part) => {
  const byPattern = patterns && findPatterns(patterns, call, part);
  const least = literal === true ? 1 : threshold;
  const all = [...(byPattern ? [byPattern] : []), ...textsOf(text).map((one) => findText(one, least, call, part))];
  const best = all.find(({ sure }) => sure.length > 0) ?? (all.length === 1 ? all[0] : undefined);
  const merged: Sightings = best ?? {
    sure: [],
    maybe: all.flatMap(({ maybe = [] }) => maybe),
    complete: all.every(({ complete }) => complete),
    shown: sentence`It was said.`,
    missing: sentence`Nothing like this was said.`,
  };
  return missing === 'inconclusive' ? { ...merged, complete: false } : merged;
};

export const findNeverSaid: Find<'neverSays'> = ({ text, patterns, unless = [] }, call, part) => {
  const said = sentencesIn(call, part).filter(
    ({ lower }) => patterns !== undefined && matchesAny(patterns, lower) && !matchesAny(unless, lower),
  );
  const found = textsOf(text).map((one) => findText(one, undefined, call, part));
  return {
    absent: true,
    complete: true,
    sure: [...said.map((one) => seenInSentence(one)), ...found.flatMap(({ sure }) => sure)],
    // A denied text was said, too: "you won't be charged" for "charged".
    maybe: found.flatMap(({ maybe = [] }) => maybe),
    shown: sentence`It was said, although it mustn't be.`,
    missing: sentence`Nothing was said that mustn't be.`,
  };
};

function findPatterns(patterns: readonly string[], call: HeardCall, part: Part): Sightings {
  return {
    sure: sentencesIn(call, part).flatMap((one) => {
      const at = saidAt(patterns, one.lower);
      return at < 0 ? [] : [seenInSentence(one, at)];
    }),
    complete: true,
    shown: sentence`It was said.`,
    missing: sentence`Nothing like this was said.`,
  };
}

/** How many words a `*` stands for, within a turn. */
const maxGap = 8;

/** Finds a text whose pieces between `*` come one after the other, near each other. */
function findText(text: string, least: number | undefined, call: HeardCall, part: Part): Sightings {
  const { turns } = call;
  const words = wordsOfTurns(turns).filter((word) => {
    const turn = turns.indexOf(word.turn);
    return isInside({ turn, from: word.from, evidence: { quote: '', startMs: word.turn.startMs } }, part);
  });
  const [head = '', ...tail] = text.split('*').filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  let first = matchPhrase(head, words, 0, least);
  for (;;) {
    const rest = matchRest(tail, first, words, least);
    const matches = [first, ...rest];
    const isSaid = matches.length > tail.length && matches.every(({ kind }) => kind === 'said');
    if (!isSaid && tail.length > 0 && first.kind === 'said') {
      const next = matchPhrase(head, words, first.end, least);
      if (next.kind === 'said') {
        first = next;
        continue;
      }
    }
    const seen = matches.flatMap((one) => placeOf(one, words, turns));
    const why = join(
      ...[head, ...tail].flatMap((piece, index) => (matches[index] ? [describe(piece, matches[index])] : [])),
    );
    // With `*`, a text is looked for as a statement: "the fee * waived" in "you would like the fee waived" is none.
    const isDoubtful = tail.length > 0 && seen.some((one) => isOpenAt(one, call));
    const isAbsent = matches.some(({ kind }) => kind === 'absent');
    return {
      sure: isSaid && !isDoubtful ? seen : [],
      maybe: isSaid === isDoubtful && (isSaid || !isAbsent) ? seen : [],
      complete: isSaid || isAbsent,
      shown: why,
      missing: why,
    };
  }
}

/** Matches the pieces after the first, each shortly after the one before. */
function matchRest(
  pieces: readonly string[],
  first: PhraseMatch,
  words: readonly PlacedWord[],
  least: number | undefined,
): PhraseMatch[] {
  const found: PhraseMatch[] = [];
  let before = first;
  for (const piece of pieces) {
    if (before.kind !== 'said') break;
    const last = words[before.end - 1];
    const length = plainWords(piece).length;
    const until = words.findIndex(
      (word, index) => index >= before.end && (word.turn !== last?.turn || endsSentence(words[index - 1])),
    );
    const near = words.slice(0, Math.min(until === -1 ? words.length : until, before.end + maxGap + length));
    before = matchPhrase(piece, near, before.end, least);
    found.push(before);
  }
  return found;
}

const endsSentence = (word: PlacedWord | undefined): boolean =>
  word !== undefined && /^[.;?!]/.test(word.turn.text.slice(word.to));

function placeOf({ evidence, end }: PhraseMatch, words: readonly PlacedWord[], turns: readonly Turn[]): Seen[] {
  const last = words[end - 1];
  return evidence
    .slice(0, 1)
    .map((one) => ({ turn: last ? turns.indexOf(last.turn) : 0, from: last?.from ?? 0, evidence: one }));
}

const isOpenAt = ({ turn, from }: Seen, { sentences }: HeardCall): boolean =>
  sentences.some(
    (one) =>
      one.index === turn &&
      one.from <= from &&
      from < one.from + one.text.length &&
      (one.doubtful || one.question || /\b(?:not|never|no|\w+n't|dont|doesnt|cannot)\b/.test(one.stated)),
  );

function describe(phrase: string, { kind, evidence }: PhraseMatch): Sentences {
  const words = evidence.map(({ quote }: Evidence) => quote).join(' … ');
  const wanted = phrase.trim();
  if (kind === 'said') return sentence`“${wanted}” was heard.`;
  if (kind === 'absent')
    return words === '' ? sentence`“${wanted}” wasn't heard.` : sentence`“${wanted}” wasn't heard, but “${words}” was.`;
  return kind === 'near'
    ? sentence`“${wanted}” wasn't heard. The nearest words were “${words}”.`
    : sentence`“${wanted}” was heard, but the words before it may reverse it (“${words}”).`;
}

/** What the caller does. It proves nothing about the called side, and marks a moment. */
export const findSent: Find<'sends'> = ({ keys, text }, { turns }) => {
  const wanted = textsOf(text).map((one) => one.toLowerCase());
  const sent = turns.flatMap((turn, index) => {
    if (turn.speaker !== 'us') return [];
    const pressed = /^\[keys ([0-9*#]+)\]$/.exec(turn.text)?.[1];
    const fits =
      keys === undefined
        ? wanted.length === 0
          ? pressed !== undefined
          : pressed === undefined && wanted.some((one) => turn.text.toLowerCase().includes(one))
        : pressed === keys;
    return fits ? [seenInTurn({ turn, index })] : [];
  });
  return {
    sure: sent,
    complete: true,
    shown: sentence`The caller sent it.`,
    missing: sentence`The caller didn't send it.`,
  };
};
