import { keysByName } from '../../base/mishearings.ts';
import type { Fingerprint, Word } from '../ear.ts';
import { bands, hopMs, quietDb, readFingerprint } from '../fingerprint.ts';
import { bare, isMenuVerb, keyNamed } from './keyWords.ts';
import { keyHeardAs } from './menuSoFar.ts';

/** A prompt as it was recognised, and its sound. The times of the words are from the prompt's first sound. */
export interface PromptHeard {
  readonly text: string;
  readonly words: readonly Word[];
  readonly fingerprint: Fingerprint;
}
/** Its text after keys were found by their sound. */
export type PromptReheard = Pick<PromptHeard, 'text' | 'words'>;

/** A word of the text with its position, in frames. */
interface Token {
  shown: string;
  readonly from: number;
  readonly to: number;
  /** Its time is known exactly, because it was aligned alone. */
  readonly isAligned: boolean;
  /** It was found by its sound. */
  readonly isFound?: true;
}

/** A verb or a key that was recognised clearly: how this voice says the word. */
interface Template {
  readonly word: string;
  /** The key that it names; undefined for a verb. */
  readonly key: string | undefined;
  readonly frames: Float32Array;
  readonly source: Prompt;
}

/** Where a template sounds like the prompt, in frames. `cost`: mean distance of their frames. */
interface Spot {
  readonly word: string;
  readonly key: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly cost: number;
}

interface Prompt {
  readonly frames: Float32Array;
  readonly levels: Float64Array;
  /** Frames up to this level are silent, in dBFS. */
  readonly silentDb: number;
  readonly leadMs: number;
  tokens: Token[];
  readonly spots: Spot[];
  /** How many templates it was searched for, of those so far. */
  searchedFor: number | undefined;
}

const keyOf = (word: string): string | undefined => keysByName[keyNamed(word) ?? ''];

/** Values of a frame: the bands' levels relative to their mean, in dB, and the weighted level. */
const width = bands + 1;
const levelWeight = 0.5;
/** In dBFS. Everything below is silence. */
const levelFloor = -45;
/** The same word in one voice is at a distance of 2 to 6.5, other words are at 8 and more. */
const maxCost = 6.7;
/** A verb next to a key that was found can sound less alike. */
const maxVerbCost = 7.6;
/** Spots up to this distance count as rivals. */
const maxRivalCost = 12;
/** A word must sound this much more like one key than like any other. */
const maxOfRival = 0.8;
/** More templates of one word add little. */
const templatesOfWord = 4;
/** Shorter sounds are found everywhere. */
const shortestFrames = 8;
const longestFrames = 60;
/** Two positions of the same word are further apart. */
const nearFrames = 8;
/** Between a verb and its key: the faint sounds at the ends of words aren't part of a template. */
const verbGapFrames = 16;
const faintFrames = 5;
/** A clause ends with a silence of at least this. */
const pauseFrames = 9;
/** The aligner's times of words are accurate to this. */
const slackFrames = 2;

/**
 * The sounds of keys and verbs in the voice of one number. A voice says "press star" nearly the same each time, so a key
 * that was recognised clearly anywhere on this number is found where it was misheard ("press or", "this park"), by
 * comparing frames with dynamic time warping (Sakoe and Chiba, 1978).
 */
export class KeySounds {
  /** Undefined if its words aren't those of its text. */
  readonly #prompts = new WeakMap<Fingerprint, Prompt | undefined>();
  readonly #templates: Template[] = [];

  /**
   * Learns from all prompts of this number, and returns those in which keys were found that the recogniser missed. Each
   * prompt is compared once with each template.
   */
  rehear<Heard extends PromptHeard>(heard: readonly Heard[]): Map<Heard, PromptReheard> {
    const prompts = heard.flatMap((one) => {
      const prompt = this.#promptOf(one);
      return prompt ? [{ one, prompt }] : [];
    });
    const found = new Map<Heard, PromptReheard>();
    for (const { one, prompt } of prompts) {
      if (this.#compare(prompt) && this.#find(prompt)) found.set(one, shownOf(prompt));
    }
    return found;
  }

  #promptOf(heard: PromptHeard): Prompt | undefined {
    if (this.#prompts.has(heard.fingerprint)) return this.#prompts.get(heard.fingerprint);
    this.#prompts.set(heard.fingerprint, undefined);
    const { frames, leadMs } = readFingerprint(heard.fingerprint);
    const tokens = tokensOf(heard, leadMs);
    if (!tokens || frames.length === 0) return undefined;
    const prompt: Prompt = {
      frames: framesOf(frames.shapes, frames.levels),
      levels: frames.levels,
      silentDb: silenceOf(frames.levels),
      leadMs,
      tokens,
      spots: [],
      searchedFor: undefined,
    };
    this.#prompts.set(heard.fingerprint, prompt);
    this.#learn(prompt);
    return prompt;
  }

  /** Keeps the verbs and keys that this prompt says clearly. A key that it offers twice may be another, misheard. */
  #learn(prompt: Prompt): void {
    const offers = offersIn(prompt.tokens);
    for (const { verb, key } of offers) {
      if (offers.filter((other) => keyOf(bare(other.key.shown)) === keyOf(bare(key.shown))).length > 1) continue;
      for (const token of [verb, key]) {
        const name = nameOf(token);
        const known = this.#templates.filter(({ word }) => word === name).length;
        const { from, to } = soundOf(prompt, token);
        const length = to - from;
        if (!token.isAligned || known >= templatesOfWord || length < shortestFrames || length > longestFrames) continue;
        const frames = prompt.frames.slice(from * width, to * width);
        this.#templates.push({ word: name, key: keyOf(name), frames, source: prompt });
      }
    }
  }

  /** Searches the prompt for the newest templates. Returns false if that was done before. */
  #compare(prompt: Prompt): boolean {
    const from = prompt.searchedFor;
    if (from === this.#templates.length) return false;
    for (const template of this.#templates.slice(from))
      if (template.source !== prompt) prompt.spots.push(...spotsOf(template, prompt.frames));
    prompt.searchedFor = this.#templates.length;
    return true;
  }

  /** Puts keys that were found into the text. Returns true if it changed. */
  #find(prompt: Prompt): boolean {
    const before = prompt.tokens;
    const keys = prompt.spots.filter(({ key, cost }) => key !== undefined && cost <= maxCost);
    for (const spot of keys.sort((a, b) => a.cost - b.cost)) {
      const rival = prompt.spots
        .filter((other) => other.key !== undefined && other.key !== spot.key && overlaps(spot, other))
        .reduce((least, { cost }) => Math.min(least, cost), maxRivalCost);
      if (spot.cost > rival * maxOfRival || isOffered(prompt.tokens, spot)) continue;
      const from = verbBefore(prompt, spot) ?? (isCounted(prompt, spot) ? { at: spot.from } : undefined);
      if (from) prompt.tokens = replaced(prompt, spot, from);
    }
    prompt.tokens = countedOn(prompt);
    if (prompt.tokens === before) return false;
    // A full stop shows to which label a key without a verb belongs.
    const bareKeys = new Set(keysOf(prompt).flatMap(({ token, isBare }) => (isBare ? [token] : [])));
    for (const token of bareKeys) if (/[\p{L}\p{N}*#]$/u.test(token.shown)) token.shown += '.';
    return true;
  }
}

/** Returns the level of this line's silence: a little above its noise, which fills a pause somewhere. */
function silenceOf(levels: Float64Array): number {
  const sorted = levels.toSorted();
  return Math.min(quietDb, Math.max(faintestDb, (sorted[Math.floor(sorted.length * noiseShare)] ?? 0) + aboveNoiseDb));
}
/** Fainter sounds aren't speech, in dBFS. */
const faintestDb = -60;
const noiseShare = 0.05;
const aboveNoiseDb = 6;

/** Returns a word without the silence around it. */
function soundOf({ levels, silentDb }: Prompt, { from, to }: Token): Pick<Token, 'from' | 'to'> {
  const isQuiet = (at: number): boolean => (levels[at] ?? silentDb) <= silentDb;
  let [first, last] = [from, Math.min(to, levels.length)];
  while (first < last && isQuiet(first)) first += 1;
  while (last > first && isQuiet(last - 1)) last -= 1;
  return { from: first, to: last };
}

/** The offers of a text that were recognised clearly. */
function offersIn(tokens: readonly Token[]): { readonly verb: Token; readonly key: Token }[] {
  return tokens.flatMap((verb, at) => {
    const key = tokens[at + 1];
    return key && isMenuVerb(bare(verb.shown)) && keyOf(bare(key.shown)) !== undefined ? [{ verb, key }] : [];
  });
}

const nameOf = ({ shown }: Token): string => keyNamed(bare(shown)) ?? bare(shown);

/** Returns true if a clear key was recognised here, and nothing shows that it is another. */
function isOffered(tokens: readonly Token[], spot: Spot): boolean {
  const offers = offersIn(tokens);
  return offers.some(({ verb, key }) => {
    const own = keyOf(bare(key.shown));
    if (Math.min(key.to, spot.to) <= Math.max(verb.from, spot.from)) return false;
    const isTwice = offers.some((other) => other.key.from < key.from && keyOf(bare(other.key.shown)) === own);
    return own === spot.key || key.isFound === true || !isTwice;
  });
}

/** Returns where the verb before this key begins, and the verb if it was found by its sound. */
function verbBefore({ tokens, spots }: Prompt, { from }: Spot): { at: number; verb?: string } | undefined {
  const before = tokens.findLast((token) => token.from + nearFrames <= from);
  if (before && isMenuVerb(bare(before.shown)) && from - before.to <= verbGapFrames) return { at: before.to };
  const [verb] = spots
    .filter(({ key, to, cost }) => key === undefined && cost <= maxVerbCost && isJustBefore(to, from))
    .sort((a, b) => a.cost - b.cost);
  return verb && { at: verb.from - faintFrames, verb: verb.word };
}
const isJustBefore = (to: number, from: number): boolean => to - from <= nearFrames && from - to <= verbGapFrames;

/** Returns true if a silence follows, so that a clause ends here. */
function endsClause({ levels }: Prompt, to: number): boolean {
  for (let at = to + slackFrames; at < Math.min(levels.length, to + slackFrames + pauseFrames); at += 1)
    if ((levels[at] ?? quietDb) > quietDb) return false;
  return true;
}

/** Returns true if a clause ends here, and the last key before was the one before ("press 1. For Server, 2."). */
function isCounted(prompt: Prompt, { key, from, to }: Spot): boolean {
  const keys = keysOf(prompt);
  const previous = keys.findLast((other) => other.to <= from + nearFrames);
  const isNew = !keys.some((other) => other.key === key);
  return isNew && isNext(key, previous?.key) && endsClause(prompt, to);
}

const isNext = (key: string | undefined, previous: string | undefined): boolean =>
  Number(key) > 1 && previous === String(Number(key) - 1);

interface OfferedKey {
  readonly key: string;
  readonly to: number;
  readonly token: Token;
  /** It has no verb, and stands at the end of a clause. */
  readonly isBare: boolean;
}

/** The keys of the offers so far: after a verb, found by their sound, or counted on. */
function keysOf(prompt: Prompt): OfferedKey[] {
  const keys: OfferedKey[] = [];
  for (const [at, token] of prompt.tokens.entries()) {
    const key = keyOf(bare(token.shown));
    if (key === undefined) continue;
    const hasVerb = isMenuVerb(bare(prompt.tokens[at - 1]?.shown ?? ''));
    const isBare = !hasVerb && token.isFound !== true;
    if (!isBare || (isNext(key, keys.at(-1)?.key) && endsClause(prompt, token.to)))
      keys.push({ key, to: token.to, token, isBare });
  }
  return keys;
}

/**
 * A menu counts on: puts the next key where a clause ends with a word that is heard for it ("3 for nursing, for"), or
 * where such a word follows a verb.
 */
function countedOn(prompt: Prompt): Token[] {
  const { tokens } = prompt;
  const offered = new Set(keysOf(prompt).map(({ key }) => key));
  let changed: Token[] | undefined;
  for (const [at, token] of tokens.entries()) {
    const name = keyHeardAs(bare(token.shown));
    const key = name === undefined ? undefined : keyOf(name);
    if (name === undefined || key === undefined || offered.has(key) || keyOf(bare(token.shown)) !== undefined) continue;
    const previous = keysOf({ ...prompt, tokens: (changed ?? tokens).slice(0, at) }).at(-1)?.key;
    const hasVerb = isMenuVerb(bare(tokens[at - 1]?.shown ?? ''));
    if (!(hasVerb || isNext(key, previous)) || !endsClause(prompt, token.to)) continue;
    changed ??= [...tokens];
    changed[at] = { ...token, shown: token.shown.replace(/[\p{L}\p{N}']+/u, name), isFound: true };
    offered.add(key);
  }
  return changed ?? tokens;
}

/** Replaces the words that were heard for a key. */
function replaced({ tokens, levels }: Prompt, spot: Spot, { at, verb }: { at: number; verb?: string }): Token[] {
  const isSame = (token: Token): boolean => {
    const shared = Math.min(token.to, spot.to) - Math.max(token.from, at);
    return shared > 0 && shared * 2 >= token.to - token.from;
  };
  const heard = tokens.filter(isSame);
  const isPause = (levels[spot.to + 4] ?? quietDb) <= quietDb;
  const end = /[.,;:?!]+$/.exec(heard.at(-1)?.shown ?? '')?.[0] ?? (isPause ? '.' : '');
  const [from, to] = [spot.from, spot.to];
  const found: Token[] = [
    ...(verb === undefined ? [] : [{ shown: verb, from: at, to: from, isAligned: false, isFound: true as const }]),
    { shown: spot.word + end, from, to, isAligned: false, isFound: true },
  ];
  const before = tokens.filter((token) => !heard.includes(token) && token.from < at);
  const after = tokens.filter((token) => !heard.includes(token) && token.from >= at);
  return [...before, ...found, ...after];
}

const overlaps = (a: Spot, b: Spot): boolean =>
  (Math.min(a.to, b.to) - Math.max(a.from, b.from)) * 2 > Math.min(a.to - a.from, b.to - b.from);

const shownOf = ({ tokens, leadMs }: Prompt): PromptReheard => ({
  text: tokens.map(({ shown, to }, at) => shown + separatorBefore(tokens[at + 1], shown, to)).join(' '),
  words: tokens.map(({ shown, from, to }) => ({
    text: shown.replace(/^[^\p{L}\p{N}*#]+|[^\p{L}\p{N}*#]+$/gu, ''),
    startMs: from * hopMs + leadMs,
    endMs: to * hopMs + leadMs,
  })),
});

/** A pause separates clauses. */
const separatorBefore = (next: Token | undefined, shown: string, to: number): string =>
  next && next.from - to >= longPauseFrames && /[\p{L}\p{N}*#]$/u.test(shown) ? ',' : '';
const longPauseFrames = 25;

/** Returns the text's words with their positions. Undefined if the timed words aren't those of the text. */
function tokensOf({ text, words: timed }: PromptHeard, leadMs: number): Token[] | undefined {
  const parts = timed.flatMap(({ text: said, startMs, endMs }) => {
    const pieces = said.split(/\s+/);
    const letters = said.length + 1;
    let at = 0;
    return pieces.map((piece) => {
      const start = startMs + ((endMs - startMs) * at) / letters;
      at += piece.length + 1;
      return { piece, startMs: start, endMs: startMs + ((endMs - startMs) * at) / letters, alone: pieces.length === 1 };
    });
  });
  const shown = text.split(/\s+/).filter((word) => bare(word) !== '');
  const said = parts.filter(({ piece }) => bare(piece) !== '');
  if (shown.length === 0 || shown.some((word, at) => bare(word) !== bare(said[at]?.piece ?? ''))) return undefined;
  const frameAt = (ms: number): number => Math.max(0, Math.round((ms - leadMs) / hopMs));
  return shown.map((word, at) => {
    const { startMs = 0, endMs = 0, alone = false } = said[at] ?? {};
    return { shown: word, from: frameAt(startMs), to: frameAt(endMs), isAligned: alone };
  });
}

/** Returns the frames' values: shapes, and levels relative to the mean. */
function framesOf(shapes: Float32Array, levels: Float64Array): Float32Array {
  const frames = new Float32Array(levels.length * width);
  const mean = new Float64Array(width);
  for (let at = 0; at < levels.length; at += 1) {
    for (let band = 0; band < bands; band += 1) frames[at * width + band] = shapes[at * bands + band] ?? 0;
    frames[at * width + bands] = Math.max(levelFloor, levels[at] ?? levelFloor) * levelWeight;
    for (let value = 0; value < width; value += 1)
      mean[value] = (mean[value] ?? 0) + (frames[at * width + value] ?? 0) / levels.length;
  }
  for (let at = 0; at < frames.length; at += 1) frames[at] = (frames[at] ?? 0) - (mean[at % width] ?? 0);
  return frames;
}

/**
 * Returns where the template sounds most like the prompt. Each frame of the template is compared with one or two of the
 * prompt, or every second one, so that the word can be half or twice as long.
 */
function spotsOf({ word, key, frames: template }: Template, frames: Float32Array): Spot[] {
  const [rows, columns] = [template.length / width, Math.min(frames.length / width, longestPromptFrames)];
  // No path through a worse cell can be near enough.
  const tooFar = maxRivalCost * rows;
  let [earlier, previous, now] = [new PathRow(columns), new PathRow(columns), new PathRow(columns)];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const straight = row === 0 ? 0 : previous.costAt(column - 1);
      const doubled = row === 0 ? Infinity : previous.costAt(column - 2);
      const skipping = row === 0 ? Infinity : earlier.costAt(column - 1);
      if (straight > tooFar && doubled > tooFar && skipping > tooFar) {
        now.put(column, Infinity, Infinity, 0);
        continue;
      }
      const distance = distanceOf(template, row * width, frames, column * width);
      const twice = doubled + ((now.distances[column - 1] ?? 0) - distance) / 2;
      const skipped = skipping + (previous.distances[column] ?? 0);
      if (row === 0) now.put(column, distance, distance, column);
      else if (straight <= twice && straight <= skipped)
        now.put(column, distance, straight + distance, previous.starts[column - 1] ?? 0);
      else if (twice <= skipped) now.put(column, distance, twice + distance, previous.starts[column - 2] ?? 0);
      else now.put(column, distance, skipped + distance, earlier.starts[column - 1] ?? 0);
    }
    [earlier, previous, now] = [previous, now, earlier];
  }
  const spots: Spot[] = [];
  for (let to = 0; to < columns; to += 1) {
    const cost = previous.costAt(to) / rows;
    const last = spots.at(-1);
    if (cost > maxRivalCost) continue;
    const spot = { word, key, from: previous.starts[to] ?? 0, to: to + 1, cost };
    if (!last || spot.to - last.to > nearFrames) spots.push(spot);
    else if (cost < last.cost) spots[spots.length - 1] = spot;
  }
  return spots;
}
/** A menu that is longer is searched up to here, because the search holds up everything else: 60 s. */
const longestPromptFrames = 3000;

/** What is known of one frame of a template at each frame of a prompt: the best path that ends there. */
class PathRow {
  readonly distances: Float64Array;
  readonly costs: Float64Array;
  /** Where the path begins. */
  readonly starts: Int32Array;

  constructor(columns: number) {
    this.distances = new Float64Array(columns);
    this.costs = new Float64Array(columns).fill(Infinity);
    this.starts = new Int32Array(columns);
  }

  costAt(column: number): number {
    return this.costs[column] ?? Infinity;
  }

  put(column: number, distance: number, cost: number, start: number): void {
    this.distances[column] = distance;
    this.costs[column] = cost;
    this.starts[column] = start;
  }
}

/** The Euclidean distance of two frames. */
function distanceOf(a: Float32Array, fromA: number, b: Float32Array, fromB: number): number {
  let sum = 0;
  for (let value = 0; value < width; value += 1) {
    const difference = (a[fromA + value] ?? 0) - (b[fromB + value] ?? 0);
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
