import { isPredicate, keyAt, word, type KeyMention } from './keyNames.ts';
import { cleanLabel, type LabelSide } from './labels.ts';
import type { MenuLexicon } from './lexicon.ts';
import { sentenceStart, tokenWordsOf, type Token } from './tokens.ts';

export interface LabelSpan {
  readonly from: number;
  readonly to: number;
}
export interface Attribution {
  readonly direction: LabelSide;
  readonly label: LabelSpan;
}

/** The most likely label of every key. */
interface Attributions {
  readonly attributions: readonly Attribution[];
  /** The labels could equally well be on the other side of their keys. */
  readonly isClose: boolean;
}

/** The cheapest path to a direction of one key; `past` is that of the key before. */
interface Path {
  readonly cost: number;
  readonly direction: LabelSide;
  readonly past: Path | undefined;
}

/**
 * Chooses the direction of all mentions together, because recognisers lose the punctuation that would decide each one,
 * and a prompt can change direction in the middle. Viterbi over the two directions. A gap between two keys belongs to
 * one label, or to two if it can be split.
 */
export function attributeLabels(
  tokens: readonly Token[],
  mentions: readonly KeyMention[],
  lexicon: MenuLexicon,
): Attributions {
  if (mentions.length === 0) return { attributions: [], isClose: false };
  const gaps = Array.from({ length: mentions.length + 1 }, (_, index) =>
    gapAt(tokens, mentions[index - 1]?.to ?? 0, mentions[index]?.from ?? tokens.length, lexicon),
  );
  const [lead] = gaps;
  // Systems that join recorded words pause after the key, and a recogniser ends the sentence there.
  const stopped =
    lead?.hasWords && isTalk(tokens, lead, lexicon)
      ? gaps.slice(1).filter(({ costAfter }) => costAfter === stoppedCost)
      : [];
  for (const gap of stopped) gaps[gaps.indexOf(gap)] = { ...gap, costAfter: 0 };
  if (lead && stopped.length > 0) gaps[0] = { ...lead, costBefore: emptyCost };
  const [first, last] = [gaps[0], gaps.at(-1)];
  if (!first || !last) return { attributions: [], isClose: false };
  const between = gaps.slice(1, -1);
  const leans = mentions.map((mention, index) => leanOf(tokens, mention, gaps[index], gaps[index + 1], lexicon));
  const begin = (direction: LabelSide): Path => ({
    cost: direction === 'before' ? first.costBefore + (leans[0] ?? 0) : unclaimed(first),
    direction,
    past: undefined,
  });
  const extend = (past: Path, direction: LabelSide, gap: Gap, index: number): Path => ({
    cost:
      past.cost + transition(past.direction, direction, gap) + (direction === 'before' ? (leans[index + 1] ?? 0) : 0),
    direction,
    past,
  });
  const finish = ({ cost, direction }: Path): number =>
    cost + (direction === 'before' ? unclaimed(last) * 0.5 : last.costAfter);
  const steps = [directions.map(begin)];
  for (const [index, gap] of between.entries())
    steps.push(
      directions.map((direction) =>
        (steps[index] ?? []).map((past) => extend(past, direction, gap, index)).reduce(cheaper),
      ),
    );
  const [before, after] = steps.at(-1) ?? [];
  // How much more each key's other direction costs, with the best directions of the other keys.
  let rest = (steps.at(-1) ?? []).map((path) => finish(path) - path.cost);
  const margins = steps.map(() => Infinity);
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const [one = 0, other = 0] = (steps[index] ?? []).map(({ cost }, side) => cost + (rest[side] ?? 0));
    margins[index] = Math.abs(one - other);
    const gap = gaps[index];
    if (index > 0 && gap)
      rest = (steps[index - 1] ?? []).map((past) =>
        Math.min(
          ...directions.map(
            (direction, side) => extend(past, direction, gap, index - 1).cost - past.cost + (rest[side] ?? 0),
          ),
        ),
      );
  }
  const chosen: LabelSide[] = [];
  for (let path = before && after && (finish(before) <= finish(after) ? before : after); path; path = path.past)
    chosen.unshift(path.direction);
  // What is said about a key again ("by pressing 2, you agree …") doesn't change its label.
  const known = new Set<string>();
  const isFirst = mentions.map(({ keys }) => {
    const count = known.size;
    for (const key of keys) known.add(key);
    return known.size > count;
  });
  const sides = leans.some((lean) => lean >= clearLean) ? undefined : sidesByCount(tokens, gaps, lexicon);
  const isDecided =
    // "for tea. press 1 for coffee. press 2."
    (sides?.every((side) => side === 'before') === true &&
      tokens[first.to - 1]?.kind === 'strong' &&
      between.every(({ from }) => word(tokens, from))) ||
    sides?.some((side, index) => side !== chosen[index]) === true;
  return {
    attributions: chosen.map((direction, index) =>
      attribution(
        sides?.[index] ?? direction,
        gaps,
        index,
        !sides && chosen[index - 1] === 'after',
        !sides && chosen[index + 1] === 'before',
      ),
    ),
    isClose:
      between.length > 0 &&
      (stopped.length > 0 ||
        isDecided ||
        margins.some((margin, index) => isFirst[index] === true && margin < closeCosts) ||
        mentions.some(
          ({ elided, from }, index) => elided && word(tokens, from - 1) && changesSide(chosen, mentions, index),
        ) ||
        // "press 3 for membership. if you want to talk to a person press 0": no key has the words after 3.
        mentions.some(
          ({ to }, index) =>
            lexicon.cues.has(word(tokens, to)) &&
            gaps[index + 1]?.split !== undefined &&
            [chosen[index], chosen[index + 1]].every((direction) => direction === 'before'),
        ) ||
        // The only words beside a key are the label of its neighbour.
        chosen.some((direction, index) => {
          const [own, other] = direction === 'before' ? [gaps[index], gaps[index + 1]] : [gaps[index + 1], gaps[index]];
          return isFirst[index] === true && own?.hasWords === false && other?.hasWords === true;
        })),
  };
}

/** Words before the first key that aren't its label: "if you know the extension, dial it at any time. press 1 for sales" */
function isTalk(tokens: readonly Token[], { beforeFrom, to, isCued }: Gap, lexicon: MenuLexicon): boolean {
  const label = cleanLabel(tokens.slice(beforeFrom, to), 'before', lexicon);
  return (isCued ? lexicon.aim : lexicon.call).test(label);
}

/** Returns true if a label is before a key without a verb, but after the one before it, or the next with a verb. */
const changesSide = (chosen: readonly LabelSide[], mentions: readonly KeyMention[], index: number): boolean =>
  chosen[index] === 'before' &&
  (chosen[index - 1] === 'after' || (chosen[index + 1] === 'after' && mentions[index + 1]?.elided === false));

/**
 * If all but one of the gaps around the keys hold one label each, that gap decides the side of all: "for tea, press 1 for
 * coffee, 2 to go back, 3". The pauses that a recogniser hears don't. Words before the first key can be talk, and words
 * after the last one can be no label.
 */
function sidesByCount(tokens: readonly Token[], gaps: readonly Gap[], lexicon: MenuLexicon): LabelSide[] | undefined {
  const [first, last, between] = [gaps[0], gaps.at(-1), gaps.slice(1, -1)];
  if (!first || !last || between.some(({ split, splitCost }) => split !== undefined && splitCost === 0))
    return undefined;
  const isStop = (index: number): boolean => tokens[index]?.kind === 'strong';
  const leads =
    first.hasWords &&
    !isTalk(tokens, first, lexicon) &&
    (!last.hasWords || !isStop(first.to - 1) || between.every(({ to }) => isStop(to - 1)));
  const after = tokenWordsOf(tokens.slice(last.from, last.afterTo));
  const trails =
    last.hasWords &&
    ![lexicon.offerAfterLabel, lexicon.stay, lexicon.enterVerb, lexicon.aim].some((rule) => after.search(rule) >= 0) &&
    (!first.hasWords || !isStop(last.from) || between.every(({ from }) => isStop(from)));
  const isBoth = leads && trails && between.every(({ hasWords }) => hasWords);
  const kindAt = (index: number): string | undefined => tokens[index]?.kind;
  const leadFits = between.every(({ to }) => kindAt(to - 1) === kindAt(first.to - 1));
  const trailFits = between.every(({ from }) => kindAt(from) === kindAt(last.from));
  const isClear = leadFits !== trailFits;
  // A name without a cue is more often before a list than after it.
  const isLead = (gap: Gap): boolean => lexicon.cues.has(word(tokens, gap === first ? gap.beforeFrom : gap.from));
  // "care for kids press one for sales press two for service": all labels but that one begin with a cue.
  const isOther = !isLead(first) && [...between, last].every(isLead);
  const isName = isBoth && (isClear ? trailFits : isOther || (!first.isCued && between.some(({ hasCue }) => !hasCue)));
  const isRest = isBoth && isClear && leadFits;
  const empty = gaps.flatMap(({ hasWords }, index) =>
    (index === 0 ? leads && !isName : index === gaps.length - 1 ? trails && !isRest : hasWords) ? [] : [index],
  );
  const [only] = empty;
  return between.length === 0 || empty.length !== 1 || only === undefined
    ? undefined
    : gaps.slice(1).map((_, index) => (index < only ? 'before' : 'after'));
}

const directions: readonly LabelSide[] = ['before', 'after'];
const closeCosts = 0.5;
const cheaper = (one: Path, other: Path): Path => (other.cost < one.cost ? other : one);

/**
 * Returns the evidence against a label before a key: the key has no verb and a label after it (", 2 for service", "or
 * pound to cancel"), or a condition precedes it and the purpose follows ("if you can't wait, press 1 for a callback").
 */
function leanOf(
  tokens: readonly Token[],
  { elided, from, to }: KeyMention,
  gap: Gap | undefined,
  nextGap: Gap | undefined,
  lexicon: MenuLexicon,
): number {
  const [previous, next] = [word(tokens, from - 1), word(tokens, to)];
  const isCued = lexicon.cues.has(next);
  if (elided) {
    const isOffer = (isCued && (!previous || lexicon.joiners.has(previous))) || isPredicate(tokens, to, lexicon);
    // "… the following. 1 sales, 2 parking"
    return isOffer ? 2 : tokens[from - 1]?.kind === 'strong' && next !== '' ? 1.5 : 0;
  }
  // "sales is option 1"
  if (lexicon.copulas.has(previous)) return -1.5;
  const start = gap?.beforeFrom ?? 0;
  let clause = from - 1;
  while (clause > start && tokens[clause - 1]?.kind === 'word') clause -= 1;
  const isCondition = [start, Math.max(start, clause)].some((index) => word(tokens, index) === lexicon.conditionCue);
  if (isCondition && isPredicate(tokens, to, lexicon)) return 3;
  if (!isCued || !isCondition || next === lexicon.conditionCue) return 0;
  // "press star to reset it" ends here, or before the next condition.
  const ends = tokens.slice(to, nextGap?.to).some(({ kind }) => kind === 'strong') || nextGap?.to === tokens.length;
  const parts = next === lexicon.purposeCue && word(tokens, nextGap?.split ?? to) === lexicon.conditionCue;
  return parts ? clearLean : ends || !previous ? 1.5 : 0;
}

const attribution = (
  direction: LabelSide,
  gaps: readonly Gap[],
  index: number,
  sharesBefore: boolean,
  sharesAfter: boolean,
): Attribution => {
  const gap = gaps[direction === 'before' ? index : index + 1];
  if (!gap) return { direction, label: { from: 0, to: 0 } };
  return { direction, label: direction === 'before' ? spanBefore(gap, sharesBefore) : spanAfter(gap, sharesAfter) };
};

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Where the next key's label begins, and the previous key's label ends. */
  readonly beforeFrom: number;
  readonly afterTo: number;
  readonly costBefore: number;
  readonly costAfter: number;
  /** Where the gap splits into a label for the previous key and one for the next, or undefined. */
  readonly split: number | undefined;
  readonly splitCost: number;
  readonly hasCue: boolean;
  /** A clause of the next key's label begins with a cue. */
  readonly isCued: boolean;
  readonly hasWords: boolean;
}

/** A condition precedes a key and its purpose follows, before the next condition. */
const clearLean = 2.5;
const emptyCost = 3;
/** A sentence ends between a key and the label after it. */
const stoppedCost = 1.4;

/** The tokens of a gap, and the words in it that can begin a label. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly Token[];
  readonly lexicon: MenuLexicon;
  readonly cues: readonly number[];
  readonly firstWord: number | undefined;
  readonly hasWords: (start: number, end: number) => boolean;
}

function gapAt(tokens: readonly Token[], from: number, to: number, lexicon: MenuLexicon): Gap {
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  const isPlainWord = (index: number): boolean =>
    word(tokens, index) !== '' && !isJoiner(tokens, index, lexicon) && !lexicon.fillers.has(word(tokens, index));
  // Words counted from the gap's beginning, so that any part of it costs the same.
  const wordsUntil = [0];
  for (const index of indexes) wordsUntil.push((wordsUntil.at(-1) ?? 0) + (isPlainWord(index) ? 1 : 0));
  const hasWords = (start: number, end: number): boolean =>
    (wordsUntil[end - from] ?? 0) > (wordsUntil[start - from] ?? 0);
  const cues = indexes.filter((index) => isCue(tokens, index, lexicon));
  const stretch: Stretch = { from, to, tokens, lexicon, cues, firstWord: indexes.find(isPlainWord), hasWords };
  const [split, splitCost] = splitPoint(stretch);
  return {
    from,
    to,
    ...labelBefore(stretch),
    afterTo: nextStrong(stretch, tokens[from]?.kind === 'strong' ? from + 1 : from),
    costAfter: costOfLabelAfter(stretch),
    split,
    splitCost,
    hasCue: cues.length > 0,
    hasWords: hasWords(from, to),
  };
}

const isJoiner = (tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean =>
  lexicon.joiners.has(word(tokens, index));

function isCue(tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean {
  const text = word(tokens, index);
  return lexicon.cues.has(text) && lexicon.notCueAfter[text]?.has(word(tokens, index - 1)) !== true;
}

/** Returns the first sentence end from `start`, or the end of the gap. */
function nextStrong({ tokens, to }: Stretch, start: number): number {
  for (let index = start; index < to; index += 1) if (tokens[index]?.kind === 'strong') return index;
  return to;
}

/** Returns the next key's label: the last sentence of the gap that has words. */
function labelBefore({
  from,
  to,
  tokens,
  lexicon,
  cues,
  hasWords,
}: Stretch): Pick<Gap, 'beforeFrom' | 'costBefore' | 'isCued'> {
  let beforeFrom = from;
  let trailingStrong = false;
  for (let index = to - 1; index >= from && beforeFrom === from; index -= 1) {
    if (tokens[index]?.kind !== 'strong') continue;
    if (hasWords(index + 1, to)) beforeFrom = labelStart(tokens, from, index, lexicon);
    else trailingStrong = true;
  }
  const later = cues.filter((index) => index >= beforeFrom);
  const isPlain = tokens.slice(beforeFrom, to).every(({ kind }) => kind === 'word');
  const isCued = later.some(
    (index) =>
      (isPlain || index === beforeFrom || !word(tokens, index - 1) || isJoiner(tokens, index - 1, lexicon)) &&
      !keyAt(tokens, index + 1, lexicon),
  );
  let costBefore = later.length > 0 ? 0 : 0.8;
  if (!hasWords(beforeFrom, to)) costBefore = emptyCost;
  else if (trailingStrong) costBefore += 1.5;
  return { beforeFrom, costBefore: costBefore + (isJoiner(tokens, to - 1, lexicon) ? 0.8 : 0), isCued };
}

/** Returns where the label after a full stop begins: before it, inside a condition ("if you are working. But you …"). */
function labelStart(tokens: readonly Token[], from: number, stop: number, lexicon: MenuLexicon): number {
  const start = sentenceStart(tokens, stop, stop - from);
  const isOne = lexicon.goesOn.test(`${word(tokens, stop - 1)}. ${word(tokens, stop + 1)} ${word(tokens, stop + 2)}`);
  const first = isJoiner(tokens, start, lexicon) ? start + 1 : start;
  const isCondition = isOne && word(tokens, first) === lexicon.conditionCue;
  return isCondition && tokens.slice(start, stop).every(({ kind }) => kind === 'word') ? start : stop + 1;
}

/** The previous key's label is the first sentence of the gap. */
function costOfLabelAfter(stretch: Stretch): number {
  const { from, tokens, cues, firstWord, hasWords } = stretch;
  const startsWithCue = firstWord !== undefined && cues.includes(firstWord);
  const kind = tokens[from]?.kind;
  if (kind === 'strong') return startsWithCue ? stoppedCost : emptyCost;
  if (!hasWords(from, nextStrong(stretch, from))) return emptyCost;
  return (startsWithCue ? 0 : 1.3) + (kind === 'weak' ? 0.3 : 0);
}

/** Returns where the gap splits into two labels, and the cost. */
function splitPoint({ from, to, tokens, lexicon, cues, firstWord, hasWords }: Stretch): [number | undefined, number] {
  for (let index = to - 1; index > from; index -= 1)
    if (tokens[index]?.kind === 'strong' && hasWords(from, index) && hasWords(index + 1, to)) return [index + 1, 0];
  const inner = cues.filter((index) => index > (firstWord ?? from) && hasWords(from, index) && index < to - 1);
  const afterComma = inner.find((index) => !word(tokens, index - 1) || isJoiner(tokens, index - 1, lexicon));
  // "to the main menu" is a destination; "to return" begins another offer.
  const point =
    afterComma ??
    inner.find((index) => word(tokens, index) !== lexicon.purposeCue) ??
    inner.findLast((index) => !lexicon.determiners.has(word(tokens, index + 1))) ??
    inner.at(-1);
  return [point, point === undefined ? 0 : afterComma === undefined ? 0.7 : 0.4];
}

/** A gap that no key claims costs more if it reads like a label. */
const unclaimed = (gap: Gap): number => (gap.hasCue ? 1.2 : 0);

function transition(past: LabelSide, to: LabelSide, gap: Gap): number {
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
