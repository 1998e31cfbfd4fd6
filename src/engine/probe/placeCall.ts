import { sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import { sentencesOfEnd } from '../../model/calls/sentencesOfEnd.ts';
import type { CallFacts, StepOnCall } from '../../language/checks/heardCall.ts';
import type { AudioSpan } from '../call/callAudio.ts';
import type { CallTestEnd, CallTestEvent } from '../call/callTestEvent.ts';
import type { EventStream } from '../eventStream.ts';
import { TestCall } from '../call/testCall.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { patience } from '../hearing/patience.ts';
import type { LanguageStretch } from '../../speech/ear.ts';
import { withoutForeign } from './foreignWords.ts';
import { ProbeCaller } from './probeCaller.ts';
import type { CallStep } from './probeCaller.ts';
import { readBackWords, tellingParts } from '../../model/secrets/readBack.ts';
import type { ReadBackParts } from '../../model/secrets/readBack.ts';

/** Why there is nothing to judge; the result of every check of this call. */
export interface Broken {
  readonly outcome: 'ERROR' | 'INCONCLUSIVE';
  readonly why: Sentences;
}

interface PlaceCallOptions extends TestCallOptions {
  /** The step that opens this call, if it isn't the first call. */
  readonly opening?: string | undefined;
  readonly steps: readonly CallStep[];
  readonly maxSeconds: number;
  readonly secretDigits: readonly string[];
  /** A check depends on the spoken language. */
  readonly tellLanguages: boolean;
  /** The rest of the call can't change the result. */
  readonly isDecided: (facts: CallFacts) => boolean;
}

/** One finished call of a probe. Nothing in `facts` is masked. */
export interface PlacedCall {
  readonly facts: CallFacts;
  readonly ended: Omit<CallTestEnd, 'outcome' | 'steps'>;
  readonly broken?: Broken | undefined;
}

/** Calls, carries out the steps until one isn't reached or the call is over, and hangs up. Reports to `events`. */
export async function placeCall(options: PlaceCallOptions, events: EventStream<CallTestEvent>): Promise<PlacedCall> {
  const { secretDigits } = options;
  const call = new TestCall({ ...options, purpose: '' }, events);
  call.addSecrets(...secretDigits.flatMap(tellingParts));
  const steps = new Map<string, StepOnCall>();
  const broken = await converse(call, options, steps).catch((error: unknown): Broken => ({
    outcome: 'ERROR',
    why: call.whyBroken(error).with((value) => call.mask.text(value)),
  }));
  call.lateness.behind(call.open?.log.textLagMs ?? 0);
  const { excuse } = call.lateness;
  let trouble = (await awaitText(call, options)) ? broken : (broken ?? unread);
  let languages: readonly LanguageStretch[] = [];
  try {
    if (options.tellLanguages && !trouble) languages = await languagesOf(call);
  } catch (error) {
    trouble = { outcome: 'ERROR', why: sentencesOf(error) };
  }
  const ended = await call.finish();
  const heardSoFar = factsOf(call, options, steps);
  return {
    facts: {
      ...heardSoFar,
      lastedMs: ended.hangUp?.atMs ?? heardSoFar.lastedMs,
      isWhole: true,
      languages,
      end: ended.hangUp,
      postDialMs: ended.postDialMs,
      excuse,
    },
    ended,
    broken: trouble,
  };
}

async function converse(
  test: TestCall,
  options: PlaceCallOptions,
  done: Map<string, StepOnCall>,
): Promise<Broken | undefined> {
  const { opening, steps, maxSeconds } = options;
  const call = await test.dial();
  if ('refused' in call) return { outcome: call.theirs ? 'INCONCLUSIVE' : 'ERROR', why: sentencesOfEnd(call.refused) };
  if (opening !== undefined) done.set(opening, { startMs: 0, actionMs: 0, actedMs: 0, reached: true });
  const isDecided = (): boolean => options.isDecided(factsOf(test, options, done));
  const caller = new ProbeCaller(test, call, maxSeconds, isDecided);
  for (const step of steps) {
    const { id } = step;
    const one = await caller.do(step);
    // A call that ran out of time is hung up by Dialtree, so this end isn't the called side's.
    test.signal.throwIfAborted();
    done.set(id, one);
    if (!one.reached || isDecided()) break;
  }
  return undefined;
}

const factsOf = (
  { open }: TestCall,
  { secretDigits }: PlaceCallOptions,
  steps: ReadonlyMap<string, StepOnCall>,
): CallFacts => ({
  turns: open?.log.turns ?? [],
  steps,
  lastedMs: open?.call.now() ?? 0,
  secretDigits,
  speaksAt: (atMs) => open?.log.speaksAt(atMs) === true,
  onsetAfter: (fromMs) => open?.log.onsetAfter(fromMs),
});

/** Marks French in the called side's turns, because the recogniser turned it into English. */
async function languagesOf({ open }: TestCall): Promise<readonly LanguageStretch[]> {
  if (!open) return [];
  const languages = await open.call.languages(open.log.speech);
  open.log.rewriteTurns((utterance) => withoutForeign(utterance, languages));
  return languages;
}

const unread: Broken = {
  outcome: 'INCONCLUSIVE',
  why: sentence`Dialtree couldn't turn the speech of this call into text in time, because this machine was too busy. Run the probe again when the machine is less busy.`,
};

/** Waits until everything said is text: all words must be known before the audio is reported, to silence some. */
async function awaitText(call: TestCall, { signal, secretDigits }: PlaceCallOptions): Promise<boolean> {
  if (!call.open) return true;
  const { call: active, log } = call.open;
  if (!active.ended) await active.hangUp();
  await log.drain(signal.aborted ? patience.text.last : patience.text.allOfLast);
  const given =
    log.turns.find(({ speaker, text }) => speaker === 'us' && call.mask.text(text) !== text)?.startMs ?? Infinity;
  const spans = (parts: ReadBackParts): AudioSpan[] =>
    log.spansOf((words) => readBackWords(words, secretDigits, parts));
  for (const span of [...spans('long'), ...spans('pieces').filter(({ startMs }) => startMs >= given)])
    call.addSecretSpan(span);
  if (!log.ended) call.addSecretSpan({ startMs: given, endMs: active.now() });
  return log.ended !== undefined;
}
