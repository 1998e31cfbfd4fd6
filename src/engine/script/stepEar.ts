import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { ExpectedEnd, StepAction, TestStep } from '../../contract/testConfigs.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { breaksOff } from '../../model/heard/breaksOff.ts';
import { callBounds } from '../../model/calls/callBudget.ts';
import { similaritySliced, type Similarity } from '../../model/heard/similarity.ts';
import { endingSince, endWords } from '../hearing/callEnding.ts';
import type { HeardPart } from '../hearing/callLog.ts';
import { deadAirReason } from '../hearing/deadAir.ts';
import { patience } from '../hearing/patience.ts';
import { findSpoken, fillPlaceholders, missingPlaceholders } from './placeholders.ts';
import type { OpenCall, TestCall } from '../call/testCall.ts';
import { failedEnd } from './stepEnd.ts';
import type { StepEnd } from './stepEnd.ts';
import { measuresLatency, overruns } from './stepTiming.ts';

/** The longest step. */
const stepMs = callBounds.listening * 1000;
/** A sound is known to be speech so much later. */
const onsetLagMs = 500;
/** So many more words were said than are expected: what is expected doesn't come any more. */
const surplusWords = 80;
/** A whole match needs no pause behind it. */
const certain = 0.98;
/** So alike, words are the expected ones, badly said or heard. */
const partOfIt = 0.5;
const clearlyBetter = 0.2;
/** How many steps before and after the one that failed are compared with what was heard. */
const stepsAround = 20;
const pollMs = 100;
const wordsOf = (text: string): number => text.split(/\s+/).length;
const endlessReason = `The called side spoke for ${String(callBounds.listening)} s without a pause, and the expected words weren't heard.`;

export interface StepEarOptions {
  readonly call: TestCall;
  readonly steps: readonly TestStep[];
  /** Of the row, and what was collected so far. */
  readonly values: Readonly<Record<string, string>>;
  readonly onCollected: (step: TestStep, name: string, value: string) => void;
}

/** The words that a step expects from a time of the call's audio on. */
interface Expectation {
  readonly step: TestStep;
  readonly expected: string;
  readonly fromMs: number;
  /** What is said later does not count. */
  readonly onlyThen: boolean;
}

/** What was heard, `whole` and without the word before it, and which of both is more like what is expected. */
interface Weighed {
  readonly whole: string;
  readonly after: string;
  readonly isCut: boolean;
  readonly match: Similarity;
}

/** Hears what the steps of a script expect, each behind what earlier ones heard, and measures how long it took. */
export class StepEar {
  readonly #options: StepEarOptions;
  readonly #call: TestCall;
  /** What was said before this time (milliseconds of the call's audio) belongs to earlier steps. */
  #cursorMs = 0;
  readonly #afterAnswerMs: number;
  readonly #deadAirMs: number;
  /** When we last had pressed or said something. */
  #actedAtMs: number | undefined;
  #slowAnswer: string | undefined;
  /** Where what the last step heard ended; undefined where nobody waits for us behind it. */
  #answeringMs: number | undefined;
  /** The text that was last looked at for keys. */
  #menu: { readonly of: string; readonly offersKeys: boolean } | undefined;

  constructor(options: StepEarOptions) {
    this.#options = options;
    this.#call = options.call;
    this.#afterAnswerMs = this.#call.patienceMs ?? patience.prompt.otherWords;
    this.#deadAirMs = this.#call.patienceMs ?? patience.deadAir.script;
  }

  answered({ timing }: TestStep, seconds: number): void {
    const within = timing?.answerWithinSeconds;
    if (within !== undefined && seconds > within)
      this.#slowAnswer = `The call was answered after ${seconds.toFixed(1)} s, not within ${String(within)} s.`;
  }

  /** From this time on we press or say something. */
  acts(atMs: number): void {
    if (this.#answeringMs !== undefined) this.#call.lateness.behind(atMs - this.#answeringMs);
    this.#answeringMs = undefined;
  }

  /** We had pressed or said something at this time: what counts comes after it. */
  acted(atMs: number): void {
    this.#cursorMs = this.#actedAtMs = atMs;
  }

  /** Hears what the step expects, words and end, from this time on; from where earlier steps ended unless told. */
  async listen(call: OpenCall, step: TestStep, fromMs = this.#cursorMs): Promise<StepEnd> {
    this.#answeringMs = undefined;
    const heard = await this.#hear(call, step, fromMs);
    return step.expectedEnd === undefined || heard.outcome !== 'PASS'
      ? heard
      : this.#awaitEnd(call, step.expectedEnd, heard, fromMs);
  }

  async #hear(call: OpenCall, step: TestStep, fromMs: number): Promise<StepEnd> {
    const { action } = step;
    const { talk } = call;
    if (
      action.type === 'wait' &&
      !(await this.#waitFor(call, fromMs + action.seconds * 1000)) &&
      step.expectedTranscript === undefined &&
      step.expectedEnd === undefined
    )
      return failedEnd(this.#earlyReason());
    await this.#awaitBeginning(call, step, fromMs);
    if (action.type === 'dial' && step.expectedTranscript === undefined)
      return this.#timed(step, { outcome: 'PASS', startMs: 0, endMs: 0 }, 0, 0);
    if (action.type === 'collect')
      return this.#timed(step, await this.#collect(call, action, step, fromMs), fromMs, talk.now());
    if (step.expectedTranscript !== undefined)
      return await this.#expect(call, {
        step,
        expected: fillPlaceholders(step.expectedTranscript, this.#options.values),
        fromMs,
        onlyThen: action.type === 'wait',
      });
    if (action.type !== 'expect' || step.expectedEnd !== undefined)
      return this.#timed(step, { outcome: 'PASS', startMs: Math.round(fromMs) }, fromMs, talk.now());
    return this.#timed(step, await this.#hearAnything(call, fromMs), fromMs, talk.now());
  }

  /** What comes after the words: it may have begun while they were being understood. */
  async #awaitEnd({ talk, log }: OpenCall, expected: ExpectedEnd, heard: StepEnd, fromMs: number): Promise<StepEnd> {
    const ending = (): ReturnType<typeof endingSince> => endingSince(log, fromMs, expected, this.#call.patienceMs);
    let end = ending();
    for (; end === undefined && talk.now() - fromMs <= stepMs; end = ending()) await this.#call.next(pollMs);
    const told: StepEnd = { ...heard, endMs: Math.round(talk.now()) };
    if (end === expected) return told;
    const instead = end === undefined ? 'the called side keeps speaking' : endWords[end];
    return {
      ...told,
      ...failedEnd(
        `The call didn't continue as expected. The step expects that ${endWords[expected]}, but ${instead}.`,
      ),
    };
  }

  /** Whether the call lasted so long. */
  async #waitFor({ talk, log }: OpenCall, untilMs: number): Promise<boolean> {
    while (!log.ended && talk.now() < untilMs) await this.#call.next(Math.min(pollMs, untilMs - talk.now()));
    return talk.now() >= untilMs;
  }

  /** A step that hears nothing more waits for the prompt whose beginning it bounds. */
  async #awaitBeginning(
    { talk, log }: OpenCall,
    { action, timing, expectedTranscript }: TestStep,
    fromMs: number,
  ): Promise<void> {
    const within = timing?.promptWithinSeconds;
    if (within === undefined || expectedTranscript !== undefined || action.type === 'collect') return;
    while (!log.ended && !log.begunSince(fromMs) && talk.heardMs() < fromMs + within * 1000 + onsetLagMs)
      await this.#call.next(pollMs);
  }

  async #expect(call: OpenCall, expectation: Expectation): Promise<StepEnd> {
    const { talk, log } = call;
    const { step, expected, fromMs } = expectation;
    let weighed: Weighed | undefined;
    let heard: HeardPart;
    let over: 'settled' | 'endless' | undefined;
    for (;;) {
      // A key cuts a prompt off, and may leave half a word of it in front of the answer: "nine" becomes "no".
      const [whole, after] = [log.heardSince(fromMs), log.heardSince(fromMs, 0)];
      if (weighed?.whole !== whole.text || weighed.after !== after.text)
        weighed = await this.#weighBoth(expected, whole.text, after.text);
      heard = weighed.isCut ? after : whole;
      over = this.#isOver(call, expectation, heard.text, weighed.match.score);
      if (over) break;
      await this.#call.next(pollMs);
    }
    const { match } = weighed;
    const endMs = this.#endOf(heard, match.window.end);
    const result: StepEnd = {
      outcome: 'PASS',
      expectedTranscript: expected,
      transcript: heard.text,
      similarity: Math.round(match.score * 1000) / 1000,
      ...timedWords(heard),
      startMs: Math.round(fromMs),
      endMs: Math.round(endMs),
    };
    this.#cursorMs = endMs;
    if (match.score >= step.passThreshold) {
      this.#answeringMs = heard.endMs;
      return this.#timed(step, result, fromMs, endMs);
    }
    const reason = over === 'endless' ? endlessReason : await this.#whyNot(step, heard.text, match, fromMs);
    return this.#timed(step, { ...result, ...failedEnd(reason) }, fromMs, talk.now());
  }

  /** Whether listening ends: all that is waited for has `settled`, or they are `endless` and never stop speaking. */
  #isOver(
    { talk, log }: OpenCall,
    { step, expected, fromMs, onlyThen }: Expectation,
    heard: string,
    score: number,
  ): 'settled' | 'endless' | undefined {
    const quietMs = log.settledMs(fromMs);
    if (log.ended || (onlyThen && log.quietMs(fromMs) > 0)) return 'settled';
    if (talk.now() - fromMs > stepMs) return quietMs === 0 ? 'endless' : 'settled';
    const tooMuch = wordsOf(heard) > wordsOf(expected) * 2 + surplusWords;
    const settled =
      (score >= certain && quietMs > 0) ||
      (quietMs >= patience.prompt.expectedWords && (score >= step.passThreshold || tooMuch)) ||
      quietMs >= (log.spokeSince(fromMs) ? this.#afterAnswerMs : this.#deadAirMs) ||
      (quietMs >= patience.prompt.otherMenu && this.#offersKeys(heard));
    return settled ? 'settled' : undefined;
  }

  /** Reads a text once: nothing new is said while it is quiet. */
  #offersKeys(heard: string): boolean {
    if (this.#menu?.of !== heard) this.#menu = { of: heard, offersKeys: readMenu(heard).options.length > 0 };
    return this.#menu.offersKeys;
  }

  async #weighBoth(expected: string, whole: string, after: string): Promise<Weighed> {
    const match = await this.#weigh(expected, whole);
    const cut = after === whole ? match : await this.#weigh(expected, after);
    const isCut = cut.score > match.score;
    return { whole, after, isCut, match: isCut ? cut : match };
  }

  /** Dead air, an early end and another menu each have their own words. */
  async #whyNot(step: TestStep, heard: string, match: Similarity, fromMs: number): Promise<string> {
    if (heard === '') return this.#whySilent(fromMs);
    const { score } = match;
    const other = score >= partOfIt ? undefined : await this.#stepThatExpects(heard, step, score);
    if (other) return `Wrong menu: this is what step “${other.name}” expects.`;
    const figures = `similarity ${score.toFixed(2)}, ${step.passThreshold.toFixed(2)} needed`;
    const early = this.#call.open?.log.ended !== undefined && breaksOff(match, wordsOf(heard));
    return early
      ? `Early hang-up: the call ended before the expected words were heard (${figures}).`
      : `Unexpected words were heard (${figures}).`;
  }

  /** Another step that what was heard fits clearly better; of a long script those around this one are looked at. */
  async #stepThatExpects(heard: string, step: TestStep, score: number): Promise<TestStep | undefined> {
    const { steps, values } = this.#options;
    const here = steps.indexOf(step);
    for (const one of steps.slice(Math.max(0, here - stepsAround), here + stepsAround + 1)) {
      const { expectedTranscript, passThreshold } = one;
      if (
        one === step ||
        expectedTranscript === undefined ||
        missingPlaceholders([expectedTranscript], values).length > 0
      )
        continue;
      const { score: its } = await this.#weigh(fillPlaceholders(expectedTranscript, values), heard);
      if (its >= Math.max(passThreshold, score + clearlyBetter)) return one;
    }
    return undefined;
  }

  /** Long texts take their time: between slices of it the audio of all calls has its turn. */
  async #weigh(expected: string, heard: string): Promise<Similarity> {
    const work = similaritySliced(expected, heard);
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return value;
      await this.#call.turn();
    }
  }

  /** No words were heard from then on. */
  #whySilent(fromMs: number): string {
    const { talk, log } = this.#call.open ?? {};
    if (!talk || !log || log.ended) return this.#earlyReason();
    this.#call.lateness.behind(log.unreadMs);
    return log.spokeSince(fromMs)
      ? 'There was speech, but no words were recognised.'
      : deadAirReason(talk, this.#deadAirMs / 1000);
  }

  /** A step that only listens, for whatever is said. */
  async #hearAnything({ talk, log }: OpenCall, fromMs: number): Promise<StepEnd> {
    while (
      !log.ended &&
      talk.now() - fromMs <= stepMs &&
      log.quietMs(fromMs) < (log.spokeSince(fromMs) ? patience.prompt.expectedWords * 2 : this.#deadAirMs)
    )
      await this.#call.next(pollMs);
    const heard = log.heardSince(fromMs);
    this.#cursorMs = this.#answeringMs = heard.endMs;
    if (heard.text !== '')
      return {
        outcome: 'PASS',
        transcript: heard.text,
        ...timedWords(heard),
        startMs: Math.round(fromMs),
        endMs: Math.round(heard.endMs),
      };
    return failedEnd(this.#whySilent(fromMs));
  }

  async #collect(
    { talk, log }: OpenCall,
    { name, pattern }: Extract<StepAction, { type: 'collect' }>,
    step: TestStep,
    fromMs: number,
  ): Promise<StepEnd> {
    let searched: string | undefined;
    for (;;) {
      const heard = log.heardSince(fromMs);
      const quietMs = log.settledMs(fromMs);
      const over =
        log.ended !== undefined ||
        talk.now() - fromMs > stepMs ||
        quietMs >= (log.spokeSince(fromMs) ? this.#afterAnswerMs : this.#deadAirMs);
      // Looked for anew only in what is new: a pattern may take its time.
      const found =
        (quietMs >= patience.prompt.expectedWords || over) && heard.text !== searched
          ? findSpoken(pattern, (searched = heard.text))
          : undefined;
      if (found !== undefined) {
        this.#options.onCollected(step, name, found);
        this.#cursorMs = this.#answeringMs = heard.endMs;
        return { outcome: 'PASS', transcript: heard.text, startMs: Math.round(fromMs), endMs: Math.round(heard.endMs) };
      }
      if (over) {
        if (heard.text === '') return failedEnd(this.#whySilent(fromMs));
        return {
          ...failedEnd(`Nothing that was heard matches the pattern of “${name}”.`),
          transcript: heard.text,
        };
      }
      await this.#call.next(pollMs);
    }
  }

  /** Adds what was measured, and fails a step that is right in words and wrong in time. */
  #timed(step: TestStep, end: StepEnd, fromMs: number, toMs: number): StepEnd {
    const log = this.#call.open?.log;
    const latencyMs = measuresLatency(step) ? log?.latencyMs(fromMs, fromMs === this.#actedAtMs) : undefined;
    const told: StepEnd = { ...end, ...withoutUndefined({ latencyMs }) };
    if (told.outcome !== 'PASS') return told;
    const late = this.#slowAnswer === undefined ? [] : [this.#slowAnswer];
    this.#slowAnswer = undefined;
    if (log) late.push(...overruns(step, log, { fromMs, toMs, latencyMs }));
    return late.length === 0 ? told : { ...told, outcome: 'FAIL', reason: late.join(' ') };
  }

  #endOf(heard: HeardPart, lastWord: number): number {
    // Words are aligned where they could be; an utterance without times counts as a whole.
    const words = heard.text.split(/\s+/).filter((word) => word !== '');
    return heard.words.length === words.length
      ? (heard.words[Math.max(0, lastWord - 1)]?.endMs ?? heard.endMs)
      : heard.endMs;
  }

  #earlyReason(): string {
    return `Early hang-up: ${this.#call.describeEnd()?.sentence ?? 'the call ended.'}`;
  }
}

const timedWords = ({ words }: HeardPart): Pick<StepResult, 'words'> =>
  words.length === 0
    ? {}
    : {
        words: words.map(({ text, startMs, endMs }) => ({
          word: text,
          startMs: Math.round(startMs),
          endMs: Math.round(endMs),
        })),
      };
