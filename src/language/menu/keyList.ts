import { groupBy } from '../../base/groupBy.ts';
import {
  beginsName,
  explicitMention,
  isCueSound,
  isDigit,
  keyRun,
  keySequence,
  longNumber,
  spokenNumberAt,
  type KeyRun,
} from './keyMentions.ts';
import { beginsLabel, isPredicate, keyAt, word, type KeyMention } from './keyNames.ts';
import type { MenuLexicon } from './lexicon.ts';
import { sentenceStart, tokenWordsOf, type Token } from './tokens.ts';

/** A number that can be an item of the list. */
interface Candidate extends KeyMention {
  /** How much the words and pauses around it look like those of an item. */
  readonly shape: number;
  /** Only a key if it continues the count: a sound ("to"), or a number after a word such as "from". */
  readonly continues?: boolean;
  /** A sound right after the key before it. */
  readonly adjoins?: boolean;
}

/** The best list that ends with a candidate. */
interface Chain {
  readonly score: number;
  /** The words before its key begin like a label. */
  readonly isCued: boolean;
  readonly item: Candidate;
  readonly past: Chain | undefined;
}

/** What an item must gain by its shape and its place in the count. A list with a verb, or without pauses, needs less. */
const itemPrice = 2;
const lowPrice = 1.5;
/** What a list without verbs must gain. */
const listPrice = 1.5;
/** The maximum number of candidates between two items. */
const longestSkip = 12;
/** The maximum number of tokens of a usual item. */
const usualGap = 14;
/** The maximum number of words in a label of a list of two without pauses. */
const longestName = 3;
const explicitShape = 100;
const closingKeys: Readonly<Record<string, number>> = { '0': 1.4, '*': 1, '#': 1, '9': 0.7, '88': 1, '99': 1 };

/**
 * Finds the keys of a prompt: those with a verb, and the numbers beside them that are items of the same list, with any
 * words or none ("sales, 1. For service, 2", "3 for parking", "that's four"). The list as a whole is scored: its items
 * repeat a shape and its numbers count up, each with words for a label. Numbers that don't fit aren't keys.
 */
export function findKeyMentions(heard: readonly Token[], lexicon: MenuLexicon): KeyMention[] {
  const tokens = withSharedVerb(heard, lexicon);
  const candidates = candidatesIn(tokens, lexicon);
  const hasVerb = candidates.some(({ elided }) => !elided);
  const price = hasVerb || tokens.every(({ kind }) => kind === 'word') ? lowPrice : itemPrice;
  // Cumulative counts, so that each gap costs the same.
  const wordsUntil = [0];
  for (const { kind, text } of tokens)
    wordsUntil.push(
      (wordsUntil.at(-1) ?? 0) + (kind === 'word' && !lexicon.joiners.has(text) && !lexicon.fillers.has(text) ? 1 : 0),
    );
  const wordsIn = (from: number, to: number): number => (wordsUntil[to] ?? 0) - (wordsUntil[from] ?? 0);
  const chains: Chain[] = [];
  let verb: Chain | undefined;
  for (const item of candidates) {
    const pasts = [...chains.slice(-longestSkip), undefined].filter((past) => past !== undefined || !verb);
    const best = pasts
      .map((past) => {
        const isCued = lexicon.cues.has(firstWord(tokens, past?.item.to ?? 0, item.from, past !== undefined, lexicon));
        const place = placeOf(tokens, item, past, wordsIn) + (item.elided && isCued ? 0.6 : 0);
        // A number after two items of a list is likely another one.
        const score = (past?.score ?? 0) + item.shape + place - (past?.past ? lowPrice : price);
        return { score, isCued, item, past };
      })
      .reduce((one, other) => (other.score > one.score ? other : one));
    if (!item.elided) {
      chains.length = 0;
      verb = best;
    }
    chains.push(best);
  }
  const [first] = chains;
  if (!first) return [];
  const best = chains.reduce((one, other) => (other.score >= one.score ? other : one));
  const list: Chain[] = [];
  for (let chain: Chain | undefined = best; chain; chain = chain.past) list.unshift(chain);
  // A key with a verb is rarely offered before without one: "if you were asked for one, call us. For sales, press 1."
  const keysWithVerb = new Set(list.flatMap(({ item }) => (item.elided ? [] : item.keys)));
  while (list[0]?.item.elided === true && list[0].item.keys.every((key) => keysWithVerb.has(key))) list.shift();
  const start = candidates.findIndex(({ elided }) => !elided);
  // "cancel your booking, one. for opening hours, press 1"
  const ending = candidates
    .slice(0, Math.max(0, start))
    .filter(({ keys, to }) => keys.length === 1 && word(tokens, to) === '');
  const before = new Set(ending.flatMap(({ keys }) => keys));
  // "Bees 1, Wasps 2. Hornets 4, Ants 0."
  const items = new Set(list.map(({ item }) => item));
  const hasStray = candidates
    .slice(
      candidates.findIndex((item) => items.has(item)),
      candidates.findLastIndex((item) => items.has(item)),
    )
    .some((item) => !items.has(item) && item.shape >= 1 && item.keys[0] !== '1');
  if (!hasVerb && (hasStray || !isList(tokens, list, lexicon))) return [];
  let spoken = false;
  return list.map(({ item }, index) => {
    if (!item.elided) spoken = item.spoken;
    const isDoubtful =
      item.doubtful === true ||
      (!item.elided && item.keys.some((key) => before.has(key))) ||
      (hasVerb && hidesKey(tokens, list, index, lexicon));
    return { ...item, spoken, ...(isDoubtful && { doubtful: true }) };
  });
}

/**
 * Returns "press" instead of any other word before several keys that count on, with a different label before each: "for
 * deliveries *take* one for collections *take* two". The verb "choose" can be heard as "two" each time.
 */
function withSharedVerb(tokens: readonly Token[], lexicon: MenuLexicon): readonly Token[] {
  const end = tokens.findIndex(({ text }) => lexicon.pressVerbs.has(text));
  const places = tokens.slice(0, end === -1 ? undefined : end).flatMap(({ text }, at) => {
    const next = word(tokens, at + 1) ? at + 1 : at + 2;
    const [key, after] = [keyAt(tokens, next, lexicon)?.key ?? '', word(tokens, next + 1)];
    const isSound = lexicon.cueSounds.has(text) && after === '';
    const isWord =
      beginsName(tokens, at, lexicon) && ![lexicon.notBeforeBareKey, lexicon.weakVerbs].some((set) => set.has(text));
    const fits =
      (isSound || isWord) && isDigit(key) && beginsName(tokens, at - 1, lexicon) && !lexicon.notAfterBareKey.has(after);
    return fits ? [{ at, key: Number(key), verb: isSound ? 'two' : text }] : [];
  });
  const found = [...groupBy(places, ({ verb }) => verb)].flatMap(([verb, items]) => {
    const isUp = items.every(({ key }, index) => key > (items[index - 1]?.key ?? 0));
    // "for new bookings one for group bookings two": a noun has an adjective before it, a verb a noun.
    const nouns = new Set(items.map(({ at }) => word(tokens, at - 1)).filter((label) => lexicon.nounEnd.test(label)));
    const isVerb = lexicon.sharedVerbs.has(verb) || nouns.size * 2 >= items.length;
    return isVerb && isUp && items.length > 1 ? items.map(({ at }) => at) : [];
  });
  const verbs = new Set(found);
  return tokens.map((token, at) => (verbs.has(at) ? { ...token, text: 'press' } : token));
}

/**
 * Returns true if a number beside an item can be another item: "1 billing 2 hours select 3 parking", "for sales press one
 * two your balance", "cancel your order press one to hear hours".
 */
function hidesKey(tokens: readonly Token[], list: readonly Chain[], index: number, lexicon: MenuLexicon): boolean {
  const [item, next] = [list[index]?.item, list[index + 1]?.item];
  if (!item) return false;
  const isLoose = item.shape < 1.5 || (item.shape < 2 && word(tokens, item.from - 1) !== '');
  if (index === 0 && item.elided && isLoose) return true;
  const isHidden = (at: number, key: number): boolean =>
    key > 0 &&
    key < (Number(next?.keys[0]) || 10) &&
    keyAt(tokens, at, lexicon)?.key === String(key) &&
    !lexicon.notBeforeBareKey.has(word(tokens, at - 1)) &&
    !lexicon.beforePronoun.has(word(tokens, at - 1)) &&
    !lexicon.notAfterBareKey.has(word(tokens, at + 1));
  const last = Number(item.keys.at(-1));
  const end = Math.min(next?.from ?? tokens.length, item.to + 2 * usualGap);
  for (let at = item.to; at < end; at += 1) if (isHidden(at, last + 1)) return true;
  if (index > 0) return false;
  const start = sentenceStart(tokens, item.from, 2 * usualGap);
  for (let at = start; at < item.from; at += 1) if (isHidden(at, Number(item.keys[0]) - 1)) return true;
  const [previous, sound] = [word(tokens, item.from - 1), word(tokens, item.to)];
  const isSound = Object.hasOwn(lexicon.misheardKeys, sound) && lexicon.misheardKeys[sound] === String(last + 1);
  const isLabel = previous !== '' && !lexicon.joiners.has(previous);
  return isSound && isLabel && !lexicon.call.test(tokenWordsOf(tokens.slice(start, item.from)));
}

/** Returns true if numbers without any verb make a list. */
function isList(tokens: readonly Token[], list: readonly Chain[], lexicon: MenuLexicon): boolean {
  const items = list.map(({ item }) => item);
  if (items.length === 1) return items.some(({ shape }) => shape > clearShape);
  const isUp = items.every(
    ({ keys: [key = ''] }, index) =>
      index === 0 || key in closingKeys || !(Number(key) <= Number(items[index - 1]?.keys.at(-1))),
  );
  const hasPauses = tokens.some(({ kind }) => kind !== 'word');
  const keys = items.flatMap((item) => item.keys);
  const isFull = keys.join('').startsWith('123') && !word(tokens, items.at(-1)?.to ?? 0);
  if (!isUp || new Set(keys).size < items.length || (hasPauses && !isFull && (items[0]?.shape ?? 0) < firstShape))
    return false;
  // "lane one, swimming. lane two, diving": the number belongs to the word before it.
  const names = new Set(items.map(({ from }) => word(tokens, from - 1)));
  const [name = ''] = names;
  const isNamed = items.some(({ from }) => word(tokens, from - 2) === '');
  if (names.size === 1 && name !== '' && isNamed && !lexicon.joiners.has(name)) return false;
  if (items.filter(({ shape }) => shape >= 2).length >= 2) return true;
  const isBrief = items.every(({ from }, index) => from - (items[index - 1]?.to ?? 0) <= longestName);
  const isWhole = isBrief && items.at(-1)?.to === tokens.length;
  const isRegular =
    items[0]?.keys[0] === '1' && (isWhole || items.every(({ shape }) => shape >= 1.5) || items.length >= 3);
  return (list.at(-1)?.score ?? 0) + (isRegular ? 1 : 0) >= listPrice;
}

/** How well a number continues the count after another item, or begins it. */
function placeOf(
  tokens: readonly Token[],
  { keys: [key = ''], from, to, shape, elided, continues, adjoins }: Candidate,
  past: Chain | undefined,
  wordsIn: (from: number, to: number) => number,
): number {
  const start = past?.item.to ?? 0;
  // "press 12 for hours, 3 for parking": 1 and 2
  const last = past?.item.keys.at(-1)?.slice(-key.length);
  // Star or hash can begin a list.
  const startsList = last !== undefined && !isDigit(last) && past?.item.elided === true && !past.past;
  const count = countOf(key, startsList ? undefined : last, elided && shape >= clearShape);
  const isNext = Number(key) === Number(past?.item.keys.at(-1)) + 1;
  if ((continues && !isNext) || (adjoins && start !== from && start !== from - 1)) return -explicitShape;
  const isEmpty = wordsIn(start, from) === 0;
  if (!elided) {
    if (past?.item.elided !== true) return 0;
    const isLone =
      past.past === undefined && !(past.isCued && past.item.shape >= 1) && word(tokens, past.item.from - 1) !== '';
    return (isEmpty && !word(tokens, to)) || isLone ? -explicitShape : Math.min(count, 0.5);
  }
  if (
    past &&
    isEmpty &&
    shape < 2 &&
    ((past.item.elided && !(key in closingKeys)) ||
      !(isNext || key in closingKeys) ||
      (shape < 1.5 && !word(tokens, to)))
  )
    return -explicitShape;
  return count;
}

/** How well a key counts up after another one. An item of a clear shape needs no order. */
function countOf(key: string, last: string | undefined, isClear: boolean): number {
  // No list offers one key twice in a row: "one moment please. For sales, press 1".
  if (key === last) return -explicitShape / 2;
  const isUp = last === undefined || Number(key) > Number(last);
  if (isClear) return Number(key) === Number(last) + 1 ? 0.3 : isUp || key in closingKeys ? 0 : -0.8;
  if (Number(key) === Number(last ?? 0) + 1) return 1.5;
  return last !== undefined && key in closingKeys ? (closingKeys[key] ?? 0) : isUp ? 0 : key === '1' ? -1 : -2;
}

/** Returns the word that begins a gap or, before the first item, any cue in its last words. */
function firstWord(tokens: readonly Token[], from: number, to: number, isNext: boolean, lexicon: MenuLexicon): string {
  const gap = tokens.slice(Math.max(from, to - usualGap), to);
  const found = gap.find(
    ({ kind, text }) =>
      kind === 'word' && (isNext ? !lexicon.joiners.has(text) && !lexicon.fillers.has(text) : lexicon.cues.has(text)),
  );
  return found?.text ?? '';
}

/** The least shape of the first item, if the prompt has pauses: one beside it. */
const firstShape = 0.8;
/** The shape of an item that is one beyond doubt: "2 for service", after a pause. */
const clearShape = 3;

function candidatesIn(tokens: readonly Token[], lexicon: MenuLexicon): Candidate[] {
  const found: Candidate[] = [];
  let verb: KeyMention | undefined;
  for (let index = 0; index < tokens.length;) {
    const explicit = explicitMention(tokens, index, lexicon, verb);
    const next = explicit
      ? { ...explicit, shape: explicitShape }
      : (soundAt(tokens, index, lexicon, found.at(-1)) ?? bareAt(tokens, index, lexicon, verb, found.at(-1)));
    if (next) found.push(next);
    verb = explicit ?? verb;
    index = Math.max(index + 1, next?.to ?? 0);
  }
  return found;
}

const bare = (run: KeyRun, from: number, shape: number): Candidate => {
  return { ...run, from, elided: true, spoken: false, shape };
};

/** Reads a key without a verb. */
function bareAt(
  tokens: readonly Token[],
  from: number,
  lexicon: MenuLexicon,
  verb: KeyMention | undefined,
  last: KeyMention | undefined,
): Candidate | undefined {
  const [text, previous] = [word(tokens, from), word(tokens, from - 1)];
  if (lexicon.pressVerbs.has(previous)) return undefined;
  // "Star, main menu. 1, sales. …", with "star" heard as "start"
  const sign = keyAt(tokens, from, lexicon)?.key ?? (from === 0 ? lexicon.misheardKeys[text] : undefined);
  const isSign = !last && previous === '' && (sign === '*' || sign === '#');
  const label = word(tokens, from + 1) ? from + 1 : from + 2;
  if (isSign && lexicon.navigation.test(tokenWordsOf(tokens.slice(label, label + 4))))
    return {
      ...bare({ keys: [sign], to: from + 1 }, from, clearShape),
      ...(!keyAt(tokens, from, lexicon) && { misheard: true }),
    };
  const length = verb?.keys[0]?.length ?? 1;
  const isApart = previous === '' || lexicon.joiners.has(previous);
  const isNextNumber = Number(spokenNumberAt(tokens, from, lexicon).keys) === Number(last?.keys.at(-1)) + 1;
  // "fraud, 99" after one key or more, "sales, 10. parts, 11."
  const isCounted =
    word(tokens, from + 1) === '' &&
    ((last?.elided === true && text in closingKeys) ||
      (isApart && tokens.slice(from, from + usualGap).some((token) => token.text === String(Number(text) + 1))));
  const run =
    (length > 1 && isApart ? keySequence(tokens, from, lexicon, verb) : undefined) ??
    keyRun(tokens, from, lexicon) ??
    ((isApart && length > 1) || (isNextNumber && (isApart || length > 1)) || isCounted
      ? longNumber(tokens, from, lexicon, length > 1)
      : undefined);
  if (!run || lexicon.notAfterBareKey.has(word(tokens, run.to)) || isRange(tokens, from, run.to, lexicon))
    return undefined;
  const isSaid = lexicon.equals.has(word(tokens, run.to));
  const { keys, to } = isSaid ? { ...run, to: run.to + 1 } : run;
  const isNoun = lexicon.keyNouns.has(word(tokens, run.to - 1));
  // "the star key brings you back"
  if (isNoun && (beginsLabel(tokens, to, lexicon) || lexicon.keyActs.test(word(tokens, to))))
    return bare({ ...run, to }, lexicon.determiners.has(previous) ? from - 1 : from, clearShape + 1);
  const isAnnounced = lexicon.listWords.has(previous) || lexicon.keyNouns.has(previous);
  const isLinked = lexicon.copulas.has(previous) || lexicon.keyLinks.has(previous);
  const ends = word(tokens, to) === '';
  const begins = previous === '' || (isApart && word(tokens, from - 2) === '');
  const hasCue = cued(tokens, { keys, to }, from, lexicon) || isSaid;
  const isBarred = lexicon.notBeforeBareKey.has(previous) && !isAnnounced && !isSaid && !(isLinked && ends);
  // "to remove a line three. To change a plan"
  const isDue = isNextNumber && ends && beginsLabel(tokens, to + 1, lexicon);
  if ((isBarred || keyAt(tokens, from - 1, lexicon)) && !hasCue && !isDue) return undefined;
  const isSubject =
    previous === '' &&
    isPredicate(tokens, to, lexicon) &&
    [to + 1, to + 2, to + 3].some((index) => lexicon.determiners.has(word(tokens, index)));
  const linked = ends ? 2.5 : isAnnounced || lexicon.copulas.has(previous) ? 1.4 : 0;
  const edges = (begins ? (ends ? 0.7 : 1) : 0.2) + (ends ? 0.8 : 0);
  const cue = isApart || isAnnounced ? clearShape : 1.5;
  const shape = isSubject ? clearShape + 1 : hasCue ? cue : isLinked || isAnnounced ? linked : edges;
  return {
    ...bare({ ...run, to }, isAnnounced || isLinked ? from - 1 : from, shape),
    ...(isBarred && { continues: true }),
    ...(lexicon.joiners.has(previous) && !hasCue && !ends && { doubtful: true }),
  };
}

/** "nine to five" */
function isRange(tokens: readonly Token[], from: number, to: number, lexicon: MenuLexicon): boolean {
  const isNumber = (index: number): boolean =>
    Number.isFinite(Number(spokenNumberAt(tokens, index, lexicon).keys || NaN));
  return (
    (lexicon.rangeWords.has(word(tokens, to)) && isNumber(to + 1)) ||
    (lexicon.rangeWords.has(word(tokens, from - 1)) && isNumber(from - 2))
  );
}

/** "two for service", "for sales press 1 to 4 hours", "or it to cancel": a key that was heard as a word like it. */
function soundAt(
  tokens: readonly Token[],
  from: number,
  lexicon: MenuLexicon,
  last: Candidate | undefined,
): Candidate | undefined {
  if (!last) return undefined;
  const [heard, next, previous] = [word(tokens, from), word(tokens, from + 1), word(tokens, from - 1)];
  const sound = Object.hasOwn(lexicon.misheardKeys, heard) ? lexicon.misheardKeys[heard] : undefined;
  const clear = keyAt(tokens, from, lexicon)?.key;
  const key = clear ?? sound;
  if (key === undefined) return undefined;
  const isNewCue = clear === undefined || !lexicon.cues.has(next);
  if (isNewCue && isCueSound(tokens, from + 1, lexicon) && beginsName(tokens, from + 2, lexicon) && from - last.to <= 1)
    return {
      ...bare({ keys: [key], to: lexicon.cues.has(next) ? from + 1 : from + 2 }, from, 2),
      continues: true,
      adjoins: true,
      misheard: true,
      doubtful: true,
    };
  if (sound === undefined || clear !== undefined) return undefined;
  const heardKey = (shape: number, rest: Partial<Candidate>): Candidate => ({
    ...bare({ keys: [sound], to: from + 1 }, from, shape),
    misheard: true,
    ...rest,
  });
  if (lexicon.misheardInLists.has(heard))
    return lexicon.joiners.has(previous) && lexicon.cues.has(next) ? heardKey(clearShape, {}) : undefined;
  // "Parking one. Permits to fines three"
  const rest = tokens.slice(from + 1, from + 5);
  const end = rest.findIndex(({ kind, text }) => kind !== 'word' || lexicon.keys[text] === String(Number(sound) + 1));
  const isBetween =
    rest[end]?.kind === 'word' &&
    rest[end + 1]?.kind !== 'word' &&
    last.elided &&
    !lexicon.determiners.has(next) &&
    [from - 1, from + 1].every((at) => beginsName(tokens, at, lexicon)) &&
    !tokens.slice(Math.max(last.to, from - usualGap), from).some(({ text }) => lexicon.cues.has(text));
  const isAnnounced = [lexicon.copulas, lexicon.keyLinks, lexicon.listWords, lexicon.pressVerbs].some((words) =>
    words.has(previous),
  );
  const isItem =
    isBetween ||
    next === '' ||
    (lexicon.cues.has(next) && (previous === '' || lexicon.joiners.has(previous) || lexicon.cues.has(heard)));
  const isSound = lexicon.cueSounds.has(lexicon.keyNames[sound] ?? '');
  // "are on to"
  const width = isAnnounced ? (lexicon.copulas.has(word(tokens, from - 2)) ? 2 : 1) : 0;
  return isItem && isSound
    ? heardKey(isBetween ? 1.5 : isAnnounced || next !== '' ? 2 : 0.7, { continues: true, from: from - width })
    : undefined;
}

/** Its purpose follows: "2 for service". */
function cued(tokens: readonly Token[], { keys, to }: KeyRun, from: number, lexicon: MenuLexicon): boolean {
  const width = keyAt(tokens, from, lexicon)?.width ?? 0;
  const isLong = isDigit(keys[0] ?? '') && to - from > width + 2;
  return (
    !isLong &&
    beginsLabel(tokens, to, lexicon) &&
    !/^\d/.test(word(tokens, to + 1)) &&
    keyAt(tokens, to + 1, lexicon) === undefined
  );
}
