import { keyWords } from './keys/keyWords.ts';
import { numberInWords } from './numberInWords.ts';

/** A word as shown, with its punctuation, and its position in the audio in milliseconds. */
export interface TimedWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

const minPauseMs = 140;
/**
 * If one of two pauses around a key is longer by this factor, it separates two options; a far longer one does so even
 * against the menu's other options.
 */
const clearly = 1.35;
const farLonger = { times: 3, minMs: 280 };
/** How many pauses the order of the words outweighs. */
const habitVotes = { labelFirst: 1.5, keyFirst: -1.5 } as const;
/** A pause of this length ends a sentence anywhere. */
const sentencePauseMs = 480;

const bare = (text: string | undefined): string => (text ?? '').toLowerCase().replace(/[^a-z0-9#*']/g, '');
const isKey = (text: string | undefined): boolean => keyWords.includes(bare(text)) || /^[0-9#*]$/.test(bare(text));
const numberWords = new Set(Array.from({ length: 99 }, (_, index) => numberInWords(String(index + 1))).flat());
const isNumber = (text: string | undefined): boolean => numberWords.has(bare(text));
const isVerb = (text: string | undefined): boolean => ['press', 'dial', 'push', 'hit'].includes(bare(text));
const withoutEnd = (text: string): string => text.replace(/[.,;:!?]+$/, '');
const capital = (text: string): string => text.replace(/\p{L}/u, (letter) => letter.toUpperCase());
const small = (text: string): string =>
  /^I\b/.test(text) ? text : text.replace(/\p{Lu}/u, (letter) => letter.toLowerCase());

const isAlternative = (text: string | undefined): boolean =>
  ['or', 'now', 'and', 'at', 'then'].includes(bare(text)) && !/^[A-Z]/.test(text ?? '');

interface KeyPhrase {
  readonly verb: number;
  /** The key, or the word "key" after it. */
  readonly last: number;
}

function keyPhrases(shown: readonly string[], gap: (before: number) => number): KeyPhrase[] {
  return shown.flatMap((text, verb) => {
    if (!isVerb(text)) return [];
    const key = [verb + 1, verb + 2].find((index) => isKey(shown[index]));
    return key === undefined ? [] : [{ verb, last: endOfKeys(shown, key, gap) }];
  });
}

/** Returns the last word of "one key", "one hundred and two", or "star nine" without a pause. */
function endOfKeys(shown: readonly string[], key: number, gap: (before: number) => number): number {
  const next = key + 1;
  if (bare(shown[next]) === 'key') return next;
  const isJoined = ['star', 'pound'].includes(bare(shown[key])) && shown[key] === withoutEnd(shown[key] ?? '');
  if (isJoined && isKey(shown[next]) && gap(next) < minPauseMs) return next;
  if (bare(shown[next]) !== 'hundred') return key;
  let last = next;
  if (bare(shown[last + 1]) === 'and' && isNumber(shown[last + 2])) last += 2;
  while (isNumber(shown[last + 1])) last += 1;
  return last;
}

const longestLabel = 8;
const isLabelStart = (text: string): boolean => ['for', 'to', 'if'].includes(bare(text));

/** Returns whether the menu names its keys after the labels or before them, by how it begins and ends. */
function habitOf(shown: readonly string[], keys: readonly KeyPhrase[]): keyof typeof habitVotes | undefined {
  const endsWithKey = keys.at(-1)?.last === shown.length - 1;
  const beginsWithKey = keys[0]?.verb === 0;
  const first = keys[0]?.verb ?? 0;
  const beginsWithLabel = shown
    .slice(0, first)
    .some(
      (text, at) =>
        isLabelStart(text) && first - at <= longestLabel && (at === 0 || /[.!?]$/.test(shown[at - 1] ?? '')),
    );
  if (beginsWithLabel || (endsWithKey && !beginsWithKey)) return 'labelFirst';
  return endsWithKey ? undefined : 'keyFirst';
}

/** Returns on which side of a key the option ends, by its pauses: 1 after the key, -1 before its verb. */
function pauseEvidence(before: number, after: number): { readonly sign: number; readonly strong: boolean } {
  const [longer, shorter] = after > before ? [after, before] : [before, after];
  if (longer < minPauseMs || longer <= shorter * clearly) return { sign: 0, strong: false };
  return { sign: after > before ? 1 : -1, strong: longer >= farLonger.minMs && longer > shorter * farLonger.times };
}

/** Ends a sentence with this word. */
function endAt(shown: string[], index: number): void {
  const text = shown[index];
  const next = shown[index + 1];
  if (text === undefined) return;
  if (!/[.!?]$/.test(text)) shown[index] = `${withoutEnd(text)}.`;
  if (next !== undefined) shown[index + 1] = capital(next);
}

/** "For sales, press one." */
function endAfterKey(shown: string[], { verb, last }: KeyPhrase): void {
  if (!isAlternative(shown[last + 1])) endAt(shown, last);
  const label = shown[verb - 1];
  if (label === undefined || /^(then|and|please|or)\W*$/i.test(label)) return;
  shown[verb - 1] = `${withoutEnd(label)},`;
  shown[verb] = small(shown[verb] ?? '');
}

/** "Press one for sales." */
function endBeforeVerb(shown: string[], { verb, last }: KeyPhrase): void {
  endAt(shown, verb - 1);
  shown[last] = withoutEnd(shown[last] ?? '');
  const next = shown[last + 1];
  if (next !== undefined) shown[last + 1] = small(next);
}

/**
 * Sets the full stops of a menu where the speaker paused. A recogniser guesses them from the words alone, and then "for
 * sales press one for support" doesn't show which key belongs to which option. "For sales, press one. For support, …"
 * and "Press one for sales. Press two …" come out as they were said.
 */
export function punctuate(words: readonly TimedWord[]): string {
  const shown = words.map((word) => word.text);
  const gap = (before: number): number => Math.max(0, (words[before]?.startMs ?? 0) - (words[before - 1]?.endMs ?? 0));
  words.forEach((word, index) => {
    const after = gap(index + 1);
    if (index + 1 < words.length && after >= sentencePauseMs && !/[.,;:!?]$/.test(word.text)) endAt(shown, index);
  });
  const keys = keyPhrases(shown, gap);
  const evidence = keys.map(({ verb, last }) =>
    verb === 0 || last + 1 >= words.length ? { sign: 0, strong: false } : pauseEvidence(gap(verb), gap(last + 1)),
  );
  const habit = keys.length > 1 ? habitOf(shown, keys) : undefined;
  const vote = evidence.reduce((sum, { sign }) => sum + sign, habit === undefined ? 0 : habitVotes[habit]);
  for (const [index, key] of keys.entries()) {
    const own = evidence[index];
    const sign = own?.strong ? own.sign : vote;
    if (sign > 0) endAfterKey(shown, key);
    else if (sign < 0 && key.verb > 0) endBeforeVerb(shown, key);
  }
  return shown.join(' ');
}
