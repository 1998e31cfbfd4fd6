import { keysByName } from '../../base/mishearings.ts';
import type { Fingerprint, Word } from '../ear.ts';
import { hopMs, quietDb, readFingerprint } from '../fingerprint.ts';
import type { Candidate } from './candidates.ts';
import { bare, isMenuVerb, keyNamed, wordPartsOf } from './keyWords.ts';
import { keyHeardAs } from './menuSoFar.ts';
import { framesOf, nearFrames, spotsOf, width, type Spot, type Template } from './voiceTemplates.ts';
import { weights } from './weights.ts';

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

/** A key that may be in a prompt, with its position. */
interface KeyFound extends Pick<Candidate, 'by' | 'logOdds'> {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** The verb before it, if that was found by its sound. */
  readonly verb?: string;
  /** Where the words begin that were heard for both. */
  readonly start: number;
}

/** A verb next to a key that was found can sound less alike. */
const maxVerbCost = 7.6;
/** More templates of one word add little. */
const templatesOfWord = 4;
/** Shorter sounds are found everywhere. */
const shortestFrames = 8;
const longestFrames = 60;
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
    const offers = keysOf(prompt).filter(({ verb }) => verb);
    for (const { verb, token: keyToken, key } of offers) {
      if (offers.filter((other) => isSame(other.key, key)).length > 1) continue;
      for (const token of verb ? [verb, keyToken] : []) {
        const name = keyIn(token) ?? bare(token.shown);
        const known = this.#templates.filter(({ word }) => word === name).length;
        const { from, to } = soundOf(prompt, token);
        const length = to - from;
        if (!token.isAligned || known >= templatesOfWord || length < shortestFrames || length > longestFrames) continue;
        const frames = prompt.frames.slice(from * width, to * width);
        this.#templates.push({ word: name, frames, source: prompt });
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

  /** Puts keys that were found into the text, the likeliest first. Returns true if it changed. */
  #find(prompt: Prompt): boolean {
    const before = prompt.tokens;
    for (let found = likeliest(prompt); found; found = likeliest(prompt)) prompt.tokens = withKey(prompt, found);
    if (prompt.tokens === before) return false;
    // A full stop shows to which label a key without a verb belongs.
    for (const { token, verb } of keysOf(prompt))
      if (!verb && !token.isFound && /[\p{L}\p{N}*#]$/u.test(token.shown)) token.shown += '.';
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

const keyIn = (token: Token): string | undefined => keyNamed(bare(token.shown));
const isVerb = (token: Token): boolean => isMenuVerb(bare(token.shown));
/** Returns true for two names of one key. */
const isSame = (key: string, other: string): boolean => keysByName[key] === keysByName[other];

interface OfferedKey {
  readonly key: string;
  readonly token: Token;
  readonly verb: Token | undefined;
}

/** The keys of the offers so far: after a verb, found by their sound, or counted on at the end of a clause. */
function keysOf(prompt: Prompt): OfferedKey[] {
  const keys: OfferedKey[] = [];
  for (const [at, token] of prompt.tokens.entries()) {
    const key = keyIn(token);
    if (key === undefined) continue;
    const [verb] = prompt.tokens.slice(Math.max(0, at - 1), at).filter(isVerb);
    if (verb || token.isFound || (isNext(key, keys.at(-1)?.key) && endsClause(prompt, token.to)))
      keys.push({ key, token, verb });
  }
  return keys;
}

/** Returns true if a clear key was recognised here, and nothing shows that it is another. */
function isOffered(prompt: Prompt, { key: found, from, to }: KeyFound): boolean {
  const offers = keysOf(prompt).filter(({ verb }) => verb);
  return offers.some(({ verb, token, key }) => {
    if (Math.min(token.to, to) <= Math.max(verb?.from ?? token.from, from)) return false;
    const isTwice = offers.some((other) => other.token.from < token.from && isSame(other.key, key));
    return isSame(key, found) || token.isFound === true || !isTwice;
  });
}

/** Returns the likeliest key that isn't in the text yet, if no other key sounds almost as much like this place. */
function likeliest(prompt: Prompt): KeyFound | undefined {
  const found = [...soundingAlike(prompt), ...heardAlike(prompt)].sort((a, b) => b.logOdds - a.logOdds);
  const isRival = (one: KeyFound, other: KeyFound): boolean =>
    !isSame(one.key, other.key) && overlaps(one, other) && other.logOdds > one.logOdds - weights.voiceMargin;
  for (const one of found) {
    if (one.logOdds < 0) return undefined;
    const offer = one.by === 'template' ? offered(prompt, one) : one;
    if (offer && !found.some((other) => isRival(one, other))) return offer;
  }
  return undefined;
}

/** Keys whose templates sound like the prompt. */
const soundingAlike = ({ spots }: Prompt): KeyFound[] =>
  spots.flatMap(({ word, from, to, cost }) =>
    isMenuVerb(word)
      ? []
      : [
          {
            by: 'template',
            key: word,
            from,
            to,
            start: from,
            logOdds: weights.voice * Math.log(weights.voiceCost / cost),
          },
        ],
  );

/**
 * A menu counts on: the next key is where a clause ends with a word that is heard for it ("3 for nursing, for"), or
 * where such a word follows a verb.
 */
function heardAlike(prompt: Prompt): KeyFound[] {
  const keys = keysOf(prompt);
  return prompt.tokens.flatMap((token, at): KeyFound[] => {
    const key = keyHeardAs(bare(token.shown));
    if (key === undefined || keyIn(token) !== undefined || keys.some((other) => isSame(other.key, key))) return [];
    const previous = keys.findLast((other) => other.token.to <= token.from)?.key;
    if (!(isMenuVerb(bare(prompt.tokens[at - 1]?.shown)) || isNext(key, previous)) || !endsClause(prompt, token.to))
      return [];
    return [{ by: 'count', key, from: token.from, to: token.to, start: token.from, logOdds: weights.even }];
  });
}

/** A key by its sound is offered after a verb, or if it is the next one. Undefined if the text has a clear key here. */
function offered(prompt: Prompt, found: KeyFound): KeyFound | undefined {
  if (isOffered(prompt, found)) return undefined;
  const { key, from, to } = found;
  const before = prompt.tokens.findLast((token) => token.from + nearFrames <= from);
  if (before && isVerb(before) && from - before.to <= verbGapFrames) return { ...found, start: before.to };
  const isJustBefore = ({ to: end }: Spot): boolean => end - from <= nearFrames && from - end <= verbGapFrames;
  const [verb] = prompt.spots
    .filter((spot) => isMenuVerb(spot.word) && spot.cost <= maxVerbCost && isJustBefore(spot))
    .sort((a, b) => a.cost - b.cost);
  if (verb) return { ...found, start: verb.from - faintFrames, verb: verb.word };
  const keys = keysOf(prompt);
  const previous = keys.findLast(({ token }) => token.to <= from + nearFrames);
  const isNew = !keys.some((other) => isSame(other.key, key));
  return isNew && isNext(key, previous?.key) && endsClause(prompt, to) ? found : undefined;
}

/** Returns true if a silence follows, so that a clause ends here. */
function endsClause({ levels }: Prompt, to: number): boolean {
  const after = levels.subarray(to + slackFrames, to + slackFrames + pauseFrames);
  return after.every((level) => level <= quietDb);
}

const isNext = (key: string, previous: string | undefined): boolean =>
  Number(keysByName[key]) > 1 && Number(keysByName[previous ?? '']) === Number(keysByName[key]) - 1;

/** Replaces the words that were heard for a key. */
function withKey({ tokens, levels }: Prompt, { key, verb, start, from, to }: KeyFound): Token[] {
  const heard = tokens.filter((token) => {
    const shared = Math.min(token.to, to) - Math.max(token.from, start);
    return shared > 0 && shared * 2 >= token.to - token.from;
  });
  const isPause = (levels[to + 4] ?? quietDb) <= quietDb;
  const end = /[.,;:?!]+$/.exec(heard.at(-1)?.shown ?? '')?.[0] ?? (isPause ? '.' : '');
  const found: Token[] = [
    ...(verb === undefined ? [] : [{ shown: verb, from: start, to: from, isAligned: false, isFound: true as const }]),
    { shown: key + end, from, to, isAligned: false, isFound: true },
  ];
  const others = tokens.filter((token) => !heard.includes(token));
  return [...others.filter((token) => token.from < start), ...found, ...others.filter((token) => token.from >= start)];
}

const overlaps = (a: KeyFound, b: KeyFound): boolean =>
  (Math.min(a.to, b.to) - Math.max(a.from, b.from)) * 2 > Math.min(a.to - a.from, b.to - b.from);

const shownOf = ({ tokens, leadMs }: Prompt): PromptReheard => ({
  text: tokens.map(({ shown, to }, at) => shown + separatorBefore(tokens[at + 1], shown, to)).join(' '),
  words: tokens.map(({ shown, from, to }) => ({
    text: wordPartsOf(shown)[1],
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
