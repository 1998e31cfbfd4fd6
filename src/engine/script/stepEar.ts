import type { ExpectedEnd, StepAction, TestStep } from '../../contract/testConfigs.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { breaksOff } from '../../model/breaksOff.ts';
import { callBounds } from '../../model/callBudget.ts';
import { similarity, type Similarity } from '../../model/similarity.ts';
import { endingSince, endWords } from '../callEnding.ts';
import type { HeardPart } from '../callLog.ts';
import { deadAirReason } from '../deadAir.ts';
import { findSpoken, fillPlaceholders, missingPlaceholders } from '../placeholders.ts';
import type { OpenCall, TestCall } from '../testCall.ts';
import { failedEnd } from './stepEnd.ts';
import type { StepEnd } from './stepEnd.ts';

/** What is waited for, in milliseconds. */
const patience = {
  /** Silence behind an answer that is not (yet) the expected one: systems look things up before they go on. */
  afterAnswerMs: 5000,
  /** Silence behind other words than expected that offer keys: such a menu waits for one, and only repeats itself. */
  afterMenuMs: 2000,
  /** Silence behind the expected words. */
  afterMatchMs: 700,
  /** From the end of what we did to the first sound. */
  deadAirMs: 10_000,
  stepMs: callBounds.listening * 1000,
  /** A sound is known to be speech so much later. */
  onsetLagMs: 500,
  /** So much more was said than is expected: what is expected does not come any more. */
  surplusWords: 80,
} as const;
/** A whole match needs no pause behind it. */
const certain = 0.98;
/** So alike, words are the expected ones, badly said or heard. */
const partOfIt = 0.5;
const pollMs = 100;
const wordsOf = (text: string): number => text.split(/\s+/).length;
const endlessReason = `They did not stop speaking for ${String(callBounds.listening)} s, and what was expected was not heard.`;

export interface StepEarOptions {
  readonly call: TestCall;
  readonly steps: readonly TestStep[];
  /** Of the row, and what was collected so far. */
  readonly values: Readonly<Record<string, string>>;
  readonly onCollected: (step: TestStep, name: string, value: string) => void;
}

/** Hears what the steps of a script expect, each behind what earlier ones heard, and measures how long it took. */
export class StepEar {
  readonly #options: StepEarOptions;
  readonly #call: TestCall;
  /** What was said before this time (milliseconds of the call's audio) belongs to earlier steps. */
  #cursorMs = 0;
  /** When we last had pressed or said something. */
  #actedAtMs: number | undefined;
  #slowAnswer: string | undefined;
  /** Where what the last step heard ended; undefined where nobody waits for us behind it. */
  #answeringMs: number | undefined;

  constructor(options: StepEarOptions) {
    this.#options = options;
    this.#call = options.call;
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
      return await this.#expect(
        call,
        step,
        fillPlaceholders(step.expectedTranscript, this.#options.values),
        fromMs,
        action.type === 'wait',
      );
    if (action.type !== 'expect' || step.expectedEnd !== undefined)
      return this.#timed(step, { outcome: 'PASS', startMs: Math.round(fromMs) }, fromMs, talk.now());
    return this.#timed(step, await this.#hearAnything(call, fromMs), fromMs, talk.now());
  }

  /** What comes after the words: it may have begun while they were being understood. */
  async #awaitEnd({ talk, log }: OpenCall, expected: ExpectedEnd, heard: StepEnd, fromMs: number): Promise<StepEnd> {
    let end = endingSince(log, fromMs, expected);
    for (; end === undefined && talk.now() - fromMs <= patience.stepMs; end = endingSince(log, fromMs, expected))
      await this.#call.next(pollMs);
    const told: StepEnd = { ...heard, endMs: Math.round(talk.now()) };
    if (end === expected) return told;
    const instead = end === undefined ? 'they went on speaking' : endWords[end];
    return {
      ...told,
      ...failedEnd(`The call ends in another way: expected was that ${endWords[expected]}, and ${instead}.`),
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
    while (!log.ended && !log.begunSince(fromMs) && talk.heardMs() < fromMs + within * 1000 + patience.onsetLagMs)
      await this.#call.next(pollMs);
  }

  async #expect(
    { talk, log }: OpenCall,
    step: TestStep,
    expected: string,
    fromMs: number,
    onlyThen: boolean,
  ): Promise<StepEnd> {
    let heard = log.heardSince(fromMs);
    let seen: string | undefined;
    let isCut = false;
    let match = similarity(expected, '');
    let menu: { readonly of: string; readonly offersKeys: boolean } | undefined;
    let endless = false;
    for (;;) {
      // A key cuts a prompt off, and may leave half a word of it in front of the answer: "nine" becomes "no".
      const [whole, behind] = [log.heardSince(fromMs), log.heardSince(fromMs, 0)];
      if (`${whole.text}\n${behind.text}` !== seen) {
        seen = `${whole.text}\n${behind.text}`;
        match = similarity(expected, whole.text);
        const cut = behind.text === whole.text ? match : similarity(expected, behind.text);
        isCut = cut.score > match.score;
        if (isCut) match = cut;
      }
      heard = isCut ? behind : whole;
      if (onlyThen && log.quietMs(fromMs) > 0) break;
      const quietMs = log.settledMs(fromMs);
      if (match.score >= certain && quietMs > 0) break;
      if (match.score >= step.passThreshold && quietMs >= patience.afterMatchMs) break;
      if (log.ended) break;
      if (talk.now() - fromMs > patience.stepMs) {
        endless = quietMs === 0;
        break;
      }
      if (quietMs >= patience.afterMatchMs && wordsOf(heard.text) > wordsOf(expected) * 2 + patience.surplusWords)
        break;
      if (log.spokeSince(fromMs) ? quietMs >= patience.afterAnswerMs : quietMs >= patience.deadAirMs) break;
      if (quietMs >= patience.afterMenuMs) {
        // Read once: nothing new is said while it is quiet.
        if (menu?.of !== heard.text) menu = { of: heard.text, offersKeys: readMenu(heard.text).options.length > 0 };
        if (menu.offersKeys) break;
      }
      await this.#call.next(pollMs);
    }
    const endMs = this.#endOf(heard, match.window.end);
    const words = toldWords(heard);
    const result: StepEnd = {
      outcome: 'PASS',
      expectedTranscript: expected,
      transcript: heard.text,
      similarity: Math.round(match.score * 1000) / 1000,
      ...(words.length > 0 && { words }),
      startMs: Math.round(fromMs),
      endMs: Math.round(endMs),
    };
    this.#cursorMs = endMs;
    if (match.score < step.passThreshold)
      return this.#timed(
        step,
        { ...result, ...failedEnd(endless ? endlessReason : this.#whyNot(step, heard.text, match, fromMs)) },
        fromMs,
        talk.now(),
      );
    this.#answeringMs = heard.endMs;
    return this.#timed(step, result, fromMs, endMs);
  }

  /** Dead air, an early end and another menu each have their own words. */
  #whyNot(step: TestStep, heard: string, match: Similarity, fromMs: number): string {
    if (heard === '') return this.#whySilent(fromMs);
    const { score } = match;
    const other =
      score >= partOfIt
        ? undefined
        : this.#options.steps.find(
            (one) =>
              one !== step &&
              one.expectedTranscript !== undefined &&
              missingPlaceholders([one.expectedTranscript], this.#options.values).length === 0 &&
              similarity(fillPlaceholders(one.expectedTranscript, this.#options.values), heard).score >=
                Math.max(one.passThreshold, score + 0.2),
          );
    if (other) return `Wrong menu: this is what step “${other.name}” expects.`;
    const figures = `similarity ${score.toFixed(2)} of the ${step.passThreshold.toFixed(2)} that are needed`;
    const early = this.#call.open?.log.ended !== undefined && breaksOff(match, wordsOf(heard));
    return early
      ? `Early hang-up: the call ended before the expected words were heard (${figures}).`
      : `Other words than expected were heard (${figures}).`;
  }

  /** No words were heard from then on. */
  #whySilent(fromMs: number): string {
    const { talk, log } = this.#call.open ?? {};
    if (!talk || !log || log.ended) return this.#earlyReason();
    this.#call.lateness.behind(log.unreadMs);
    return log.spokeSince(fromMs)
      ? 'Somebody spoke, but no words were made out.'
      : deadAirReason(talk, patience.deadAirMs / 1000);
  }

  /** A step that only listens, for whatever is said. */
  async #hearAnything({ talk, log }: OpenCall, fromMs: number): Promise<StepEnd> {
    while (
      !log.ended &&
      talk.now() - fromMs <= patience.stepMs &&
      log.quietMs(fromMs) < (log.spokeSince(fromMs) ? patience.afterMatchMs * 2 : patience.deadAirMs)
    )
      await this.#call.next(pollMs);
    const heard = log.heardSince(fromMs);
    this.#cursorMs = this.#answeringMs = heard.endMs;
    const words = toldWords(heard);
    if (heard.text !== '')
      return {
        outcome: 'PASS',
        transcript: heard.text,
        ...(words.length > 0 && { words }),
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
        talk.now() - fromMs > patience.stepMs ||
        quietMs >= (log.spokeSince(fromMs) ? patience.afterAnswerMs : patience.deadAirMs);
      // Looked for anew only in what is new: a pattern may take its time.
      const found =
        (quietMs >= patience.afterMatchMs || over) && heard.text !== searched
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
          ...failedEnd(`What was heard holds nothing that fits the pattern of “${name}”.`),
          transcript: heard.text,
        };
      }
      await this.#call.next(pollMs);
    }
  }

  /** Adds what was measured, and fails a step that is right in words and wrong in time. */
  #timed(step: TestStep, end: StepEnd, fromMs: number, toMs: number): StepEnd {
    const log = this.#call.open?.log;
    const { promptWithinSeconds, silenceAtMostSeconds } = step.timing ?? {};
    const listens =
      step.expectedTranscript !== undefined ||
      step.action.type === 'expect' ||
      step.action.type === 'collect' ||
      promptWithinSeconds !== undefined;
    const latencyMs = listens ? log?.latencyMs(fromMs, fromMs === this.#actedAtMs) : undefined;
    const told: StepEnd = { ...end, ...(latencyMs !== undefined && { latencyMs }) };
    if (told.outcome !== 'PASS') return told;
    const late: string[] = this.#slowAnswer === undefined ? [] : [this.#slowAnswer];
    this.#slowAnswer = undefined;
    if (promptWithinSeconds !== undefined && log?.begunSince(fromMs) === false)
      late.push(`Nothing was said within ${String(promptWithinSeconds)} s.`);
    if (promptWithinSeconds !== undefined && latencyMs !== undefined && latencyMs > promptWithinSeconds * 1000)
      late.push(
        `The answer began after ${(latencyMs / 1000).toFixed(1)} s, not within ${String(promptWithinSeconds)} s.`,
      );
    if (silenceAtMostSeconds !== undefined && log) {
      const silence = log.longestSilence(fromMs, toMs) / 1000;
      if (silence > silenceAtMostSeconds)
        late.push(`There was a silence of ${silence.toFixed(1)} s; ${String(silenceAtMostSeconds)} s are allowed.`);
    }
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

const toldWords = ({ words }: HeardPart): NonNullable<StepResult['words']> =>
  words.map(({ text, startMs, endMs }) => ({ word: text, startMs: Math.round(startMs), endMs: Math.round(endMs) }));
