import { soundOf } from '../homophones.ts';
import { similarity, type AlignedWords } from '../similarity.ts';
import { spokenTokens, type SpokenToken } from '../spokenTokens.ts';

/** A prompt or a label, prepared for comparing with many others. */
export interface SpokenText {
  readonly text: string;
  /** How often each word stands there, told by its sound as recognition hears it. */
  readonly bag: ReadonlyMap<string, number>;
  /** The bag as one text: the same for texts of the same words in the same order. */
  readonly sounds: string;
}

const digits: Readonly<Record<string, string>> = { zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', pound: '#', hash: '#', star: '*' };
const silent = new Set(['um', 'uh', 'er', 'erm', 'ah', 'hm', 'please']);

export function spokenText(given: string | undefined): SpokenText {
  const text = (given ?? '').replace(/\s+/g, ' ').trim();
  const bag = new Map<string, number>();
  const sounds: string[] = [];
  for (const [word] of text.toLowerCase().replace(/['’]/g, '').matchAll(/[\p{L}\p{M}]+|\d+|[*#]/gu)) {
    if (silent.has(word)) continue;
    const key = Object.hasOwn(digits, word) ? digits[word] ?? word : soundOf(word).key;
    const sound = key.length > 1 || Object.hasOwn(digits, word) ? key : word;
    bag.set(sound, (bag.get(sound) ?? 0) + 1);
    sounds.push(sound);
  }
  return { text, bag, sounds: sounds.join(' ') };
}

/** Two trees of one house say mostly the same: each text is read once. */
export function textReader(): (given: string | undefined) => SpokenText {
  const known = new Map<string | undefined, SpokenText>();
  return (given) => {
    const text = known.get(given) ?? spokenText(given);
    known.set(given, text);
    return text;
  };
}

/** Words that stand in every menu tell little of which menu it is. */
const common = new Set('for to press or the a an your you our we have has are is of and if in on at this that call calling thank thanks menu option options following dial enter say hold while will be'.split(' ')
  .map((word) => [...spokenText(word).bag.keys()][0] ?? word));
const commonShare = 0.2;

/** How alike texts are by their words, where a word counts more the fewer texts of a house have it (inverse document frequency, Spärck Jones 1972). */
export class WordWeights {
  readonly #count: number;
  readonly #frequency = new Map<string, number>();

  constructor(texts: readonly SpokenText[]) {
    this.#count = texts.length;
    for (const { bag } of texts) for (const word of bag.keys()) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1);
  }

  of(word: string): number {
    const share = common.has(word) || /^\d$/.test(word) ? commonShare : 1;
    return share * Math.log(1 + this.#count / (this.#frequency.get(word) ?? 1)) / Math.log(1 + this.#count);
  }

  /** 1 for the same words, 0 for none in common (Dice 1945, weighted). Undefined where either says nothing. */
  likeness(a: SpokenText, b: SpokenText): number | undefined {
    if (a.bag.size === 0 || b.bag.size === 0) return undefined;
    if (a.sounds === b.sounds) return 1;
    let both = 0;
    let all = 0;
    for (const [word, count] of a.bag) {
      const weight = this.of(word);
      all += weight * count;
      both += weight * Math.min(count, b.bag.get(word) ?? 0);
    }
    for (const [word, count] of b.bag) all += this.of(word) * count;
    return 2 * both / all;
  }
}

/** Of one prompt heard twice, recognition misses or makes up a word here and there, seldom a whole clause: so much meaning in one piece is another wording. */
const clauseWeight = 2.5;
const alikeScore = 0.8;
/** Less than one word that carries meaning says nothing. */
const leastWeight = 1;

/**
 * Whether two transcripts of a prompt say different things: other numbers, keys, days or a "not" more or less; a clause more or less; or too few words in common.
 * What recognition hears differently from call to call is no difference, nor are case, punctuation, fillers and the writing of numbers.
 */
export function saysOtherwise(a: string, b: string): boolean {
  if (a === b) return false;
  const [one, other] = [plain(a), plain(b)];
  const [oneTokens, otherTokens] = [spokenTokens(one, false), spokenTokens(other, false)];
  if (oneTokens.length === otherTokens.length && oneTokens.every(({ text }, index) => text === otherTokens[index]?.text)) return false;
  const [oneWeight, otherWeight] = [weightOf(oneTokens), weightOf(otherTokens)];
  if (oneWeight < leastWeight || otherWeight < leastWeight) return Math.max(oneWeight, otherWeight) >= clauseWeight;
  const { score, words, window } = similarity(one, other);
  if (score < alikeScore || words.some(({ contradicts }) => contradicts) || hasClause(words)) return true;
  // Words before and after the window were not looked at.
  const covered = window.start === 0 && window.end === other.split(' ').filter((word) => word !== '').length;
  if (covered) return false;
  const back = similarity(other, one);
  return back.score < alikeScore || back.words.some(({ contradicts }) => contradicts) || hasClause(back.words);
}

/** A transcript is no pattern: its `*` is the key. */
const plain = (text: string): string => text.replaceAll('*', ' star ').replace(/\s+/g, ' ');
const weightOf = (tokens: readonly SpokenToken[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

/** Whether a whole clause has nothing that sounds like it on the other side. */
function hasClause(words: readonly AlignedWords[]): boolean {
  let [lacking, surplus] = [0, 0];
  for (const { outcome, expected, heard } of words) {
    if (outcome === 'same' || outcome === 'alike') [lacking, surplus] = [0, 0];
    else if (outcome === 'extra') surplus += weightOf(spokenTokens(heard, false));
    else lacking += weightOf(spokenTokens(expected, false));
    if (Math.max(lacking, surplus) >= clauseWeight) return true;
  }
  return false;
}
