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
import { listen } from '../hearing/listen.ts';
import type { Heard } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import { findSpoken, fillPlaceholders, missingPlaceholders } from './placeholders.ts';
import type { OpenCall, TestCall } from '../call/testCall.ts';
import { failedEnd } from './stepEnd.ts';
import type { StepEnd } from './stepEnd.ts';
import { measuresLatency, overruns } from './stepTiming.ts';

/** So many more words were said than are expected: what is expected doesn't come any more. */
const surplusWords = 80;
/** A whole match needs no pause behind it. */
const certain = 0.98;
/** So alike, words are the expected ones, badly said or heard. */
const partOfIt = 0.5;
const clearlyBetter = 0.2;
/** How many steps before and after the one that failed are compared with what was heard. */
const stepsAround = 20;
const wordsOf = (text: string): number => text.split(/\s+/).length;
const endlessReason = `The called side spoke for ${String(callBounds.listening)} s without a pause, and the expected words weren't heard.`;

export interface StepEarOptions {
  readonly call: TestCall;
  readonly steps: readonly TestStep[];
  /** Of the row, and what was collected so far. */
  readonly values: Readonly<Record<string, string>>;
  readonly onCollected: (step: TestStep, name: string, value: string) => void;
}

type CollectAction = Extract<StepAction, { type: 'collect' }>;

/** The words that a step expects from a time of the call's audio on. */
interface Expectation {
  readonly step: TestStep;
  readonly expected: string;
  readonly fromMs: number;
  /** What is said later does not count. */
  readonly onlyThen: boolean;
}

/** The texts that were compared with what is expected, and the one that is more like it. */
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
    const { action, expectedTranscript, expectedEnd } = step;
    const expectsNothing = expectedTranscript === undefined && expectedEnd === undefined;
    if (action.type === 'wait' && !(await lastsUntil(call, fromMs + action.seconds * 1000)) && expectsNothing)
      return failedEnd(this.#earlyReason());
    if (action.type === 'collect') return this.#timed(step, await this.#collect(call, action, step, fromMs), fromMs);
    if (expectedTranscript !== undefined) {
      const expected = fillPlaceholders(expectedTranscript, this.#options.values);
      return await this.#expect(call, { step, expected, fromMs, onlyThen: action.type === 'wait' });
    }
    await awaitBeginning(call, step, fromMs);
    if (action.type === 'dial') return this.#timed(step, { outcome: 'PASS', startMs: 0, endMs: 0 }, 0, 0);
    if (action.type === 'expect' && expectsNothing)
      return this.#timed(step, await this.#hearAnything(call, fromMs), fromMs);
    return this.#timed(step, { outcome: 'PASS', startMs: Math.round(fromMs) }, fromMs);
  }

  /** Hears what comes after the words: it may have begun while they were being understood. */
  async #awaitEnd(call: OpenCall, expected: ExpectedEnd, heardWords: StepEnd, fromMs: number): Promise<StepEnd> {
    const end = await listen(
      call,
      fromMs,
      (heard) => endingSince(heard, expected, this.#call.patienceMs) ?? (isTooLong(heard) && 'endless'),
    );
    const result: StepEnd = { ...heardWords, endMs: Math.round(call.talk.now()) };
    if (end === expected) return result;
    const instead = end === 'endless' ? 'the called side keeps speaking' : endWords[end];
    return {
      ...result,
      ...failedEnd(
        `The call didn't continue as expected. The step expects that ${endWords[expected]}, but ${instead}.`,
      ),
    };
  }

  async #expect(call: OpenCall, expectation: Expectation): Promise<StepEnd> {
    const { step, expected, fromMs } = expectation;
    let weighed: Weighed | undefined;
    const { over, heard, match } = await listen(call, fromMs, async (whole) => {
      // A key cuts a prompt off, and may leave half a word of it in front of the answer: "nine" becomes "no".
      const after = call.log.heardSince(fromMs, 0);
      if (weighed?.whole !== whole.text || weighed.after !== after.text)
        weighed = await this.#weighBoth(expected, whole.text, after.text);
      const part = weighed.isCut ? after : whole;
      const over = this.#isOver(whole, expectation, part.text, weighed.match.score);
      return over && { over, heard: part, match: weighed.match };
    });
    const endMs = endOf(heard, match.window.end);
    const result: StepEnd = {
      ...passedEnd(heard, fromMs),
      expectedTranscript: expected,
      similarity: Math.round(match.score * 1000) / 1000,
      ...timedWords(heard),
      endMs: Math.round(endMs),
    };
    this.#cursorMs = endMs;
    if (match.score >= step.passThreshold) {
      this.#answeringMs = heard.endMs;
      return this.#timed(step, result, fromMs, endMs);
    }
    const reason = over === 'endless' ? endlessReason : await this.#whyNot(step, heard.text, match, fromMs);
    return this.#timed(step, { ...result, ...failedEnd(reason) }, fromMs);
  }

  /** Whether listening ends: all that is waited for has `settled`, or they are `endless` and never stop speaking. */
  #isOver(
    heard: Heard,
    { step, expected, onlyThen }: Expectation,
    text: string,
    score: number,
  ): 'settled' | 'endless' | undefined {
    if (heard.hasEnded || (onlyThen && heard.isQuiet(1))) return 'settled';
    if (isTooLong(heard)) return heard.isSettled(1) ? 'settled' : 'endless';
    const isEnough = score >= step.passThreshold || wordsOf(text) > wordsOf(expected) * 2 + surplusWords;
    const isSettled =
      (score >= certain && heard.isSettled(1)) ||
      (isEnough && heard.isSettled(patience.prompt.expectedWords)) ||
      this.#isSilent(heard) ||
      (heard.isSettled(patience.prompt.otherMenu) && this.#offersKeys(text));
    return isSettled ? 'settled' : undefined;
  }

  /** Whether nothing more comes: they have said enough, or nothing. */
  #isSilent(heard: Heard): boolean {
    return heard.isSettled(heard.spoke ? this.#afterAnswerMs : this.#deadAirMs);
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

  /** Hears whatever is said. */
  async #hearAnything(call: OpenCall, fromMs: number): Promise<StepEnd> {
    const heard = await listen(call, fromMs, (so) => {
      const isOver = so.hasEnded || isTooLong(so) || so.isQuiet(so.spoke ? patience.prompt.anyWords : this.#deadAirMs);
      return isOver && so;
    });
    this.#cursorMs = this.#answeringMs = heard.endMs;
    return heard.text === ''
      ? failedEnd(this.#whySilent(fromMs))
      : { ...passedEnd(heard, fromMs), ...timedWords(heard) };
  }

  async #collect(call: OpenCall, { name, pattern }: CollectAction, step: TestStep, fromMs: number): Promise<StepEnd> {
    let searched: string | undefined;
    const { heard, found } = await listen(call, fromMs, (so) => {
      const isOver = so.hasEnded || isTooLong(so) || this.#isSilent(so);
      // Looked for anew only in what is new: a pattern may take its time.
      const isDue = so.text !== searched && (isOver || so.isSettled(patience.prompt.expectedWords));
      const value = isDue ? findSpoken(pattern, (searched = so.text)) : undefined;
      return (isOver || value !== undefined) && { heard: so, found: value };
    });
    if (found !== undefined) {
      this.#options.onCollected(step, name, found);
      this.#cursorMs = this.#answeringMs = heard.endMs;
      return passedEnd(heard, fromMs);
    }
    if (heard.text === '') return failedEnd(this.#whySilent(fromMs));
    return { ...failedEnd(`Nothing that was heard matches the pattern of “${name}”.`), transcript: heard.text };
  }

  /** Adds what was measured until `toMs`, and fails a step that is right in words and wrong in time. */
  #timed(step: TestStep, end: StepEnd, fromMs: number, toMs = this.#call.open?.talk.now() ?? fromMs): StepEnd {
    const log = this.#call.open?.log;
    const latencyMs = measuresLatency(step) ? log?.latencyMs(fromMs, fromMs === this.#actedAtMs) : undefined;
    const told: StepEnd = { ...end, ...withoutUndefined({ latencyMs }) };
    if (told.outcome !== 'PASS') return told;
    const late = this.#slowAnswer === undefined ? [] : [this.#slowAnswer];
    this.#slowAnswer = undefined;
    if (log) late.push(...overruns(step, log, { fromMs, toMs, latencyMs }));
    return late.length === 0 ? told : { ...told, outcome: 'FAIL', reason: late.join(' ') };
  }

  #earlyReason(): string {
    return `Early hang-up: ${this.#call.describeEnd()?.sentence ?? 'the call ended.'}`;
  }
}

/** Waits until this time of the call's audio. Returns whether the call lasted until then. */
async function lastsUntil(call: OpenCall, untilMs: number): Promise<boolean> {
  const over = await listen(call, 0, (heard) => (heard.isPast(untilMs) ? 'past' : heard.hasEnded && 'ended'));
  return over === 'past';
}

/** Waits for the prompt whose beginning the step bounds. */
async function awaitBeginning(call: OpenCall, { timing }: TestStep, fromMs: number): Promise<void> {
  const within = timing?.promptWithinSeconds;
  if (within === undefined) return;
  const untilMs = fromMs + within * 1000 + patience.onset;
  await listen(call, fromMs, (heard) => heard.hasEnded || call.log.begunSince(fromMs) || heard.isHeardUntil(untilMs));
}

const isTooLong = (heard: Heard): boolean => heard.isPast(heard.fromMs + patience.longestPrompt);

/** Where the expected words end; the end of all that was heard if its words have no times. */
function endOf(heard: HeardPart, lastWord: number): number {
  const words = heard.text.split(/\s+/).filter((word) => word !== '');
  return (
    (heard.words.length === words.length ? heard.words[Math.max(0, lastWord - 1)]?.endMs : undefined) ?? heard.endMs
  );
}

const passedEnd = ({ text, endMs }: HeardPart, fromMs: number): StepEnd => ({
  outcome: 'PASS',
  transcript: text,
  startMs: Math.round(fromMs),
  endMs: Math.round(endMs),
});

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
