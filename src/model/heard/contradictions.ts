import type { AlignedTokens } from './alignWords.ts';
import { areOpposites } from './rivals.ts';
import type { SpokenToken } from './spokenTokens.ts';

/** The part between two positions at which expected and heard agree. */
interface Gap {
  readonly missing: number[];
  readonly extra: number[];
  /** Whether expected and heard agree directly before and after. */
  readonly before: boolean;
  after: boolean;
  /** Expected tokens with a lower index precede the gap. */
  readonly boundary: number;
}

/** A difference in meaning, not only in wording. Indexes of tokens; either can be absent. */
export interface Contradiction {
  readonly expected?: number;
  readonly heard?: number;
}

const agrees = (
  { expectedFrom, expectedTo, heardFrom, heardTo, cost }: AlignedTokens,
  expected: readonly SpokenToken[],
): boolean => expectedTo > expectedFrom && heardTo > heardFrom && cost < 0.5 * (expected[expectedFrom]?.weight ?? 0);

/**
 * Finds where the heard words contradict the expected ones: another number, weekday, amount or key instead of the
 * expected one, a word negated by its prefix, an additional or missing "not". What is only missing, or is in a separate
 * sentence, doesn't contradict.
 */
export function contradictions(
  pairs: readonly AlignedTokens[],
  expected: readonly SpokenToken[],
  heard: readonly SpokenToken[],
): Contradiction[] {
  return gapsOf(pairs, expected, heard).flatMap((gap) => [
    ...rivals(gap, expected, heard),
    ...negations(gap, expected, heard),
    ...opposites(gap, expected, heard),
  ]);
}

function gapsOf(
  pairs: readonly AlignedTokens[],
  expected: readonly SpokenToken[],
  heard: readonly SpokenToken[],
): Gap[] {
  const gaps: Gap[] = [{ missing: [], extra: [], before: false, after: false, boundary: 0 }];
  for (const pair of pairs) {
    const gap = gaps.at(-1);
    if (!gap) break;
    const any = pair.expectedTo === pair.expectedFrom + 1 && expected[pair.expectedFrom]?.kind === 'any';
    if (any || agrees(pair, expected)) {
      gap.after = !any;
      gaps.push({ missing: [], extra: [], before: !any, after: false, boundary: pair.expectedTo });
    } else {
      for (let index = pair.expectedFrom; index < pair.expectedTo; index += 1) gap.missing.push(index);
      // Words at a placeholder are ignored.
      if (pair.cost > 0) for (let index = pair.heardFrom; index < pair.heardTo; index += 1) gap.extra.push(index);
    }
  }
  const [first, last] = [gaps[0], gaps.at(-1)];
  if (first && last) widen(first, last, pairs, expected, heard);
  return gaps;
}

/** The window can end before the contradicting word, so the rest of the sentence and what precedes it count too. */
function widen(
  first: Gap,
  last: Gap,
  pairs: readonly AlignedTokens[],
  expected: readonly SpokenToken[],
  heard: readonly SpokenToken[],
): void {
  const from = pairs.find(({ heardTo, heardFrom }) => heardTo > heardFrom)?.heardFrom;
  const to = pairs.findLast(({ heardTo, heardFrom }) => heardTo > heardFrom)?.heardTo;
  if (from === undefined || to === undefined) return;
  if (expected[0]?.kind !== 'any') widenBefore(first, from, heard);
  if (expected.at(-1)?.kind !== 'any') widenAfter(last, to, heard);
}

function widenBefore({ missing, extra }: Gap, from: number, heard: readonly SpokenToken[]): void {
  const least = Math.max(0, from - 1 - missing.length);
  for (let index = from - 1; index >= least && heard[index]?.stop === false; index -= 1) {
    if (missing.length === 0 && (heard[index]?.kind !== 'negation' || heard[index]?.pause === true)) break;
    extra.unshift(index);
  }
}

function widenAfter({ missing, extra }: Gap, to: number, heard: readonly SpokenToken[]): void {
  const reach = missing.length === 0 ? 0 : missing.length + 1;
  const end = Math.min(to + reach, heard.length);
  for (let index = to; index < end && heard[index - 1]?.stop === false; index += 1) extra.push(index);
}

function rivals(
  { missing, extra, boundary }: Gap,
  expected: readonly SpokenToken[],
  heard: readonly SpokenToken[],
): Contradiction[] {
  const found: Contradiction[] = [];
  const open = new Set(missing.filter((index) => expected[index]?.rivals !== undefined));
  for (const index of extra) {
    const token = heard[index];
    if (token?.rivals === undefined) continue;
    const differs = (other: number): boolean => {
      const wanted = expected[other];
      return wanted?.rivals === token.rivals && wanted?.text !== token.text;
    };
    const rival = [...open].find(differs);
    if (rival !== undefined) {
      open.delete(rival);
      found.push({ expected: rival, heard: index });
    } else if (missing.length === 0 && !(expected[boundary - 1]?.stop ?? true)) {
      // Nothing is missing here, but another number precedes the number: "press 2. For sales, press 1" for "press 1".
      const near = [boundary - 2, boundary - 1, boundary, boundary + 1].find((other) => differs(other));
      if (near !== undefined) found.push({ expected: near, heard: index });
    }
  }
  return found;
}

function negations(
  { missing, extra, before, after, boundary }: Gap,
  expected: readonly SpokenToken[],
  heard: readonly SpokenToken[],
): Contradiction[] {
  const gone = missing.filter((index) => expected[index]?.kind === 'negation');
  const come = extra.filter((index) => heard[index]?.kind === 'negation');
  if (gone.length === come.length) return [];
  const least = missing[0] ?? boundary;
  const most = missing.at(-1) ?? boundary;
  if (gone.length > come.length) {
    // Only if the rest of its clause was heard.
    return gone
      .slice(come.length)
      .filter((index) => {
        const followed = after && most - index <= 2 && !stopsBetween(expected, index, most);
        const preceded =
          before && index - least <= 2 && !stopsBetween(expected, least - 1, index - 1) && extra.length > 0;
        return followed || preceded;
      })
      .map((index) => ({ expected: index }));
  }
  const [low, high] = [extra[0] ?? 0, extra.at(-1) ?? 0];
  return come
    .slice(gone.length)
    .filter((index) => {
      const preceded = before && index - low <= 1 && !stopsBetween(heard, low - 1, index);
      const followed = after && high - index <= 3 && !stopsBetween(heard, index, high);
      return preceded || followed;
    })
    .map((index) => ({ heard: index }));
}

/** Returns true if a sentence ends after one of the tokens `from` … `to`. */
function stopsBetween(tokens: readonly SpokenToken[], from: number, to: number): boolean {
  for (let index = Math.max(0, from); index <= to; index += 1) if (tokens[index]?.stop === true) return true;
  return false;
}

function opposites(
  { missing, extra }: Gap,
  expected: readonly SpokenToken[],
  heard: readonly SpokenToken[],
): Contradiction[] {
  return missing.flatMap((index) => {
    const opposite = extra.find((other) => areOpposites(expected[index]?.text ?? '', heard[other]?.text ?? ''));
    return opposite === undefined ? [] : [{ expected: index, heard: opposite }];
  });
}
