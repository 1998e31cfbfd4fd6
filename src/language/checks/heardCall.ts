import { pattern, patternWith } from '../../base/rows.ts';
import type { Sentences } from '../../base/sentences.ts';
import type { HangUp, MissionTestRun, Turn } from '../../contract/testRuns.ts';
import { masked } from '../../model/secrets/secretMask.ts';
import { announcesTransfer, isHolding, isShut, saidBy, saysGoodbye, type SaidSentence } from '../heard/callEnds.ts';
import { menuOf } from '../heard/menuOf.ts';
import type { Evidence } from '../heard/quotes.ts';
import { withoutAddressed } from '../judge/addressed.ts';
import { offersKeys } from '../menu/readMenu.ts';
import { isDoubted, isDoubtful } from './doubt.ts';
import { quantitiesIn, type Quantity } from './quantities.ts';

/** A sentence of the callee as evidence: its statements, without the options in it. */
export interface Sentence extends SaidSentence {
  /** Its position in the callee's sentences. */
  readonly at: number;
  /** `lower` with offered options blanked, so that positions stay the same. */
  readonly stated: string;
  readonly offers: boolean;
  readonly question: boolean;
  /** Depends on a condition ("if your account is locked"). */
  readonly conditional: boolean;
  /** Leaves open whether its content is true. */
  readonly doubtful: boolean;
  readonly masked: boolean;
  readonly quantities: readonly Quantity[];
}

/** `closed`: it ended with closing words; `cut`: it was interrupted, or more was to come; `open`: neither. */
export type WordsEnding = 'closed' | 'cut' | 'open';

/** A step that was carried out, in milliseconds of the call's audio. */
export interface StepOnCall {
  readonly startMs: number;
  /** Where its last action began and ended. For a step that only listens, this is its beginning. */
  readonly actionMs: number;
  readonly actedMs: number;
  readonly reached: boolean;
  /** Why it wasn't reached. */
  readonly reason?: Sentences | undefined;
  /** It proves nothing that it wasn't reached: the caller was still waiting, or there was nothing to choose from. */
  readonly undecided?: boolean;
  /** The number of choices so far. */
  readonly choices?: number;
  /** The words that showed it was reached. */
  readonly found?: Evidence;
}

/** A stretch of speech in one language; undefined if it isn't clear. */
export interface SpokenLanguage {
  readonly startMs: number;
  readonly endMs: number;
  readonly language?: 'en' | 'fr' | undefined;
  readonly speechSeconds: number;
}

/** A call as it was heard. What isn't known is absent; checks that need it are inconclusive. */
export interface CallFacts {
  readonly turns: readonly Turn[];
  /** By name, also those of a run's other calls. */
  readonly steps?: ReadonlyMap<string, StepOnCall>;
  readonly end?: HangUp | undefined;
  /** Where the audio ends. */
  readonly lastedMs?: number | undefined;
  /** From the first INVITE to the answer. */
  readonly postDialMs?: number | undefined;
  readonly speaksAt?: (atMs: number) => boolean;
  readonly onsetAfter?: (fromMs: number) => number | undefined;
  readonly languages?: readonly SpokenLanguage[];
  /** Digits of the caller that must not be repeated. Without them, what it entered. */
  readonly secretDigits?: readonly string[];
  /** The caller left it, so more could have followed. */
  readonly gaveUp?: boolean;
  /** The caller listened as long as its test wanted: nothing that follows would count. */
  readonly isWhole?: boolean;
  /** Why a failure may be this machine's fault. */
  readonly excuse?: Sentences | undefined;
}

export interface HeardCall extends CallFacts {
  readonly sentences: readonly Sentence[];
  readonly ending: WordsEnding;
}

/** "for billing press 1", the last "for" before the key. */
const keyed = patternWith('g')`
  \b(?:for|to|if)\b(?:(?!\b(?:for|to|if|press|dial)\b)[^.;?!]){0,120}\b(?:press|dial|push|select)\s+(?!
    \d{3}|nine (?:one|nine)|one one two|triple
  )(?:\w+|[*#])
`;
const keyFirst = /\b(?:press|push|select)\s+(?:\w+|[*#])\s+(?:for|to|if)\b[^.;?!]*/g;
const asking =
  /\?|^\s*(?:what|who|when|where|which|how|shall|would|do|does|are|is|can|could|may|am|have|did|will)\b(?! be\b)/;

/** Returns what checks can know of a stored call. */
export const factsOf = ({
  transcript,
  gaveUp,
  hangUp,
  postDialMs,
}: Pick<MissionTestRun, 'transcript' | 'gaveUp' | 'hangUp' | 'postDialMs'>): CallFacts => ({
  turns: transcript.filter(({ beforeAnswer }) => beforeAnswer !== true),
  gaveUp: gaveUp === true,
  end: hangUp,
  postDialMs,
  ...(hangUp?.atMs !== undefined && { lastedMs: hangUp.atMs }),
});

/** Reads a call once, for all its checks. */
export function hearCall(facts: CallFacts): HeardCall {
  const { turns, gaveUp = false } = facts;
  const all = saidBy(turns);
  // Calls repeat their menus and announcements, so a repeated sentence is read once.
  const read = new Map<string, OwnWords>();
  const { blanked } = withoutAddressed(turns);
  // Words for a judge state nothing.
  const isAddressed = ({ index, from, text }: SaidSentence): boolean =>
    (blanked[index]?.text.slice(from, from + text.length).trim() ?? '') === '' && text.trim() !== '';
  const sentences = all.map((said, at): Sentence => {
    const own = read.get(said.text) ?? ownWords(said);
    read.set(said.text, own);
    return { ...said, at, ...own, doubtful: own.doubtful || isAddressed(said) || isDoubted(all[at + 1]?.lower ?? '') };
  });
  return { ...facts, sentences, ending: endingOf(turns, sentences, gaveUp) };
}

/** What a sentence says by itself, wherever it occurs in a call. */
type OwnWords = Omit<Sentence, keyof SaidSentence | 'at'>;

function ownWords({ text, lower }: SaidSentence): OwnWords {
  const blank = (part: string): string => ' '.repeat(part.length);
  const left = lower.replace(keyed, blank).replace(keyFirst, blank);
  const offers = left !== lower || offersKeys(text);
  const stated = /\bpress\b/.test(left) && offers && left === lower ? blank(left) : left;
  return {
    stated,
    offers,
    question: asking.test(lower),
    conditional: /^\s*(?:if|when|once|unless|in case)\b/.test(stated),
    doubtful: isDoubtful(stated),
    masked: text.includes(masked),
    quantities: quantitiesIn(stated),
  };
}

const unfinished = patternWith('i')`
  \b(?:
    is|are|was|will|the|an?|your|our|my|to|for|of|and|or|at|on|by|with|from|that|this|be|has|have|in|about
    |as|until|between|than
  )\W*$
`;
const unanswered = pattern`
  \b(?:did not|didn't|have not|haven't|could not|couldn't)\s+(?:
    hear|heard|get|got|receive|received|detect|detected
  )\b
  |\bno (?:input|response|selection|entry|answer)\b
`;
const partingOfUs = /\b(?:good ?bye|bye|hang(?:ing|s)? up|that(?:'s| is) all)\b/i;

function endingOf(turns: readonly Turn[], sentences: readonly Sentence[], gaveUp: boolean): WordsEnding {
  const last = turns.at(-1),
    lastSaid = sentences.at(-1);
  if (!last || !lastSaid) return 'open';
  if (last.speaker === 'us' && partingOfUs.test(last.text)) return gaveUp ? 'cut' : 'closed';
  const tail = sentences.filter(({ index }) => index >= lastSaid.index).slice(-3);
  const punctuated =
    turns.filter(({ speaker, text }) => speaker === 'them' && /[.?!]\W*$/.test(text)).length * 2 >
    turns.filter(({ speaker }) => speaker === 'them').length;
  const halted =
    last.speaker === 'them' && (unfinished.test(last.text) || (punctuated && !/[.?!…]["'”)]*\s*$/.test(last.text)));
  if (halted) return 'cut';
  // An option to leave a message, or to say goodbye, ends nothing.
  const stated = tail.map((one) => ({ ...one, lower: one.stated }));
  // The goodbye is for a caller who didn't respond in time. It can be a separate turn.
  const lastOfUs = turns.findLastIndex(({ speaker }) => speaker === 'us');
  const sinceUs = sentences.filter(({ index }) => index > lastOfUs).slice(-4);
  if (stated.some(saysGoodbye)) return gaveUp && sinceUs.some((one) => unanswered.test(one.stated)) ? 'cut' : 'closed';
  const waits = stated.some((one) => announcesTransfer(one) || isHolding(one));
  if (waits) return 'cut';
  if (stated.some(isShut)) return 'closed';
  if (last.speaker === 'us' || menuOf(last).input !== null) return 'cut';
  return gaveUp ? 'cut' : 'open';
}
