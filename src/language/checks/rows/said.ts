import { pattern } from '../../../base/rows.ts';
import { join, sentence, type Sentences } from '../../../base/sentences.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import { plainWords } from '../../../model/heard/heardWords.ts';
import { wordsOfTurns, matchPhrase, type PhraseMatch, type PlacedWord } from '../../heard/phraseMatch.ts';
import { evidenceAt, type Evidence } from '../../heard/quotes.ts';
import { saidAt } from '../denial.ts';
import type { HeardCall } from '../heardCall.ts';
import { isInside, sentencesIn, type Find, type Part } from '../part.ts';
import { seenInSentence, seenInTurn, type Seen, type Sightings } from '../sightings.ts';
import { checkTextsOf } from '../texts.ts';

/** Returns true if a text in lower case matches any of these. */
export const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => new RegExp(pattern, 'u').test(text));

export const findSaid: Find<'says'> = ({ text, patterns, threshold, literal, missing, times = 1 }, call, part) => {
  const byPattern = patterns && findPatterns(patterns, call, part);
  const least = literal === true ? 1 : threshold;
  const all = [
    ...(byPattern ? [byPattern] : []),
    ...checkTextsOf(text).map((one) => findText(one, least, times, call, part)),
  ];
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
  const found = checkTextsOf(text).map((one) => findText(one, undefined, 1, call, part));
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

/** A text that begins this often without its end is left open. */
const maxTries = 50;

/** Finds a text whose pieces between `*` come one after the other, near each other, up to so many times. */
function findText(text: string, least: number | undefined, times: number, call: HeardCall, part: Part): Sightings {
  const { turns } = call;
  const places = new Map(turns.map((turn, index) => [turn, index]));
  const words = wordsOfTurns(turns).filter(({ turn, from }) =>
    isInside({ turn: places.get(turn) ?? 0, from, evidence: { quote: '', startMs: turn.startMs } }, part),
  );
  const [head = '', ...tail] = text.split('*').filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const sure: Seen[] = [],
    open: Seen[] = [];
  let best: readonly PhraseMatch[] = [];
  let [from, tries] = [0, 0];
  for (; tries < maxTries && sure.length < times; tries += 1) {
    const first = matchPhrase(head, words, from, least);
    const matches = [first, ...matchRest(tail, first, words, least)];
    const isSaid = matches.length > tail.length && matches.every(({ kind }) => kind === 'said');
    const stretch = words.slice(first.start, matches.at(-1)?.end);
    if (isSaid) (isOpen(stretch, tail.length > 0, places, call) ? open : sure).push(seenAt(stretch, places));
    if (tries === 0 || isSaid) best = matches;
    if (first.kind !== 'said') break;
    from = isSaid ? (matches.at(-1)?.end ?? words.length) : first.end;
  }
  const isFound = sure.length + open.length > 0;
  const isAbsent = best.some(({ kind }) => kind === 'absent');
  const near = best.flatMap(({ start, end, evidence }) =>
    evidence.length > 0 ? [seenAt(words.slice(start, end), places)] : [],
  );
  const why = join(...[head, ...tail].flatMap((piece, index) => (best[index] ? [describe(piece, best[index])] : [])));
  return {
    sure,
    maybe: isFound ? open : isAbsent ? [] : near,
    complete: (isFound || isAbsent) && tries < maxTries,
    shown: why,
    missing: why,
  };
}

/** Returns where words were said, with those between them. */
function seenAt(stretch: readonly PlacedWord[], places: ReadonlyMap<Turn, number>): Seen {
  const [first, last] = [stretch[0], stretch.at(-1)] as readonly [PlacedWord, PlacedWord];
  const to = stretch.findLast(({ turn }) => turn === first.turn)?.to ?? first.to;
  return { turn: places.get(last.turn) ?? 0, from: last.from, evidence: evidenceAt(first.turn, first.from, to) };
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

/** "Nobody said that …", "it would be wrong to say …": words that deny what follows them. */
const deniedAfter = pattern`
  \b(?:not|never|nobody|no one|none|wrong|false|untrue|cannot|\w+n't)\b[^.;:!?]*\b(?:that|say|says|said|saying)\W*$
`;
const denying = /\b(?:not|never|no|\w+n't|dont|doesnt|cannot)\b/;

/**
 * Returns true if it isn't certain that words were said as a statement: after a denial, or around words of the caller.
 * With `*`, a text is looked for as a statement: "the fee * waived" in "you would like the fee waived" is none.
 */
function isOpen(
  stretch: readonly PlacedWord[],
  isStatement: boolean,
  places: ReadonlyMap<Turn, number>,
  { sentences, turns }: HeardCall,
): boolean {
  const [first, last] = [stretch[0], stretch.at(-1)] as readonly [PlacedWord, PlacedWord];
  const [begins, ends] = [first, last].map(({ turn, from }) => {
    const index = places.get(turn) ?? 0;
    return sentences.find((one) => one.index === index && one.from <= from && from < one.from + one.text.length);
  });
  return (
    turns.slice(places.get(first.turn), places.get(last.turn)).some(({ speaker }) => speaker === 'us') ||
    (begins !== undefined && deniedAfter.test(begins.lower.slice(0, first.from - begins.from))) ||
    (isStatement && ends !== undefined && (ends.doubtful || ends.question || denying.test(ends.stated)))
  );
}

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
  const wanted = checkTextsOf(text).map((one) => one.toLowerCase());
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
