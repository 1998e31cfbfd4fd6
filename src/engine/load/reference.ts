import type { TestStep } from '../../contract/testConfigs.ts';
import type { Turn } from '../../contract/testRuns.ts';
import type { ExpectedPrompt, Fingerprint, Utterance, Word } from '../../speech/ear.ts';
import { beginningOf, fingerprintOf, promptMs } from '../../speech/fingerprint.ts';
import { beginsWith, recordedPromptIn } from '../../speech/promptMatcher.ts';
import { replaceUtterance } from '../../speech/utterances.ts';
import type { CallAudio, AudioSpan } from '../call/callAudio.ts';
import type { CallTestEnd } from '../call/callTestEvent.ts';
import { endOfTest } from '../call/endOfTest.ts';
import type { ActiveCall, Dialer } from '../call/activeCall.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { runScript } from '../script/script.ts';
import { PieceMatcher } from './pieceMatcher.ts';
import { SpeechPieces, type PieceEvent } from './speechPieces.ts';

/** What the called side said between two short pauses. Word times are relative to its first sound. */
export interface ReferencePrompt {
  readonly text: string;
  readonly words: readonly Word[];
  readonly fingerprint: Fingerprint;
  /** It differed on the second call, or the first one ended during it; apart from its beginning, if there is one. */
  readonly varies?: { readonly beginning?: Fingerprint | undefined };
}

/** What calls of a test have in common, as understood by the recogniser. Plain data. */
export interface LoadReference {
  readonly prompts: readonly ReferencePrompt[];
  /** The caller's own words as audio, by their text. */
  readonly spoken: ReadonlyMap<string, Int16Array>;
  /** Both calls together. */
  readonly callSeconds: number;
}

/** One call of a test that was understood by the recogniser. */
export interface ReferenceCall {
  readonly ended: CallTestEnd;
  readonly prompts: readonly (ReferencePrompt & {
    readonly pcm: Int16Array;
    readonly span: AudioSpan;
    readonly isCutOff: boolean;
  })[];
  readonly spoken: LoadReference['spoken'];
  /** The values of its collect steps, by name. */
  readonly collected: ReadonlyMap<string, string>;
  /** How long it took until speech was text, at most. */
  readonly textLagMs: number;
  /** A prompt was heard again. */
  readonly isRepetitive: boolean;
  /** The caller acted during a prompt, which can join two prompts. */
  readonly cutsPrompts: boolean;
}

interface ReferenceOptions extends TestCallOptions {
  /** Receives both sides of an answered call, without what is secret. */
  readonly onAudio?: (audio: CallAudio) => void;
}

/** Carries out a scripted test once, with recognition. Rejects only if aborted. */
export async function placeReferenceCall(
  options: ReferenceOptions & {
    readonly steps: readonly TestStep[];
    readonly row?: Readonly<Record<string, string>>;
  },
): Promise<ReferenceCall> {
  const { dialer } = options;
  const collected = new Map<string, string>();
  const utterances: Utterance[] = [];
  let textLagMs = 0;
  let answered: ActiveCall | undefined;
  const tapped: Dialer = {
    dial: async (target, signal, as) => {
      const call = await dialer.dial(target, signal, as);
      answered = call;
      call.listen((event) => {
        if (event.type === 'correction') replaceUtterance(utterances, event.utterance);
        if (event.type !== 'utterance') return;
        utterances.push(event.utterance);
        textLagMs = Math.max(textLagMs, call.now() - event.utterance.endMs);
      });
      return call;
    },
  };
  const onCollected = (name: string, value: string): void => {
    collected.set(name, value);
  };
  const ended = await endOfTest(runScript({ ...options, dialer: tapped, onCollected }), { onAudio: options.onAudio });
  const prompts = answered ? promptsOf(answered, utterances) : [];
  return {
    ended,
    collected,
    textLagMs,
    cutsPrompts: actsWithin(
      prompts.map(({ span }) => span),
      ended.transcript,
    ),
    isRepetitive: prompts.some(
      ({ pcm }, index) => recordedPromptIn(pcm, expectedOf(prompts.slice(0, index))) !== undefined,
    ),
    prompts,
    spoken: new Map(answered?.spoken().map(({ text, pcm }) => [text, pcm])),
  };
}

/** An action this close to the edge of a prompt doesn't cut it. */
const margin = { afterStartMs: 200, beforeEndMs: 400 };
const actsWithin = (pieces: readonly AudioSpan[], transcript: readonly Turn[]): boolean =>
  transcript.some(
    ({ speaker, startMs: atMs = 0 }) =>
      speaker === 'us' &&
      pieces.some(({ startMs, endMs }) => atMs > startMs + margin.afterStartMs && atMs < endMs - margin.beforeEndMs),
  );

const expectedOf = (prompts: readonly ReferencePrompt[]): ExpectedPrompt[] =>
  prompts.map(({ fingerprint }, index) => ({ id: String(index), fingerprint }));

/** Returns the name of a value that isn't the same on both calls. */
export const differingValue = (first: ReferenceCall, second: ReferenceCall): string | undefined =>
  [...first.collected].find(([name, value]) => second.collected.get(name) !== value)?.[0];

/** Compares two calls of a test, and returns the first with its prompts that differ from the second marked. */
export function alignReferenceCalls(first: ReferenceCall, second: ReferenceCall): LoadReference {
  const inFirst = expectedOf(first.prompts);
  const inSecond = new PieceMatcher(second.prompts.map(({ fingerprint }) => fingerprint));
  const foundInFirst = second.prompts.map(({ pcm }) => recordedPromptIn(pcm, inFirst));
  const known = new Set(foundInFirst);
  const unknown = second.prompts.filter((_, index) => foundInFirst[index] === undefined);
  return {
    prompts: first.prompts.map(({ pcm, span: _span, isCutOff, ...prompt }, index) => {
      // On other calls, the end comes a little earlier or later.
      if (isCutOff) return { ...prompt, varies: { beginning: sharedBeginning(prompt, second.prompts) } };
      const isSame = inSecond.hear(pcm) !== undefined;
      if (known.has(String(index)) || isSame) return prompt;
      return { ...prompt, varies: { beginning: sharedBeginning(prompt, unknown) } };
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
  return beginningUntil({ fingerprint }, sharedMs);
}

const beginningUntil = ({ fingerprint }: Pick<ReferencePrompt, 'fingerprint'>, ms: number): Fingerprint | undefined =>
  ms < shortestBeginningMs ? undefined : beginningOf(fingerprint, ms - colouredMs);

/** Divides a call like the calls of the load test will be, by its sound alone. */
function promptsOf(call: ActiveCall, utterances: readonly Utterance[]): ReferenceCall['prompts'] {
  const words = utterances.flatMap((utterance) => wordsOf(utterance));
  return piecesOf(call.audio(0, call.now())).map(({ startMs, endMs, isCutOff }) => {
    const own = words.filter((word) => midOf(word) >= startMs - edgeMs && midOf(word) <= endMs + edgeMs);
    const pcm = call.audio(startMs - edgeMs, endMs + edgeMs);
    return {
      text: own.map(({ text }) => text).join(' '),
      words: own.map((word) => ({ ...word, startMs: word.startMs - startMs, endMs: word.endMs - startMs })),
      fingerprint: fingerprintOf(pcm),
      pcm,
      span: { startMs, endMs },
      isCutOff,
    };
  });
}

function piecesOf(pcm: Int16Array): (AudioSpan & { readonly isCutOff: boolean })[] {
  const pieces = new SpeechPieces();
  const spans: (AudioSpan & { readonly isCutOff: boolean })[] = [];
  const add = (event: PieceEvent, isCutOff: boolean): void => {
    if (event.type === 'piece') spans.push({ ...event, isCutOff });
  };
  pieces.push(pcm, {
    onEvent: (event) => add(event, false),
  });
  for (const event of pieces.finish()) add(event, true);
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
