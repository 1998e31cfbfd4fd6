import type { Check } from '../../contract/checks.ts';
import { expectedAfterHangUp } from '../../contract/expectedAfterHangUp.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { StepAction, TestStep } from '../../contract/testConfigs.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import { ringSecondsAtMost } from '../../model/calls/callBudget.ts';
import { inFigures } from '../../model/numbers/inFigures.ts';
import { masked } from '../../model/secrets/secretMask.ts';
import { actionTextsOf } from '../../model/secrets/secretSteps.ts';
import { verdictOutcomes } from '../../model/checks/outcomes.ts';
import { describeCheck } from '../../model/checks/describeCheck.ts';
import { evaluate, worstOf } from '../../language/checks/evaluate.ts';
import { hearCall, type StepOnCall } from '../../language/checks/heardCall.ts';
import { expectsWords } from '../../model/heard/similarity.ts';
import type { CallTestEnd, CallTestEvent } from '../call/callTestEvent.ts';
import { streamUntilClosed } from '../eventStream.ts';
import { excused } from '../hearing/lateness.ts';
import { fillPlaceholders } from '../../model/tests/columnUse.ts';
import { missingPlaceholders } from './placeholders.ts';
import type { Clock } from '../../base/clock.ts';
import {
  because,
  failure as failureOf,
  join,
  reasonOf,
  sentence,
  sentencesOf,
  type Sentences,
} from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { SendDigitsOptions } from '../../telephony/call.ts';
import type { AudioSpan } from '../call/callAudio.ts';
import { whyNotSent, type Deed, type Refused } from '../call/door.ts';
import { sentencesOfEnd } from '../../model/calls/sentencesOfEnd.ts';
import { TestCall } from '../call/testCall.ts';
import type { OpenCall, TestCallOptions } from '../call/testCall.ts';
import { HeldEvents } from './heldEvents.ts';
import { ScriptSecrets } from './scriptSecrets.ts';
import { errorEnd, failedEnd, notReachedEnd } from './stepEnd.ts';
import type { StepEnd } from './stepEnd.ts';
import { StepEar } from './stepEar.ts';

interface ScriptOptions extends TestCallOptions {
  readonly steps: readonly TestStep[];
  /** Values for `{column}`. */
  readonly row?: Readonly<Record<string, string>> | undefined;
  /** Called with each value that a step collects, unmasked. */
  readonly onCollected?: (name: string, value: string) => void;
  /** Gives further steps while the call is up. Until the call ends, the script waits for them after its own steps. */
  readonly guide?: ScriptGuide | undefined;
}

/** The steps that a guided test is given during its call. */
export interface ScriptGuide {
  /** Returns the next step, once; undefined if none has been given yet. */
  take(): TestStep | undefined;
  /** `wake` is called whenever a step has been given. Returns a function that ends it. */
  listen(wake: () => void): () => void;
}

const { idleSeconds } = serverLimits.guided;
const idleReason = sentence`No step was given for ${idleSeconds} s, so Dialtree hung up.`;

const nothingExpected = sentence`This step's expected transcript has no words. Write what must be heard, or "*" for any words.`;

/**
 * Runs a scripted test: one call, step by step. Ends with the first step that fails, unless that is optional. Wrong
 * timing alone doesn't end it. If the reader stops reading, the call is hung up. With a guide, a failed step doesn't
 * end the call, but the rest of the test's own steps isn't carried out.
 */
export function runScript(options: ScriptOptions): AsyncIterable<CallTestEvent> {
  const events = new HeldEvents(ScriptSecrets.comeLate(options.steps));
  return streamUntilClosed(events, options.signal, async (signal) => {
    const script = new Script({ ...options, signal }, events);
    const ended = await script.run().catch((cause: unknown) => script.brokenEnd(cause));
    events.push({ type: 'ended', ended });
  });
}

/** Why a guided test ended between two steps. */
type WaitEnd = Partial<Pick<CallTestEnd, 'outcome' | 'reason' | 'reasonParts'>>;

class Script {
  /** The test's own steps, then those that were given. */
  readonly #steps: TestStep[];
  readonly #guide: ScriptGuide | undefined;
  readonly #clock: Clock;
  readonly #events: HeldEvents;
  readonly #call: TestCall;
  readonly #ear: StepEar;
  readonly #secrets: ScriptSecrets;
  readonly #values: Record<string, string>;
  /** As heard. They are masked when they are reported, because a later step can reveal that a part is secret. */
  readonly #results: StepResult[] = [];
  readonly #onCall = new Map<string, StepOnCall>();
  /** The last words that were reported before their utterance was over. */
  #hearing = '';

  constructor(options: ScriptOptions, events: HeldEvents) {
    this.#steps = [...options.steps];
    this.#guide = options.guide;
    this.#clock = options.clock;
    this.#events = events;
    this.#call = new TestCall(options, events);
    this.#values = { ...options.row };
    this.#secrets = new ScriptSecrets(this.#call, this.#steps, this.#values);
    this.#ear = new StepEar({
      call: this.#call,
      steps: this.#steps,
      values: this.#values,
      onCollected: (step, name, value) => {
        this.#values[name] = value;
        this.#secrets.learnCollected(step, value);
        options.onCollected?.(name, value);
      },
    });
  }

  async run(): Promise<CallTestEnd> {
    let failure: StepResult | undefined;
    let over = false;
    let waitEnd: WaitEnd | undefined;
    for (let index = 0; ; index += 1) {
      const isGiven = index >= this.#steps.length;
      if (isGiven) waitEnd = await this.#awaitStep();
      const step = this.#steps[index];
      if (!step) break;
      const stepEnd: StepEnd =
        over && !isGiven
          ? notReachedEnd
          : this.#explained(await this.#unlessAborted(this.#step(step)).catch((cause: unknown) => this.#broken(cause)));
      const { stops, ...end } = stepEnd;
      const failed = end.outcome !== 'PASS' && stepEnd !== notReachedEnd;
      const forgiven = failed && step.optional === true && stops !== 'always';
      const result: StepResult = { name: step.name, ...end, ...(forgiven && { optional: true }) };
      this.#results.push(result);
      this.#events.push({ type: 'step', index, result: this.#secrets.shown(result) });
      if (this.#secrets.areKnownAfter(index)) this.#release();
      if (!failed || forgiven) continue;
      over ||= stops !== undefined;
      failure ??= result;
    }
    const call = await this.#call.finish(() => {
      this.#secrets.learnUncollected();
      this.#release();
    });
    const shownFailure = failure && this.#secrets.shown(failure);
    return {
      outcome: 'PASS',
      ...waitEnd,
      ...(shownFailure && {
        outcome: shownFailure.outcome,
        ...because(join(sentence`Step “${shownFailure.name}”:`, reasonOf(shownFailure) ?? stepFailed)),
      }),
      steps: this.#shown(),
      ...call,
    };
  }

  /**
   * Waits for the next step, and adds it to the steps. Notes what is said meanwhile. If no step comes any more, returns
   * why, unless the call has ended.
   */
  async #awaitStep(): Promise<WaitEnd | undefined> {
    const guide = this.#guide;
    const { open } = this.#call;
    if (!guide || !open) return undefined;
    // The guide decides by what was heard, so it isn't held back any longer.
    this.#secrets.learnUncollected();
    this.#release();
    const untilMs = this.#clock.now() + idleSeconds * 1000;
    const stop = guide.listen(() => open.log.wake());
    try {
      for (;;) {
        this.#call.signal.throwIfAborted();
        // After the called side has hung up, steps can still expect its words.
        const step = open.call.ended?.by === 'local' ? undefined : guide.take();
        if (step) {
          this.#steps.push(step);
          this.#secrets.expect(step);
          this.#ear.given(open.call.now());
          if (ScriptSecrets.comeLate([step])) this.#events.hold();
          return undefined;
        }
        if (open.call.ended) return undefined;
        const leftMs = untilMs - this.#clock.now();
        if (leftMs <= 0) return because(idleReason);
        await open.next(leftMs);
        const { hearing } = this.#call;
        if (hearing !== this.#hearing) this.#events.push({ type: 'hearing', text: (this.#hearing = hearing) });
      }
    } catch (cause) {
      return { outcome: 'ERROR', ...because(this.#call.whyBroken(cause)) };
    } finally {
      stop();
    }
  }

  brokenEnd(cause: unknown): CallTestEnd {
    this.#secrets.learnUncollected();
    return { ...this.#call.brokenEnd(cause), steps: this.#shown() };
  }

  #shown(): StepResult[] {
    return this.#results.map((result) => this.#secrets.shown(result));
  }

  #release(): void {
    if (this.#events.isHeld) this.#call.quietSoFar();
    this.#events.release((event) => {
      if (event.type === 'step')
        return { ...event, result: this.#secrets.shown(this.#results[event.index] ?? event.result) };
      return event.type === 'turn'
        ? { ...event, turn: { ...event.turn, text: this.#call.mask.text(event.turn.text) } }
        : event;
    });
  }

  #broken(cause: unknown): StepEnd {
    return errorEnd(this.#call.whyBroken(cause));
  }

  /** Says why Dialtree or its keys may be to blame for a failure. */
  #explained(end: StepEnd): StepEnd {
    const trouble = end.outcome === 'FAIL' ? this.#call.open?.call.keyTrouble() : undefined;
    return this.#excused(
      trouble === undefined ? end : { ...end, ...because(join(reasonOf(end) ?? stepFailed, sentencesOf(trouble))) },
    );
  }

  #excused(end: StepEnd): StepEnd {
    const result = excused(end, this.#call.lateness.excuse);
    // The time distinguishes it from a step that wasn't reached.
    return result === end ? end : { startMs: Math.round(this.#call.open?.call.now() ?? 0), ...result };
  }

  /** Dialtree hangs up if the run is cancelled or out of time, which isn't an early hang-up by the called side. */
  async #unlessAborted(step: Promise<StepEnd>): Promise<StepEnd> {
    const end = await step;
    this.#call.signal.throwIfAborted();
    return end;
  }

  async #step(step: TestStep): Promise<StepEnd> {
    const { action } = step;
    const impossible = this.#whyImpossible(step);
    if (impossible !== undefined) return errorEnd(impossible);
    if (action.type === 'hangUp') return this.#hangUp(step);
    const dialled = this.#call.open === undefined;
    const call = await this.#call.dial(ringSecondsAtMost([step]));
    const early = dialled ? await this.#ear.heardEarly(step) : undefined;
    if ('refused' in call) {
      const isExpected =
        early?.outcome === 'PASS' &&
        (step.expectedEnd ?? 'hangup') === 'hangup' &&
        step.timing?.answerWithinSeconds === undefined;
      return isExpected
        ? early
        : {
            ...early,
            outcome: call.theirs || early?.transcript !== undefined ? 'FAIL' : 'ERROR',
            ...because(join(early && reasonOf(early), sentencesOfEnd(call.refused))),
            stops: 'always',
          };
    }
    if (early?.outcome === 'FAIL') return early;
    if (dialled && action.type === 'dial') this.#ear.answered(step, call.call.setupSeconds);
    return { ...early, ...(await this.#actAndListen(call, step)) };
  }

  /** Returns why a step isn't possible with the current values. */
  #whyImpossible({
    action,
    heardBeforeAnswer,
    expectedTranscript = heardBeforeAnswer,
  }: TestStep): Sentences | undefined {
    const missing = missingPlaceholders([...actionTextsOf(action), expectedTranscript ?? ''], this.#values);
    if (missing.length > 0)
      return sentence`${`{${missing.join('}, {')}}`} has no value: neither a column of the row nor an earlier collect step has this name.`;
    return expectedTranscript === undefined || expectsWords(fillPlaceholders(expectedTranscript, this.#values))
      ? undefined
      : nothingExpected;
  }

  async #hangUp(step: TestStep): Promise<StepEnd> {
    await this.#call.open?.call.hangUp();
    const [unheard] = expectedAfterHangUp(step);
    return unheard
      ? { outcome: 'ERROR', ...because(sentencesOf(unheard.message)), stops: 'required' }
      : { outcome: 'PASS' };
  }

  async #actAndListen(call: OpenCall, step: TestStep): Promise<StepEnd> {
    const { call: active } = call;
    const { action, secret = false } = step;
    const sends = action.type === 'press' || action.type === 'say';
    const startMs = active.now();
    if (sends) this.#ear.acts(active.now());
    if (active.ended && (sends || action.type === 'wait')) return this.#endedBefore();
    let doneMs = action.type === 'wait' ? active.now() : undefined;
    if (sends) {
      const sent = await this.#act(call, this.#deedOf(action, secret), secret, digitsOf(action));
      if ('because' in sent) return this.#notSent(sent);
      doneMs = sent.endMs;
      this.#ear.acted(doneMs);
      if (active.ended && step.expectedTranscript === undefined && step.expectedEnd === undefined)
        return this.#endedBefore();
    }
    const holds = action.type === 'wait' && action.onHold === true;
    if (holds && !(await active.hold(true))) return active.ended ? this.#endedBefore() : holdRefused;
    const end = await this.#ear.listen(call, listening(step), doneMs);
    if (holds && !(await active.hold(false)) && !active.ended) return resumeRefused;
    call.door.hear();
    const actedMs = action.type === 'dial' ? 0 : (doneMs ?? startMs);
    this.#onCall.set(step.name, { startMs, actionMs: startMs, actedMs, reached: true });
    return step.checks && end.outcome === 'PASS' ? this.#check(call, step.name, step.checks, end) : end;
  }

  /** A check of a step is about what follows its action, unless it names another part of the call. */
  #check({ call: active, log }: OpenCall, name: string, checks: readonly Check[], end: StepEnd): StepEnd {
    const placed = checks.map((check): Check => (check.when ? check : { ...check, when: { after: name } }));
    const results = evaluate(
      placed,
      hearCall({
        turns: log.turns,
        steps: this.#onCall,
        end: this.#call.describeEnd(),
        lastedMs: active.now(),
        postDialMs: active.setupSeconds * 1000,
        speaksAt: (atMs) => log.speaksAt(atMs),
        onsetAfter: (fromMs) => log.onsetAfter(fromMs),
        isWhole: true,
      }),
    );
    const verdict = worstOf(results.map((one) => one.verdict));
    const index = results.findIndex((one) => one.verdict === verdict);
    const [check, result] = [checks[index], results[index]];
    if (verdict === 'pass' || !check || !result) return end;
    const why = join(sentence`“${check.name ?? String(describeCheck(check))}”:`, result.why);
    const [shown] = result.evidence;
    return {
      ...end,
      ...(shown && { transcript: shown.quote, startMs: shown.startMs, endMs: shown.endMs }),
      ...(verdict === 'fail' ? failedEnd(why) : { outcome: verdictOutcomes[verdict], ...because(why) }),
    };
  }

  #deedOf(action: Extract<StepAction, { type: 'press' | 'say' }>, secret: boolean): Deed {
    const deed: Deed =
      action.type === 'press'
        ? { press: this.#keysOf(action.keys, secret) }
        : { say: fillPlaceholders(action.text, this.#values) };
    if (secret) this.#secrets.learn('press' in deed ? deed.press : deed.say);
    return deed;
  }

  #act(call: OpenCall, deed: Deed, secret: boolean, digits: SendDigitsOptions): Promise<AudioSpan | Refused> {
    const hidden = 'press' in deed ? { press: masked } : { say: masked };
    return this.#call.act(call, deed, { isSecret: secret, shown: secret ? hidden : deed, digits });
  }

  #notSent(refused: Refused): StepEnd {
    if (refused.because === 'ended') return this.#endedBefore();
    if (refused.because === 'forbidden') throw failureOf(whyNotSent(refused));
    return { outcome: 'INCONCLUSIVE', ...because(whyNotSent(refused)), stops: 'always' };
  }

  /** @throws Error if a key doesn't exist. It names the keys unless they are secret */
  #keysOf(template: string, secret: boolean): string {
    const filled = fillPlaceholders(template, this.#values);
    const keys = areKeys(filled) ? filled : fillPlaceholders(template, inKeys(this.#values));
    if (areKeys(keys)) return keys;
    throw failureOf(
      secret
        ? sentence`The value contains characters that aren't keys. Use 0-9, *, # and commas.`
        : sentence`“${filled}” contains characters that aren't keys. Use 0-9, *, # and commas.`,
    );
  }

  /** The call ended before the action. */
  #endedBefore(): StepEnd {
    return failedEnd(
      join(
        sentence`The call ended before this step:`,
        this.#call.whyEnded(),
        sentence`If the system is supposed to hang up, give the previous step an "expectedEnd".`,
      ),
    );
  }
}

/** A step that has only checks listens until the called side has finished. */
const listening = (step: TestStep): TestStep =>
  step.checks && step.expectedTranscript === undefined && step.expectedEnd === undefined
    ? { ...step, expectedTranscript: '*' }
    : step;

/** How the keys of a step are sent. */
const digitsOf = (action: StepAction): SendDigitsOptions =>
  action.type === 'press'
    ? withoutUndefined({ toneMs: action.keyToneMs, gapMs: action.keyGapMs, via: action.dtmf })
    : {};

const holdRefused = failedEnd(sentence`The called side refused to be put on hold.`);
const resumeRefused = failedEnd(sentence`The called side refused to resume the call after the hold.`);
const stepFailed = sentence`The step failed.`;
const areKeys = (text: string): boolean => /^[0-9*#,]+$/.test(text);
/** Returns values as keys: "four seven" becomes 47. */
const inKeys = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inFigures(value).replaceAll(/[\s.-]/g, '')]));
