import type { KeyMention } from './keyNames.ts';
import type { MenuLexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

/** On which side of its key a label stands: "for sales, press 1" (before) or "press 1 for sales" (after). */
export type Direction = 'before' | 'after';

export interface LabelSpan {
  readonly from: number;
  readonly to: number;
}
export interface Attribution {
  readonly direction: Direction;
  readonly label: LabelSpan;
}

/**
 * Chooses the direction of every mention at once: recognisers lose the punctuation that would tell them apart one by
 * one, and a prompt may change direction in its middle. Viterbi over the two directions; a gap between two keys feeds
 * one label, or two where it can be parted.
 */
export function attributeLabels(
  tokens: readonly Token[],
  mentions: readonly KeyMention[],
  lexicon: MenuLexicon,
): Attribution[] {
  const gaps = Array.from({ length: mentions.length + 1 }, (_, index) =>
    gapAt(tokens, mentions[index - 1]?.to ?? 0, mentions[index]?.from ?? tokens.length, lexicon),
  );
  const gap = (index: number): Gap => gaps[index] ?? gapAt(tokens, 0, 0, lexicon);
  const directions: readonly Direction[] = ['before', 'after'];
  // A key without a verb whose label follows (", 2 for service", "or pound to cancel") takes no label from what stands
  // before it.
  const parts = (token: Token | undefined): boolean => token?.kind !== 'word' || lexicon.joiners.has(token.text);
  const lean = (mention: KeyMention | undefined): number =>
    mention?.elided === true && parts(tokens[mention.from - 1]) && lexicon.cues.has(tokens[mention.to]?.text ?? '')
      ? 2.5
      : 0;
  let costs: Record<Direction, number> = { before: gap(0).costBefore + lean(mentions[0]), after: unclaimed(gap(0)) };
  const choices: Record<Direction, Direction>[] = [];
  mentions.slice(1).forEach((_, offset) => {
    const between = gap(offset + 1);
    const next: Record<Direction, number> = { before: Infinity, after: Infinity };
    const from: Record<Direction, Direction> = { before: 'before', after: 'after' };
    for (const to of directions) {
      for (const past of directions) {
        const cost = costs[past] + transition(past, to, between) + (to === 'before' ? lean(mentions[offset + 1]) : 0);
        if (cost < next[to]) {
          next[to] = cost;
          from[to] = past;
        }
      }
    }
    choices.push(from);
    costs = next;
  });
  const end = gap(mentions.length);
  let direction: Direction = costs.before + unclaimed(end) * 0.5 <= costs.after + end.costAfter ? 'before' : 'after';
  const chosen: Direction[] = [];
  for (let index = mentions.length - 1; index >= 0; index -= 1) {
    chosen[index] = direction;
    direction = choices[index - 1]?.[direction] ?? direction;
  }
  return chosen.map((way, index) => ({
    direction: way,
    label:
      way === 'before'
        ? spanBefore(gap(index), chosen[index - 1] === 'after')
        : spanAfter(gap(index + 1), chosen[index + 1] === 'before'),
  }));
}

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Where the label of the key behind begins, and the one of the key in front ends. */
  readonly beforeFrom: number;
  readonly afterTo: number;
  readonly costBefore: number;
  readonly costAfter: number;
  /** Where the gap parts into a label for the key in front and one for the key behind; undefined where it cannot. */
  readonly split: number | undefined;
  readonly splitCost: number;
  readonly hasCue: boolean;
}

const emptyCost = 3;

function gapAt(tokens: readonly Token[], from: number, to: number, lexicon: MenuLexicon): Gap {
  const kind = (index: number): Token['kind'] | undefined => tokens[index]?.kind;
  const text = (index: number): string => (kind(index) === 'word' ? (tokens[index]?.text ?? '') : '');
  const isCue = (index: number): boolean =>
    lexicon.cues.has(text(index)) &&
    !(
      text(index) === 'to' &&
      /^(?:like|want|wish|need|have|going|continue|welcome|listen|calling|prefer|able|order|how|due|up|next|addition|response|regard|regards|reference|continue|continuing)$/.test(
        text(index - 1),
      )
    ) &&
    !(
      text(index) === 'for' &&
      /^(?:looking|calling|waiting|applying|apply|asking|responsible|asked|paying|pay|name|available|search|searching|thank|paid|except)$/.test(
        text(index - 1),
      )
    );
  // Words counted from the gap's beginning, so that asking for any stretch of it costs the same.
  const wordsUntil = [0];
  for (let index = from; index < to; index += 1)
    wordsUntil.push((wordsUntil.at(-1) ?? 0) + (kind(index) === 'word' && !lexicon.joiners.has(text(index)) ? 1 : 0));
  const hasWords = (start: number, end: number): boolean =>
    (wordsUntil[end - from] ?? 0) > (wordsUntil[start - from] ?? 0);

  // The label behind: the last sentence of the gap that has words.
  let beforeFrom = from;
  let trailingStrong = false;
  for (let index = to - 1; index >= from; index -= 1) {
    if (kind(index) !== 'strong') continue;
    if (hasWords(index + 1, to)) {
      beforeFrom = index + 1;
      break;
    }
    trailingStrong = true;
  }
  // The label in front: the first sentence of the gap.
  let afterTo = to;
  for (let index = from; index < to; index += 1) {
    if (kind(index) === 'strong') {
      afterTo = index;
      break;
    }
  }
  const startsStrong = kind(from) === 'strong';
  const firstWord = [...Array(Math.max(0, to - from)).keys()]
    .map((offset) => from + offset)
    .find((index) => kind(index) === 'word' && !lexicon.joiners.has(text(index)));
  const cues: number[] = [];
  for (let index = from; index < to; index += 1) if (isCue(index)) cues.push(index);
  const beforeHasCue = cues.some(
    (index) =>
      index >= beforeFrom &&
      (index === beforeFrom || kind(index - 1) !== 'word' || lexicon.joiners.has(text(index - 1)) || isCue(index)),
  );
  const startsWithCue = firstWord !== undefined && isCue(firstWord);

  let costBefore = beforeHasCue ? 0 : 0.8;
  if (!hasWords(beforeFrom, to)) costBefore = emptyCost;
  else if (trailingStrong) costBefore += 1.5;
  if (text(to - 1) === 'or') costBefore += 0.8;
  let costAfter = startsWithCue ? 0 : 1.3;
  if (kind(from) === 'weak') costAfter += 0.3;
  if (!hasWords(from, afterTo)) costAfter = emptyCost;
  if (startsStrong) costAfter = startsWithCue ? 1.4 : emptyCost;

  const [split, splitCost] = splitPoint();
  return {
    from,
    to,
    beforeFrom,
    afterTo: startsStrong ? nextStrong(from + 1) : afterTo,
    costBefore,
    costAfter,
    split,
    splitCost,
    hasCue: cues.length > 0,
  };

  function nextStrong(start: number): number {
    for (let index = start; index < to; index += 1) if (kind(index) === 'strong') return index;
    return to;
  }

  function splitPoint(): [number | undefined, number] {
    for (let index = to - 1; index > from; index -= 1)
      if (kind(index) === 'strong' && hasWords(from, index) && hasWords(index + 1, to)) return [index + 1, 0];
    const inner = cues.filter((index) => index > (firstWord ?? from) && hasWords(from, index) && index < to - 1);
    const afterComma = inner.find((index) => kind(index - 1) === 'weak' || lexicon.joiners.has(text(index - 1)));
    // "to the main menu" is where something leads, "to return" begins another offer.
    const point =
      afterComma ??
      inner.find((index) => text(index) === 'for' || text(index) === 'if') ??
      inner.findLast((index) => !lexicon.determiners.has(text(index + 1))) ??
      inner.at(-1);
    return [point, point === undefined ? 0 : afterComma === undefined ? 0.7 : 0.4];
  }
}

/** A gap that no key claims costs more when it reads like a label. */
const unclaimed = (gap: Gap): number => (gap.hasCue ? 1.2 : 0);

function transition(past: Direction, to: Direction, gap: Gap): number {
  if (past === 'after' && to === 'before') {
    if (gap.split === undefined) return gap.costAfter + gap.costBefore + 4;
    return gap.costAfter + Math.min(gap.costBefore, 0.4) + gap.splitCost + 0.5;
  }
  if (past === 'before' && to === 'after') return unclaimed(gap) + 0.5;
  return to === 'before' ? gap.costBefore : gap.costAfter;
}

function spanBefore(gap: Gap, shared: boolean): LabelSpan {
  return {
    from:
      shared && gap.split !== undefined
        ? Math.max(gap.split, gap.beforeFrom === gap.from ? gap.split : gap.beforeFrom)
        : gap.beforeFrom,
    to: gap.to,
  };
}

function spanAfter(gap: Gap, shared: boolean): LabelSpan {
  return { from: gap.from, to: shared && gap.split !== undefined ? Math.min(gap.split, gap.afterTo) : gap.afterTo };
}
