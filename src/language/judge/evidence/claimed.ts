import { sentence } from '../../../base/sentences.ts';
import { pattern, words } from '../../../base/rows.ts';
import { isDenial } from '../polarity.ts';
import { meaningOf, meaningsOf } from '../synonyms.ts';
import { plainWords, spokenWords } from '../../../model/heard/heardWords.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { isOrder } from './doubt.ts';
import { quantitiesIn } from './quantities.ts';
import { isMishearing } from './sameQuantity.ts';
import { seenInSentence, type Seen, type MatchEvidence } from './evidence.ts';

const suspends = new Set(
  'if when once unless until whether before after may might could would should can want wish like please case'.split(
    ' ',
  ),
);
/** Words for the speaker and for the call itself say nothing about the claim. */
const hollow = new Set(
  [
    'caller',
    'call',
    'customer',
    'line',
    'ivr',
    'currently',
    'already',
    'still',
    'again',
    'there',
    'given',
    'being',
    'any',
    'very',
    'be',
    'one',
  ].map(meaningOf),
);

/** The content of a claim: the meanings of its words, and whether it is negated. */
interface Claim {
  readonly words: readonly string[];
  readonly denies: boolean;
}

export function readClaim(text: string): Claim {
  const words = [...new Set(meaningsOf(text).filter((word) => !hollow.has(word) && !isDenial(word)))];
  return { words, denies: plainWords(text).filter(({ text: word }) => isDenial(word)).length % 2 === 1 };
}

/** Finds a sentence that makes the claim: all its words near each other, negated if the claim is. */
export function matchClaim(text: string, whether: boolean, call: HeardCall): MatchEvidence {
  const claim = readClaim(text);
  const sure: Seen[] = [],
    maybe: Seen[] = [],
    denied: Seen[] = [];
  // Without the words of its verb ("the flight is on"), a claim contains nothing to search for.
  const predicate = /\b(?:is|are|was|were|has|have|had|does|do|did|will|can|cannot|must)(?:n't)?\b(.*)$/.exec(
    text,
  )?.[1];
  const checkable = predicate === undefined ? claim.words.length > 1 : readClaim(predicate).words.length > 0;
  if (claim.words.length > 0 && checkable) {
    for (const sentence of call.sentences) {
      const kind = lookFor(claim, text, sentence, whether);
      if (kind) ({ sure, maybe, denied })[kind].push(seenInSentence(sentence));
    }
  }
  return {
    sure,
    maybe,
    denied,
    complete: false,
    told: sentence`It says that ${text}.`,
    missing: sentence`No sentence was found that clearly says that ${text}.`,
  };
}

interface ClaimedWords {
  readonly text: string;
  readonly sentence: Sentence;
  readonly wanted: ReadonlySet<string>;
  readonly heard: readonly HeardMeaning[];
  /** Positions of the first and of the last of its words. */
  readonly first: number;
  readonly last: number;
}
interface HeardMeaning {
  readonly word: string;
  readonly meaning: string;
}

function lookFor(
  { words, denies }: Claim,
  text: string,
  sentence: Sentence,
  whether: boolean,
): 'sure' | 'maybe' | 'denied' | undefined {
  if (sentence.stated.trim() === '') return undefined;
  const heard = spokenWords(sentence.stated).map((word) => ({ word: word.text, meaning: meaningOf(word.text) }));
  const wanted = new Set(words);
  const places = new Map<string, number>();
  heard.forEach(({ meaning }, index) => {
    if (wanted.has(meaning) && !places.has(meaning)) places.set(meaning, index);
  });
  if (places.size < wanted.size) return figuresDiffer(text, sentence, wanted, places);
  const [first = -1] = places.values(),
    last = [...places.values()].at(-1) ?? -1;
  // In an unpunctuated turn, words that are far apart belong to different sentences.
  if (last - first > words.length * 3 + 6) return 'maybe';
  const found: ClaimedWords = { text, sentence, wanted, heard, first, last };
  if (doubts.some((doubt) => doubt(found))) return 'maybe';
  const turned = denialsIn(heard.slice(Math.max(0, first - 3), last + 4)) % 2 === 1;
  if (whether || turned === denies) return saysOfAnother(found) ? 'maybe' : 'sure';
  const denied = denialsIn(heard.slice(Math.max(0, first - 2), last + 1)) > 0;
  return words.length >= 2 && denied !== denies ? 'denied' : 'maybe';
}

const denialsIn = (heard: readonly HeardMeaning[]): number => heard.filter(({ word }) => isDenial(word)).length;

/** Cases in which a sentence with all the words leaves the claim open. */
const doubts: readonly ((found: ClaimedWords) => boolean)[] = [
  ({ sentence }) => sentence.conditional || sentence.question || isOrder(sentence.stated),
  // "Your payment needs to be confirmed", "the office of our partner is open"
  ({ heard, first, last, text }) => {
    const between = heard.slice(first + 1, last).map(({ word }) => `${word} `);
    return interrupting.test(between.join('')) && !/\bof\b/.test(text);
  },
  ({ sentence, text }) => notYet.test(sentence.stated) && !notYet.test(text),
  // Only some of many: "orders that have been cancelled"
  ({ heard, first, last, text }) =>
    heard.slice(first, last).some(({ word }) => /^(?:that|who|which)$/.test(word)) &&
    !/\b(?:that|who|which)\b/.test(text),
  // What the caller said: "you said you have cancelled your order"
  ({ sentence }) => /\byou (?:said|told|want|chose|selected|asked)\b/.test(sentence.stated),
  // "We will call you when your order is ready", "your order may be cancelled"
  ({ heard, last, text }) =>
    heard.slice(0, last).some(({ word }, index) => isSuspending(word, heard[index + 1]?.word ?? '')) &&
    !plainWords(text).some(({ text: word }) => suspends.has(word)),
  ({ sentence, text }) =>
    /\b(?:will|going)\b/.test(sentence.stated) &&
    /\b(?:is|are|was|were|has|have|been)\b/.test(text) &&
    !/\b(?:will|going)\b/.test(text),
];

const interrupting =
  /\b(?:failed|fails|refused?|refuses|needs?|wants?|waiting|of (?:the|your|our|his|her|my|an?|another|all|some)) /;

/** "May 10" is a day. */
const isSuspending = (word: string, next: string): boolean =>
  suspends.has(word) && next !== 'not' && !(word === 'may' && /^\d+$/.test(next));

/** "Orders are cancelled after a week" is about many or any of them. "We do not think that it is not" says neither. */
const saysOfAnother = ({ text, sentence, wanted, heard, first, last }: ClaimedWords): boolean =>
  denialsIn(heard) > 1 ||
  speaksOfAny(text, sentence.stated, wanted) ||
  heard.slice(first + 1, last).some(({ word, meaning }) => apart.has(word) && !wanted.has(meaning));

/** Words that refer to another one: "the office next door is open". */
const apart = new Set(
  words`
    next door other another else neighbour neighbouring opposite stopped try tried trying attempt
    attempted seldom rarely ever sometimes usually
  `,
);
const notYet = pattern`
  \b(?:
    being
    |(?:due|set|scheduled|planned|stopped|yet) (?:to|being)|about to|going to|soon|shortly|later|tomorrow
    |in the process|in progress
  )\b
`;

/** Returns true if the sentence uses the plural or "any" for something that the claim mentions in the singular. */
function speaksOfAny(text: string, stated: string, wanted: ReadonlySet<string>): boolean {
  const [ours, theirs] = [plainWords(text), plainWords(stated)].map((words) => words.map(({ text: word }) => word)) as [
    string[],
    string[],
  ];
  const own = new Set(ours);
  return theirs.some((word, index) => {
    if (!wanted.has(meaningOf(word))) return false;
    const many =
      word.endsWith('s') &&
      !own.has(word) &&
      own.has(word.slice(0, -1)) &&
      /^(?:are|were|have|will|can|may|that|which|placed|made|from|with|over|under)$/.test(theirs[index + 1] ?? '');
    const before = theirs[index - 1] ?? '';
    return (
      many ||
      (/^(?:any|every|each|another|some|most|no|other|an?)$/.test(before) &&
        !own.has(before) &&
        own.has(word) &&
        ours.some((one, at) => one === word && /^(?:the|your|his|her|their|my|this)$/.test(ours[at - 1] ?? '')))
    );
  });
}

/** All the words, but another figure of the kind: "the balance is $200" and "your balance is twelve hundred". */
function figuresDiffer(
  text: string,
  sentence: Sentence,
  wanted: ReadonlySet<string>,
  seen: ReadonlyMap<string, unknown>,
): 'maybe' | 'denied' | undefined {
  const missing = [...wanted].filter((word) => !seen.has(word));
  if (!missing.every((word) => /^\d+$/.test(word)) || seen.size === 0) return undefined;
  const ours = quantitiesIn(text);
  const theirs = sentence.quantities.filter(({ kind }) => ours.some((one) => one.kind === kind && kind !== 'number'));
  if (sentence.conditional || sentence.question || sentence.masked || theirs.length === 0) return 'maybe';
  return theirs.some((heard) => ours.some((one) => one.kind === heard.kind && isMishearing(one.value, heard.value)))
    ? 'maybe'
    : 'denied';
}
