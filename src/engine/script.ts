import { expectedAfterHangUp } from '../contract/expectedAfterHangUp.ts';
import type { ExpectedEnd, StepAction, TestStep } from '../contract/testConfigs.ts';
import type { StepResult } from '../contract/testRuns.ts';
import { readMenu } from '../language/menu/readMenu.ts';
import { callBounds, ringSecondsAtMost } from '../model/callBudget.ts';
import { inFigures } from '../model/inFigures.ts';
import { masked } from '../model/masked.ts';
import { breaksOff } from '../model/breaksOff.ts';
import { expectsWords, similarity, type Similarity } from '../model/similarity.ts';
import { endingSince, endWords } from './callEnding.ts';
import type { HeardPart } from './callLog.ts';
import { deadAirReason } from './deadAir.ts';
import { HeldEvents } from './heldEvents.ts';
import { findRepeatedly, findSpoken, fillPlaceholders, missingPlaceholders } from './placeholders.ts';
import type { CallTestEnd, CallTestEvent } from './callTestEvent.ts';
import { TestCall } from './testCall.ts';
import type { OpenCall, TestCallOptions } from './testCall.ts';

export interface ScriptOptions extends TestCallOptions {
  readonly steps: readonly TestStep[];
  /** Values for `{column}`. */
  readonly row?: Readonly<Record<string, string>>;
}

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
const nothingExpected = 'There are no words in what this step expects. Write what must be heard; "*" alone is any words.';
const wordsOf = (text: string): number => text.split(/\s+/).length;
const endlessReason = `They did not stop speaking for ${String(callBounds.listening)} s, and what was expected was not heard.`;
const earlyReason = (call: TestCall): string => `Early hang-up: ${call.describeEnd()?.sentence ?? 'the call ended.'}`;
const pollMs = 100;
/** What is taken as secret of a step that was not reached: so many finds, and none shorter. */
const mostUncollected = 20, leastUncollected = 3;

/** Runs a scripted test: one call, step by step. Ends with the first step that fails, unless that is optional; a wrong timing alone does not end it. */
export function runScript(options: ScriptOptions): AsyncIterable<CallTestEvent> {
  const events = new HeldEvents(options.steps.some(isSecretCollect));
  const script = new Script(options, events);
  void script.run().catch((error: unknown) => script.brokenEnd(error)).then((ended) => {
    events.push({ type: 'ended', ended });
    events.close();
  });
  return events;
}

/** A failure with `stops` ends the test, also that of an optional step where it is `always`; one without, as of a wrong time alone, lets it go on. */
type StepEnd = Omit<StepResult, 'name' | 'optional'> & { readonly stops?: 'required' | 'always' };
const isSecretCollect = ({ secret, action }: TestStep): boolean => secret === true && action.type === 'collect';
const notReached: StepEnd = { outcome: 'INCONCLUSIVE', reason: 'Not reached.' };

class Script {
  readonly #options: ScriptOptions;
  readonly #events: HeldEvents;
  readonly #call: TestCall;
  readonly #values: Record<string, string>;
  /** As heard: masked wherever they are told, since a later step may learn what in them is secret. */
  readonly #results: StepResult[] = [];
  readonly #collected = new Set<TestStep>();
  /** What was said before this time (milliseconds of the call's audio) belongs to earlier steps. */
  #cursorMs = 0;
  /** When we last had pressed or said something. */
  #actedAtMs: number | undefined;
  #slowAnswer: string | undefined;

  constructor(options: ScriptOptions, events: HeldEvents) {
    this.#options = options;
    this.#events = events;
    this.#call = new TestCall(options, events);
    this.#values = { ...options.row };
    for (const { secret, action } of options.steps) if (secret === true) for (const text of textsOf(action)) this.#learnSecret(text);
  }

  async run(): Promise<CallTestEnd> {
    const { steps } = this.#options;
    const lastSecret = steps.findLastIndex(isSecretCollect);
    let failure: StepResult | undefined;
    let over = false;
    for (const [index, step] of steps.entries()) {
      const stepEnd: StepEnd = over ? notReached : await this.#unlessAborted(this.#step(step)).catch((error: unknown) => this.#broken(error));
      const { stops, ...end } = stepEnd;
      const failed = end.outcome === 'FAIL' || end.outcome === 'ERROR';
      const forgiven = failed && step.optional === true && stops !== 'always';
      const result: StepResult = { name: step.name, ...end, ...(forgiven && { optional: true }) };
      this.#results.push(result);
      this.#events.push({ type: 'step', index, result: this.#shown(result) });
      if (index === lastSecret && this.#collected.size === steps.filter(isSecretCollect).length) this.#release();
      if (!failed || forgiven) continue;
      over ||= stops !== undefined;
      failure ??= result;
    }
    const call = await this.#call.finish(() => {
      this.#learnUncollected();
      this.#release();
    });
    const told = failure && this.#shown(failure);
    return {
      outcome: told?.outcome ?? 'PASS', ...(told && { reason: `Step “${told.name}”: ${told.reason ?? 'failed.'}` }), steps: this.#results.map((result) => this.#shown(result)), ...call,
    };
  }

  brokenEnd(error: unknown): CallTestEnd {
    this.#learnUncollected();
    return { ...this.#call.brokenEnd(error), steps: this.#results.map((result) => this.#shown(result)) };
  }

  #release(): void {
    this.#events.release((event) => {
      if (event.type === 'step') return { ...event, result: this.#shown(this.#results[event.index] ?? event.result) };
      return event.type === 'turn' ? { ...event, turn: { ...event.turn, text: this.#call.mask.text(event.turn.text) } } : event;
    });
  }

  /** What a secret step would have collected stays secret where the test ended before it. */
  #learnUncollected(): void {
    const heard = this.#call.open?.log.heardSince(0).text ?? '';
    for (const step of this.#options.steps) {
      if (!isSecretCollect(step) || this.#collected.has(step) || step.action.type !== 'collect') continue;
      // A menu's keys are no secrets.
      const { pattern } = step.action;
      this.#call.addSecrets(...[heard, inFigures(heard)].flatMap((text) => findRepeatedly(pattern, text, mostUncollected)).filter(({ length }) => length >= leastUncollected));
    }
  }

  #broken(error: unknown): StepEnd {
    const { signal } = this.#call;
    return { outcome: 'ERROR', reason: signal.aborted ? String(signal.reason) : error instanceof Error ? error.message : String(error), stops: 'always' };
  }

  /** We hang up when we are cancelled, or out of time: that is no early hang-up of theirs. */
  async #unlessAborted(step: Promise<StepEnd>): Promise<StepEnd> {
    const end = await step;
    this.#call.signal.throwIfAborted();
    return end;
  }

  async #step(step: TestStep): Promise<StepEnd> {
    const { action } = step;
    const missing = missingPlaceholders([...textsOf(action), step.expectedTranscript ?? ''], this.#values);
    if (missing.length > 0) return { outcome: 'ERROR', reason: `There is no value for {${missing.join('}, {')}}: no column of the row, and nothing collected so far, has this name.`, stops: 'always' };
    if (step.expectedTranscript !== undefined && !expectsWords(fillPlaceholders(step.expectedTranscript, this.#values))) return { outcome: 'ERROR', reason: nothingExpected, stops: 'always' };
    if (action.type === 'hangUp') {
      await this.#call.open?.talk.hangUp();
      const [unheard] = expectedAfterHangUp(step);
      return unheard ? { outcome: 'ERROR', reason: unheard.message, stops: 'required' } : { outcome: 'PASS' };
    }
    const dialled = this.#call.open === undefined;
    const call = await this.#call.dial(ringSecondsAtMost([step]));
    if ('refused' in call) return { outcome: call.theirs ? 'FAIL' : 'ERROR', reason: call.refused.sentence, stops: 'always' };
    const { talk } = call;
    if (dialled && action.type === 'dial') this.#checkAnswer(step, talk.setupSeconds);
    if (talk.ended && action.type !== 'dial' && action.type !== 'expect' && action.type !== 'collect') return this.#endedBefore();
    const fromMs = await this.#act(call, action, step.secret === true) ?? this.#cursorMs;
    if (action.type === 'press' || action.type === 'say') {
      this.#cursorMs = this.#actedAtMs = fromMs;
      if (talk.ended && step.expectedTranscript === undefined && step.expectedEnd === undefined) return this.#endedBefore();
    }
    const heard = await this.#listen(call, step, fromMs);
    return step.expectedEnd === undefined || heard.outcome !== 'PASS' ? heard : this.#awaitEnd(call, step.expectedEnd, heard, fromMs);
  }

  async #listen(call: OpenCall, step: TestStep, fromMs: number): Promise<StepEnd> {
    const { action } = step;
    const { talk } = call;
    if (action.type === 'wait' && !await this.#waitFor(call, fromMs + action.seconds * 1000) && step.expectedTranscript === undefined && step.expectedEnd === undefined) return this.#endedEarly();
    await this.#awaitBeginning(call, step, fromMs);
    if (action.type === 'dial' && step.expectedTranscript === undefined) return this.#timed(step, { outcome: 'PASS', startMs: 0, endMs: 0 }, 0, 0);
    if (action.type === 'collect') return this.#timed(step, await this.#collect(call, action, step, fromMs), fromMs, talk.now());
    if (step.expectedTranscript !== undefined) return await this.#expect(call, step, fillPlaceholders(step.expectedTranscript, this.#values), fromMs, action.type === 'wait');
    if (action.type !== 'expect' || step.expectedEnd !== undefined) return this.#timed(step, { outcome: 'PASS', startMs: Math.round(fromMs) }, fromMs, talk.now());
    return this.#timed(step, await this.#hearAnything(call, fromMs), fromMs, talk.now());
  }

  /** What comes after the words: it may have begun while they were being understood. */
  async #awaitEnd({ talk, log }: OpenCall, expected: ExpectedEnd, heard: StepEnd, fromMs: number): Promise<StepEnd> {
    let end = endingSince(log, fromMs, expected);
    for (; end === undefined && talk.now() - fromMs <= patience.stepMs; end = endingSince(log, fromMs, expected)) await this.#call.next(pollMs);
    const told: StepEnd = { ...heard, endMs: Math.round(talk.now()) };
    if (end === expected) return told;
    const instead = end === undefined ? 'they went on speaking' : endWords[end];
    return { ...told, outcome: 'FAIL', reason: `The call ends in another way: expected was that ${endWords[expected]}, and ${instead}.`, stops: 'required' };
  }

  #checkAnswer({ timing }: TestStep, seconds: number): void {
    const within = timing?.answerWithinSeconds;
    if (within !== undefined && seconds > within) this.#slowAnswer = `The call was answered after ${seconds.toFixed(1)} s, not within ${String(within)} s.`;
  }

  /** Returns where in the call's audio the action ended; undefined for steps that only listen. */
  async #act({ talk, log }: OpenCall, action: StepAction, secret: boolean): Promise<number | undefined> {
    const startMs = talk.now();
    if (action.type === 'press') {
      const filled = fillPlaceholders(action.keys, this.#values);
      const keys = areKeys(filled) ? filled : fillPlaceholders(action.keys, inKeys(this.#values));
      if (!areKeys(keys)) throw new Error(secret ? 'The value is not made of keys.' : `“${filled}” is not made of keys: 0-9, *, # and commas.`);
      if (secret) this.#learnSecret(keys);
      await this.#call.press(keys);
      if (secret) this.#call.gaveSecret(startMs);
      log.did(secret ? `[keys ${masked}]` : `[keys ${keys}]`, startMs, talk.now());
    } else if (action.type === 'say') {
      const text = fillPlaceholders(action.text, this.#values);
      if (secret) this.#learnSecret(text);
      await talk.say(text);
      if (secret) this.#call.gaveSecret(startMs);
      log.did(secret ? masked : text, startMs, talk.now());
    } else if (action.type !== 'wait') return undefined;
    return talk.now();
  }

  /** Whether the call lasted so long. */
  async #waitFor({ talk, log }: OpenCall, untilMs: number): Promise<boolean> {
    while (!log.ended && talk.now() < untilMs) await this.#call.next(Math.min(pollMs, untilMs - talk.now()));
    return talk.now() >= untilMs;
  }

  /** A step that hears nothing more waits for the prompt whose beginning it bounds. */
  async #awaitBeginning({ talk, log }: OpenCall, { action, timing, expectedTranscript }: TestStep, fromMs: number): Promise<void> {
    const within = timing?.promptWithinSeconds;
    if (within === undefined || expectedTranscript !== undefined || action.type === 'collect') return;
    while (!log.ended && !log.begunSince(fromMs) && talk.heardMs() < fromMs + within * 1000 + patience.onsetLagMs) await this.#call.next(pollMs);
  }

  async #expect({ talk, log }: OpenCall, step: TestStep, expected: string, fromMs: number, onlyThen: boolean): Promise<StepEnd> {
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
      if (quietMs >= patience.afterMatchMs && wordsOf(heard.text) > wordsOf(expected) * 2 + patience.surplusWords) break;
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
      outcome: 'PASS', expectedTranscript: expected, transcript: heard.text, similarity: Math.round(match.score * 1000) / 1000,
      ...(words.length > 0 && { words }), startMs: Math.round(fromMs), endMs: Math.round(endMs),
    };
    this.#cursorMs = endMs;
    if (match.score >= step.passThreshold) return this.#timed(step, result, fromMs, endMs);
    return this.#timed(step, { ...result, outcome: 'FAIL', reason: endless ? endlessReason : this.#whyNot(step, heard.text, match, fromMs), stops: 'required' }, fromMs, talk.now());
  }

  /** Dead air, an early end and another menu each have their own words. */
  #whyNot(step: TestStep, heard: string, match: Similarity, fromMs: number): string {
    if (heard === '') return this.#whySilent(fromMs);
    const { score } = match;
    const other = score >= partOfIt ? undefined : this.#options.steps.find((one) => one !== step && one.expectedTranscript !== undefined && missingPlaceholders([one.expectedTranscript], this.#values).length === 0
      && similarity(fillPlaceholders(one.expectedTranscript, this.#values), heard).score >= Math.max(one.passThreshold, score + 0.2));
    if (other) return `Wrong menu: this is what step “${other.name}” expects.`;
    const figures = `similarity ${score.toFixed(2)} of the ${step.passThreshold.toFixed(2)} that are needed`;
    const early = this.#call.open?.log.ended !== undefined && breaksOff(match, wordsOf(heard));
    return early ? `Early hang-up: the call ended before the expected words were heard (${figures}).` : `Other words than expected were heard (${figures}).`;
  }

  /** No words were heard from then on. */
  #whySilent(fromMs: number): string {
    const { talk, log } = this.#call.open ?? {};
    if (!talk || !log || log.ended) return earlyReason(this.#call);
    return log.spokeSince(fromMs) ? 'Somebody spoke, but no words were made out.' : deadAirReason(talk, patience.deadAirMs / 1000);
  }

  #endedEarly(): StepEnd {
    return { outcome: 'FAIL', reason: earlyReason(this.#call), stops: 'required' };
  }

  /** It could not be done any more. */
  #endedBefore(): StepEnd {
    return { outcome: 'FAIL', reason: `The call had ended before this was done: ${this.#call.describeEnd()?.sentence ?? 'it is over.'} Where the system is to hang up, give the step before an "expectedEnd".`, stops: 'required' };
  }

  /** A step that only listens, for whatever is said. */
  async #hearAnything({ talk, log }: OpenCall, fromMs: number): Promise<StepEnd> {
    while (!log.ended && talk.now() - fromMs <= patience.stepMs && log.quietMs(fromMs) < (log.spokeSince(fromMs) ? patience.afterMatchMs * 2 : patience.deadAirMs)) await this.#call.next(pollMs);
    const heard = log.heardSince(fromMs);
    this.#cursorMs = heard.endMs;
    const words = toldWords(heard);
    if (heard.text !== '') return { outcome: 'PASS', transcript: heard.text, ...(words.length > 0 && { words }), startMs: Math.round(fromMs), endMs: Math.round(heard.endMs) };
    return { outcome: 'FAIL', reason: this.#whySilent(fromMs), stops: 'required' };
  }

  async #collect({ talk, log }: OpenCall, { name, pattern }: Extract<StepAction, { type: 'collect' }>, step: TestStep, fromMs: number): Promise<StepEnd> {
    let searched: string | undefined;
    for (;;) {
      const heard = log.heardSince(fromMs);
      const quietMs = log.settledMs(fromMs);
      const over = log.ended !== undefined || talk.now() - fromMs > patience.stepMs || quietMs >= (log.spokeSince(fromMs) ? patience.afterAnswerMs : patience.deadAirMs);
      // Looked for anew only in what is new: a pattern may take its time.
      const found = (quietMs >= patience.afterMatchMs || over) && heard.text !== searched ? findSpoken(pattern, searched = heard.text) : undefined;
      if (found !== undefined) {
        this.#values[name] = found;
        if (step.secret === true) {
          this.#learnSecret(found);
          this.#collected.add(step);
        }
        this.#cursorMs = heard.endMs;
        return { outcome: 'PASS', transcript: heard.text, startMs: Math.round(fromMs), endMs: Math.round(heard.endMs) };
      }
      if (over) {
        if (heard.text === '') return { outcome: 'FAIL', reason: this.#whySilent(fromMs), stops: 'required' };
        return { outcome: 'FAIL', reason: `What was heard holds nothing that fits the pattern of “${name}”.`, transcript: heard.text, stops: 'required' };
      }
      await this.#call.next(pollMs);
    }
  }

  /** Adds what was measured, and fails a step that is right in words and wrong in time. */
  #timed(step: TestStep, end: StepEnd, fromMs: number, toMs: number): StepEnd {
    const log = this.#call.open?.log;
    const { promptWithinSeconds, silenceAtMostSeconds } = step.timing ?? {};
    const listens = step.expectedTranscript !== undefined || step.action.type === 'expect' || step.action.type === 'collect' || promptWithinSeconds !== undefined;
    const latencyMs = listens ? log?.latencyMs(fromMs, fromMs === this.#actedAtMs) : undefined;
    const told: StepEnd = { ...end, ...(latencyMs !== undefined && { latencyMs }) };
    if (told.outcome !== 'PASS') return told;
    const late: string[] = this.#slowAnswer === undefined ? [] : [this.#slowAnswer];
    this.#slowAnswer = undefined;
    if (promptWithinSeconds !== undefined && log?.begunSince(fromMs) === false) late.push(`Nothing was said within ${String(promptWithinSeconds)} s.`);
    if (promptWithinSeconds !== undefined && latencyMs !== undefined && latencyMs > promptWithinSeconds * 1000) late.push(`The answer began after ${(latencyMs / 1000).toFixed(1)} s, not within ${String(promptWithinSeconds)} s.`);
    if (silenceAtMostSeconds !== undefined && log) {
      const silence = log.longestSilence(fromMs, toMs) / 1000;
      if (silence > silenceAtMostSeconds) late.push(`There was a silence of ${silence.toFixed(1)} s; ${String(silenceAtMostSeconds)} s are allowed.`);
    }
    return late.length === 0 ? told : { ...told, outcome: 'FAIL', reason: late.join(' ') };
  }

  #endOf(heard: HeardPart, lastWord: number): number {
    // Words are aligned where they could be; an utterance without times counts as a whole.
    const words = heard.text.split(/\s+/).filter((word) => word !== '');
    return heard.words.length === words.length ? heard.words[Math.max(0, lastWord - 1)]?.endMs ?? heard.endMs : heard.endMs;
  }

  /** A result with everything masked that is known to be secret by now. */
  #shown({ expectedTranscript, transcript, reason, words, ...result }: StepResult): StepResult {
    const { mask } = this.#call;
    const parts = this.#call.partsAt(result.startMs, result.endMs);
    const hidden = mask.hidden(words?.map(({ word }) => word) ?? [], parts);
    const shown = words?.filter((_word, index) => !hidden.has(index)) ?? [];
    return {
      ...result, ...(expectedTranscript !== undefined && { expectedTranscript: mask.text(expectedTranscript) }), ...(transcript !== undefined && { transcript: mask.text(transcript, parts) }),
      ...(reason !== undefined && { reason: mask.text(reason) }), ...(shown.length > 0 && { words: shown }),
    };
  }

  /** The text with its values, and the values by themselves. */
  #learnSecret(text: string): void {
    this.#call.addSecrets(fillPlaceholders(text, this.#values), ...Object.entries(this.#values).flatMap(([column, value]) => (text.includes(`{${column}}`) ? [value] : [])));
  }
}

const areKeys = (text: string): boolean => /^[0-9*#,]+$/.test(text);
/** As they are pressed where they were collected as words: "four seven" is 47. */
const inKeys = (values: Readonly<Record<string, string>>): Record<string, string> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inFigures(value).replaceAll(/[\s.-]/g, '')]));
const textsOf = (action: StepAction): string[] => (action.type === 'press' ? [action.keys] : action.type === 'say' ? [action.text] : []);
const toldWords = ({ words }: HeardPart): NonNullable<StepResult['words']> => words.map(({ text, startMs, endMs }) => ({ word: text, startMs: Math.round(startMs), endMs: Math.round(endMs) }));
