import type { TestStep } from '../../contract/testConfigs.ts';
import type { ExpectedPrompt, Fingerprint, Utterance, Word } from '../../speech/ear.ts';
import { beginningOf, fingerprintOf, promptMs } from '../../speech/fingerprint.ts';
import { beginsWith, promptIn } from '../../speech/promptMatcher.ts';
import type { CallAudio, Span } from '../call/callAudio.ts';
import type { CallTestEnd } from '../call/callTestEvent.ts';
import type { ActiveCall, Dialer } from '../call/talk.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { endOfScript } from '../script/script.ts';
import { SpeechPieces } from './speechPieces.ts';

/** What the called side said between two short pauses. Word times are relative to its first sound. */
export interface ReferencePrompt {
  readonly text: string;
  readonly words: readonly Word[];
  readonly fingerprint: Fingerprint;
  /** It differed on the second call, apart from its beginning, if there is one. */
  readonly varies?: { readonly beginning?: Fingerprint };
}

/** What calls of a test have in common, as understood by the recogniser. Plain data. */
export interface Reference {
  readonly prompts: readonly ReferencePrompt[];
  /** The caller's own words as audio, by their text. */
  readonly spoken: ReadonlyMap<string, Int16Array>;
  /** Both calls together. */
  readonly callSeconds: number;
}

/** One call of a test that was understood by the recogniser. */
export interface ReferenceCall {
  readonly ended: CallTestEnd;
  readonly prompts: readonly (ReferencePrompt & { readonly pcm: Int16Array })[];
  readonly spoken: Reference['spoken'];
  /** The values of its collect steps, by name. */
  readonly collected: ReadonlyMap<string, string>;
}

/** Carries out a test once, with recognition. Rejects only if aborted. */
export async function placeReferenceCall({
  onAudio,
  ...options
}: TestCallOptions & {
  readonly steps: readonly TestStep[];
  /** As for `endOfScript`. */
  readonly onAudio?: (audio: CallAudio) => void;
}): Promise<ReferenceCall> {
  const { dialer } = options;
  const collected = new Map<string, string>();
  const utterances: Utterance[] = [];
  let answered: ActiveCall | undefined;
  const tapped: Dialer = {
    dial: async (target, signal, as) => {
      const talk = await dialer.dial(target, signal, as);
      answered = talk;
      talk.listen((event) => {
        if (event.type === 'utterance') utterances.push(event.utterance);
      });
      return talk;
    },
  };
  const ended = await endOfScript(
    {
      ...options,
      dialer: tapped,
      onCollected: (name, value) => {
        collected.set(name, value);
      },
    },
    { onAudio },
  );
  return {
    ended,
    collected,
    prompts: answered ? promptsOf(answered, utterances) : [],
    spoken: new Map(answered?.spoken().map(({ text, pcm }) => [text, pcm])),
  };
}

/** Returns the name of a value that isn't the same on both calls. */
export const differingValue = (first: ReferenceCall, second: ReferenceCall): string | undefined =>
  [...first.collected].find(([name, value]) => second.collected.get(name) !== value)?.[0];

/** Compares two calls of a test, and returns the first with its prompts that differ from the second marked. */
export function alignReferenceCalls(first: ReferenceCall, second: ReferenceCall): Reference {
  const expected = (prompts: readonly ReferencePrompt[]): ExpectedPrompt[] =>
    prompts.map(({ fingerprint }, index) => ({ id: String(index), fingerprint }));
  const [inFirst, inSecond] = [expected(first.prompts), expected(second.prompts)];
  const foundInFirst = second.prompts.map(({ pcm }) => promptIn(pcm, inFirst));
  const known = new Set(foundInFirst);
  const unknown = second.prompts.filter((_, index) => foundInFirst[index] === undefined);
  return {
    prompts: first.prompts.map(({ pcm, ...prompt }, index) => {
      if (known.has(String(index)) || promptIn(pcm, inSecond) !== undefined) return prompt;
      const beginning = sharedBeginning(prompt, unknown);
      return { ...prompt, varies: { ...(beginning && { beginning }) } };
    }),
    spoken: first.spoken,
    callSeconds: first.ended.callSeconds + second.ended.callSeconds,
  };
}

/** A shorter beginning can't be recognised. */
const shortestBeginningMs = 600;
const beginningStepMs = 200;
/** What follows colours the end of a sound. */
const colouredMs = 100;

/** Returns the longest beginning of this prompt that one of the others has too. */
function sharedBeginning(
  { fingerprint }: ReferencePrompt,
  others: readonly { readonly pcm: Int16Array }[],
): Fingerprint | undefined {
  let sharedMs = 0;
  for (let ms = shortestBeginningMs; ms < promptMs(fingerprint); ms += beginningStepMs) {
    const beginning = beginningOf(fingerprint, ms);
    if (!others.some(({ pcm }) => beginsWith(pcm, beginning))) break;
    sharedMs = ms;
  }
  return sharedMs === 0 ? undefined : beginningOf(fingerprint, sharedMs - colouredMs);
}

/** Divides a call like the calls of the load test will be, by its sound alone. */
function promptsOf(talk: ActiveCall, utterances: readonly Utterance[]): ReferenceCall['prompts'] {
  const words = utterances.flatMap((utterance) => wordsOf(utterance));
  return piecesOf(talk.audio(0, talk.now())).map(({ startMs, endMs }) => {
    const own = words.filter((word) => midOf(word) >= startMs - edgeMs && midOf(word) <= endMs + edgeMs);
    const pcm = talk.audio(startMs - edgeMs, endMs + edgeMs);
    return {
      text: own.map(({ text }) => text).join(' '),
      words: own.map((word) => ({ ...word, startMs: word.startMs - startMs, endMs: word.endMs - startMs })),
      fingerprint: fingerprintOf(pcm),
      pcm,
    };
  });
}

function piecesOf(pcm: Int16Array): Span[] {
  const pieces = new SpeechPieces();
  const spans: Span[] = [];
  const onEvent: Parameters<SpeechPieces['push']>[1]['onEvent'] = (event) => {
    if (event.type === 'piece') spans.push(event);
  };
  pieces.push(pcm, { onEvent });
  for (const event of pieces.finish()) onEvent(event);
  return spans;
}

/** Sound begins and ends slightly outside its detected times. */
export const edgeMs = 60;
const midOf = ({ startMs, endMs }: Word): number => (startMs + endMs) / 2;

/** The words as they are shown, with their punctuation; evenly spread if the aligner found no times. */
function wordsOf({ text, words, startMs, endMs }: Utterance): Word[] {
  const shown = text.split(/\s+/).filter((word) => word !== '');
  const step = (endMs - startMs) / Math.max(1, shown.length);
  return shown.map((word, index) => ({
    text: word,
    startMs: (words.length === shown.length ? words[index]?.startMs : undefined) ?? startMs + index * step,
    endMs: (words.length === shown.length ? words[index]?.endMs : undefined) ?? startMs + (index + 1) * step,
  }));
}
