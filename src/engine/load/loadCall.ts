import type { CallEnd, CallLeg, SipAgent } from '../../telephony/call.ts';
import type { Clock } from '../../base/clock.ts';
import { Timers } from '../../telephony/sip/timers.ts';
import { createDialer } from '../call/conversation.ts';
import { callingAs } from '../call/activeCall.ts';
import { CallTimes } from './callTimes.ts';
import { carryOut } from './carryOut.ts';
import type { ExampleTape, ExampleTapes } from './exampleTape.ts';
import { brokenTest, holdOver } from './loadCaller.ts';
import type { CallPlan, LoadCallListener, LoadScript, LoadTestResult } from './loadCaller.ts';
import { lossShare } from './loadTally.ts';
import type { Later } from './spareTime.ts';
import { referenceSpeech } from './referenceEar.ts';

interface LoadCallParts {
  readonly agent: SipAgent;
  readonly clock: Clock;
  /** Compares prompts. */
  readonly later: Later;
  readonly tapes: ExampleTapes;
  readonly plan: CallPlan;
  readonly listener: LoadCallListener;
}

/** Dials, presses its keys, listens for the beginning of the prompt, and is held until it is hung up. */
export class LoadCall {
  readonly #parts: LoadCallParts;
  readonly #leg: CallLeg;
  readonly #timers: Timers;
  readonly #times: CallTimes;
  #letGo = false;
  readonly #over = new AbortController();
  #test: Promise<LoadTestResult> | undefined;

  constructor(parts: LoadCallParts) {
    this.#parts = parts;
    this.#timers = new Timers(parts.clock, (error) => this.#leg.fail(error));
    this.#times = new CallTimes(parts.clock);
    this.#leg = parts.agent.call(parts.plan.target, parts.plan.call);
    this.#leg.listen((event) => {
      this.#times.note(event);
      if (event.type === 'answered') this.#answered();
      if (event.type === 'ended') void this.#ended(event.end);
    });
    const { script } = parts.plan;
    if (script) this.#test = this.#carryOut(script);
  }

  /** Ends within 2 s, even if the called side doesn't respond. */
  hangUp(): void {
    this.#letGo = true;
    this.#over.abort(holdOver);
    this.#timers.stopAll();
    void this.#leg.hangup();
  }

  #answered(): void {
    const {
      plan: { keys = [], keyTiming, callSeconds },
      listener,
    } = this.#parts;
    keys.forEach(({ afterSeconds, digits }, index) =>
      this.#timers.start(`keys ${String(index)}`, afterSeconds * 1000, () => {
        this.#leg.sendDigits(digits, keyTiming).catch((error: unknown) => this.#leg.fail(error));
      }),
    );
    if (callSeconds !== undefined) this.#timers.start('own end', callSeconds * 1000, () => this.hangUp());
    listener.onAnswered();
  }

  async #carryOut(script: LoadScript): Promise<LoadTestResult> {
    const { plan, tapes } = this.#parts;
    const tape = plan.isExample === true ? tapes.open() : undefined;
    try {
      return await this.#endOf(script, tape);
    } finally {
      tape?.close();
    }
  }

  async #endOf(script: LoadScript, tape: ExampleTape | undefined): Promise<LoadTestResult> {
    const { clock, plan, tapes } = this.#parts;
    const { signal } = this.#over;
    let otherAtMs = -Infinity;
    const speech = referenceSpeech(script.reference, {
      hearsSounds: script.steps.some(({ expectedEnd }) => expectedEnd !== undefined),
      onOther: ({ startMs }) => {
        otherAtMs = startMs;
      },
      later: (work) =>
        this.#parts.later(() => {
          try {
            work();
          } catch (error) {
            this.#leg.fail(error);
          }
        }),
      signal,
    });
    const dialer = createDialer({
      agent: { call: () => this.#leg },
      speech,
      clock,
      onAudio: (pcm) => tape?.append(pcm),
    });
    const manner = plan.keyTiming ? { keys: plan.keyTiming } : {};
    const result = await carryOut(script, {
      target: plan.target,
      dialer: callingAs(tape?.over(dialer) ?? dialer, manner),
      clock,
      signal,
      exampleFrom: (stepMs) => (tape && tape.length > 0 && tapes.claim() ? tape.example(stepMs) : undefined),
      heardOther: (fromMs) => otherAtMs >= fromMs,
    });
    return { ...result, lossShare: lossShare(this.#leg.stats()) };
  }

  async #ended(end: CallEnd): Promise<void> {
    this.#timers.stopAll();
    const endedAt = this.#parts.clock.now();
    const test = await this.#test?.catch((error: unknown) => brokenTest(error));
    const { placedAt, ringAt, answeredAt, promptAt } = this.#times;
    this.#parts.listener.onEnded({
      placedAt,
      ringAt,
      answeredAt,
      promptAt,
      endedAt,
      end,
      // A test hangs up itself.
      letGo: this.#letGo || (test !== undefined && end.by === 'local'),
      rtp: this.#leg.stats(),
      test,
    });
  }
}
