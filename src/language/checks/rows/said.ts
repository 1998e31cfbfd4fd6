import { join, sentence, type Sentences } from '../../../base/sentences.ts';
import { wordsOfTurns, matchPhrase, type PhraseMatch } from '../../heard/phraseMatch.ts';
import type { Evidence } from '../../heard/quotes.ts';
import { saidAt } from '../denial.ts';
import type { HeardCall } from '../heardCall.ts';
import { isInside, sentencesIn, type Find, type Part } from '../part.ts';
import { seenInSentence, seenInTurn, type Seen, type Sightings } from '../sightings.ts';

const textsOf = (text: string | readonly string[] | undefined): readonly string[] =>
  text === undefined ? [] : typeof text === 'string' ? [text] : text;

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

/** Finds a text whose pieces between `*` come one after the other. */
function findText(text: string, least: number | undefined, call: HeardCall, part: Part): Sightings {
  const { turns } = call;
  const words = wordsOfTurns(turns).filter((word) => {
    const turn = turns.indexOf(word.turn);
    return isInside({ turn, from: word.from, evidence: { quote: '', startMs: word.turn.startMs } }, part);
  });
  const pieces = text.split('*').filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  let from = 0;
  const matches = pieces.map((piece) => {
    const match = matchPhrase(piece, words, from, least);
    if (match.kind === 'said') from = match.end;
    return match;
  });
  const place = ({ evidence, end }: PhraseMatch): Seen[] => {
    const last = words[end - 1];
    return evidence
      .slice(0, 1)
      .map((one) => ({ turn: last ? turns.indexOf(last.turn) : 0, from: last?.from ?? 0, evidence: one }));
  };
  const isSaid = matches.length > 0 && matches.every(({ kind }) => kind === 'said');
  const isAbsent = matches.some(({ kind }) => kind === 'absent');
  const seen = matches.flatMap(place);
  const why = join(...pieces.flatMap((piece, index) => (matches[index] ? [describe(piece, matches[index])] : [])));
  return {
    sure: isSaid ? seen : [],
    maybe: isSaid || isAbsent ? [] : seen,
    complete: isSaid || isAbsent,
    shown: why,
    missing: why,
  };
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
  const wanted = text?.toLowerCase();
  const sent = turns.flatMap((turn, index) => {
    if (turn.speaker !== 'us') return [];
    const pressed = /^\[keys ([0-9*#]+)\]$/.exec(turn.text)?.[1];
    const fits =
      keys === undefined
        ? wanted === undefined
          ? pressed !== undefined
          : pressed === undefined && turn.text.toLowerCase().includes(wanted)
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
