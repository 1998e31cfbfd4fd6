import type { ExpectedEnd, StepAction, TestStep } from '../../contract/testConfigs.ts';
import { because, join, sentence, type Sentences } from '../../base/sentences.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { breaksOff } from '../../model/heard/breaksOff.ts';
import { callBounds } from '../../model/calls/callBudget.ts';
import { similaritySliced, type Similarity } from '../../model/heard/similarity.ts';
import { endingSince, endSentences } from '../hearing/callEnding.ts';
import type { HeardSpeech } from '../hearing/callLog.ts';
import { deadAirReason } from '../hearing/deadAir.ts';
import { listen } from '../hearing/listen.ts';
import type { HeardSince } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import { fillPlaceholders } from '../../model/tests/columnUse.ts';
import { findSpoken, missingPlaceholders } from './placeholders.ts';
import type { OpenCall, TestCall } from '../call/testCall.ts';
import { failedEnd } from './stepEnd.ts';
import type { StepEnd } from './stepEnd.ts';
import { measuresLatency, overruns } from './stepTiming.ts';

/** If this many more words were said than expected, the expected words won't follow. */
const surplusWords = 80;
/** A complete match needs no pause after it. */
const certain = 0.98;
/** Words this similar are the expected ones, badly said or heard. */
const partOfIt = 0.5;
const clearlyBetter = 0.2;
/** How many steps before and after the failed one are compared with what was heard. */
const stepsAround = 20;
const wordsOf = (text: string): number => text.split(/\s+/).length;
const endlessReason = sentence`The called side spoke for ${callBounds.listening} s without a pause, and the expected words weren't heard.`;

interface StepEarOptions {
  readonly call: TestCall;
  readonly steps: readonly TestStep[];
  /** The values of the row, and what was collected so far. */
  readonly values: Readonly<Record<string, string>>;
  readonly onCollected: (step: TestStep, name: string, value: string) => void;
}

type CollectAction = Extract<StepAction, { type: 'collect' }>;

/** The words that a step expects from a time of the call's audio. */
interface Expectation {
  readonly step: TestStep;
  readonly expected: string;
  readonly fromMs: number;
  /** Later words don't count. */
  readonly onlyThen: boolean;
}

/** Listens for what a script's steps expect, each after the words of earlier ones, and measures response times. */
export class StepEar {
  readonly #options: StepEarOptions;
  readonly #call: TestCall;
  /** Words before this time (milliseconds of the call's audio) belong to earlier steps. */
  #cursorMs = 0;
  readonly #afterAnswerMs: number;
  readonly #deadAirMs: number;
  /** When the caller last finished pressing or speaking. */
  #actedAtMs: number | undefined;
  #slowAnswer: Sentences | undefined;
  /** When the current step of a guided test was given. */
  #givenMs = 0;
  /** Where the words of the last step ended; undefined if the called side isn't waiting for the caller. */
  #answeringMs: number | undefined;
  /** The text that was last checked for keys. */
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
      this.#slowAnswer = sentence`The call was answered after ${seconds.toFixed(1)} s, not within ${within} s.`;
  }

  /** Compares what was heard before the answer. Undefined if this caller doesn't listen so early. */
  async heardEarly({ heardBeforeAnswer, passThreshold }: TestStep): Promise<StepEnd | undefined> {
    const { open } = this.#call;
    if (heardBeforeAnswer === undefined || (open && !open.call.early)) return undefined;
    const { text = '', isUnread = false } = (await this.#call.beforeAnswer()) ?? {};
    if (isUnread) this.#call.lateness.behind(patience.text.lost);
    const expected = fillPlaceholders(heardBeforeAnswer, this.#options.values);
    const match = await this.#weigh(expected, text);
    return {
      ...(match.score >= passThreshold
        ? { outcome: 'PASS' }
        : failedEnd(
            text === ''
              ? sentence`Nothing was said before the answer.`
              : sentence`Unexpected words were heard before the answer.`,
          )),
      expectedTranscript: expected,
      ...((text !== '' || isUnread) && { transcript: text }),
      similarity: Math.round(match.score * 1000) / 1000,
      passThreshold,
    };
  }

  /** A step is given while the call is up. The time before it was the guide's, so neither the caller nor it is late. */
  given(atMs: number): void {
    this.#givenMs = atMs;
    this.#answeringMs = undefined;
  }

  /** The caller presses or speaks from this time. */
  acts(atMs: number): void {
    if (this.#answeringMs !== undefined) this.#call.lateness.behind(atMs - this.#answeringMs);
    this.#answeringMs = undefined;
  }

  /** The caller finished pressing or speaking at this time. What counts comes after it. */
  acted(atMs: number): void {
    this.#cursorMs = this.#actedAtMs = atMs;
  }

  /** Listens for the words and the end that the step expects, by default from where earlier steps ended. */
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

  /** Listens for what follows the words. It may have begun while they were being recognised. */
  async #awaitEnd(call: OpenCall, expected: ExpectedEnd, heardWords: StepEnd, fromMs: number): Promise<StepEnd> {
    const end = await listen(
      call,
      fromMs,
      (heard) => endingSince(heard, expected, this.#call.patienceMs) ?? (this.#isTooLong(heard) && 'endless'),
    );
    const result: StepEnd = { ...heardWords, endMs: Math.round(call.call.now()) };
    if (end === expected) return result;
    const { transfer } = call.log;
    const instead =
      end === 'endless'
        ? sentence`The called side keeps speaking.`
        : end === 'transfer-ringback' && transfer
          ? sentence`The call is transferred by REFER to ${transfer.target}.`
          : endSentences[end];
    const why = join(
      sentence`The call didn't continue as expected. Expected:`,
      endSentences[expected],
      butThis,
      instead,
    );
    return { ...result, ...failedEnd(why) };
  }

  async #expect(call: OpenCall, expectation: Expectation): Promise<StepEnd> {
    const { step, expected, fromMs } = expectation;
    let weighed: { readonly text: string; readonly match: Similarity } | undefined;
    const { over, heard, match } = await listen(call, fromMs, async (so) => {
      if (weighed?.text !== so.text) weighed = { text: so.text, match: await this.#weigh(expected, so.text) };
      const over = this.#isOver(so, expectation, weighed.match.score);
      return over && { over, heard: so, match: weighed.match };
    });
    const endMs = endOf(heard, match.window.end);
    const result: StepEnd = {
      ...passedEnd(heard, fromMs),
      expectedTranscript: expected,
      similarity: Math.round(match.score * 1000) / 1000,
      passThreshold: step.passThreshold,
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

  /** Whether listening is over: everything expected has `settled`, or the speech is `endless`. */
  #isOver(
    heard: HeardSince,
    { step, expected, onlyThen }: Expectation,
    score: number,
  ): 'settled' | 'endless' | undefined {
    if (heard.hasEnded || (onlyThen && heard.isQuiet(1))) return 'settled';
    if (this.#isTooLong(heard)) return heard.isSettled(1) ? 'settled' : 'endless';
    const isEnough = score >= step.passThreshold || wordsOf(heard.text) > wordsOf(expected) * 2 + surplusWords;
    const isSettled =
      (score >= certain && heard.isSettled(1)) ||
      (isEnough && heard.isSettled(patience.prompt.expectedWords)) ||
      this.#isSilent(heard) ||
      (heard.isSettled(patience.prompt.otherMenu) && this.#offersKeys(heard.text));
    return isSettled ? 'settled' : undefined;
  }

  #isTooLong(heard: HeardSince): boolean {
    return heard.isPast(Math.max(heard.fromMs, this.#givenMs) + patience.longestPrompt);
  }

  /** Returns true if nothing more follows: enough was said, or nothing. */
  #isSilent(heard: HeardSince): boolean {
    const forMs = heard.spoke ? this.#afterAnswerMs : this.#deadAirMs;
    return heard.isPast(this.#givenMs + forMs) && heard.isSettled(forMs);
  }

  /** Reads each text once, because it doesn't change during silence. */
  #offersKeys(heard: string): boolean {
    if (this.#menu?.of !== heard) this.#menu = { of: heard, offersKeys: readMenu(heard).options.length > 0 };
    return this.#menu.offersKeys;
  }

  /** Dead air, an early end and another menu have different messages. */
  async #whyNot(step: TestStep, heard: string, match: Similarity, fromMs: number): Promise<Sentences> {
    if (heard === '') return this.#whySilent(fromMs);
    const { score } = match;
    const other = score >= partOfIt ? undefined : await this.#stepThatExpects(heard, step, score);
    if (other) return sentence`Wrong menu: this is what step “${other.name}” expects.`;
    const early = this.#call.open?.log.ended !== undefined && breaksOff(match, wordsOf(heard));
    return early
      ? sentence`Early hang-up: the call ended before the expected words were heard.`
      : sentence`Unexpected words were heard.`;
  }

  /** Returns another step that matches the heard words clearly better. In a long script, only nearby ones count. */
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

  /** Long texts take time, so the work is divided to let the audio of all calls be processed in between. */
  async #weigh(expected: string, heard: string): Promise<Similarity> {
    const work = similaritySliced(expected, heard);
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return value;
      await this.#call.turn();
    }
  }

  /** No words were heard from then on. */
  #whySilent(fromMs: number): Sentences {
    const { call, log } = this.#call.open ?? {};
    if (!call || !log || log.ended) return this.#earlyReason();
    this.#call.lateness.behind(log.unreadMs);
    return log.spokeSince(fromMs)
      ? sentence`There was speech, but no words were recognised.`
      : deadAirReason(call, this.#deadAirMs / 1000);
  }

  async #hearAnything(call: OpenCall, fromMs: number): Promise<StepEnd> {
    const heard = await listen(call, fromMs, (so) => {
      const isOver =
        so.hasEnded || this.#isTooLong(so) || (so.spoke ? so.isQuiet(patience.prompt.anyWords) : this.#isSilent(so));
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
      const isOver = so.hasEnded || this.#isTooLong(so) || this.#isSilent(so);
      // Searches only new text, because matching can be slow.
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
    return { ...failedEnd(sentence`Nothing that was heard matches the pattern of “${name}”.`), transcript: heard.text };
  }

  /** Adds what was measured until `toMs`, and fails a step whose words match but whose timing doesn't. */
  #timed(step: TestStep, end: StepEnd, fromMs: number, toMs = this.#call.open?.call.now() ?? fromMs): StepEnd {
    const log = this.#call.open?.log;
    const latencyMs = measuresLatency(step) ? log?.latencyMs(fromMs, fromMs === this.#actedAtMs) : undefined;
    const reported: StepEnd = { ...end, latencyMs };
    if (reported.outcome !== 'PASS') return reported;
    const late = this.#slowAnswer === undefined ? [] : [this.#slowAnswer];
    this.#slowAnswer = undefined;
    if (log) late.push(...overruns(step, log, { fromMs, toMs, latencyMs }));
    return late.length === 0 ? reported : { ...reported, outcome: 'FAIL', ...because(join(...late)) };
  }

  #earlyReason(): Sentences {
    return join(sentence`Early hang-up:`, this.#call.whyEnded());
  }
}

const butThis = sentence`Instead:`;

/** Waits until this time of the call's audio. Returns whether the call lasted until then. */
async function lastsUntil(call: OpenCall, untilMs: number): Promise<boolean> {
  const over = await listen(call, 0, (heard) => (heard.isPast(untilMs) ? 'past' : heard.hasEnded && 'ended'));
  return over === 'past';
}

/** Waits for the prompt whose beginning the step limits. */
async function awaitBeginning(call: OpenCall, { timing }: TestStep, fromMs: number): Promise<void> {
  const within = timing?.promptWithinSeconds;
  if (within === undefined) return;
  const untilMs = fromMs + within * 1000 + patience.onset;
  await listen(call, fromMs, (heard) => heard.hasEnded || call.log.begunSince(fromMs) || heard.isHeardUntil(untilMs));
}

/** Returns where the expected words end, or the end of everything heard if its words have no times. */
function endOf(heard: HeardSpeech, lastWord: number): number {
  const words = heard.text.split(/\s+/).filter((word) => word !== '');
  // The sound of a prompt ends after its last word.
  if (lastWord >= words.length) return heard.endMs;
  return (
    (heard.words.length === words.length ? heard.words[Math.max(0, lastWord - 1)]?.endMs : undefined) ?? heard.endMs
  );
}

const passedEnd = ({ text, endMs }: HeardSpeech, fromMs: number): StepEnd => ({
  outcome: 'PASS',
  transcript: text,
  startMs: Math.round(fromMs),
  endMs: Math.round(endMs),
});

const timedWords = ({ words }: HeardSpeech): Pick<StepResult, 'words'> =>
  words.length === 0
    ? {}
    : {
        words: words.map(({ text, startMs, endMs }) => ({
          word: text,
          startMs: Math.round(startMs),
          endMs: Math.round(endMs),
        })),
      };
