import { limits } from '../contract/limits.ts';
import type { MenuReading } from '../contract/menu.ts';
import { readMenu } from '../language/menu/readMenu.ts';
import type { PastTurn, TurnDecision, TurnSituation } from '../language/mission/turnDecision.ts';
import { callBounds } from '../model/callBudget.ts';
import { forbiddenKeyIn, withoutKeys } from '../model/forbiddenKeys.ts';
import type { CallLog } from './callLog.ts';
import { deadAirReason } from './deadAir.ts';
import { EventStream } from './eventStream.ts';
import type { CallTestEnd, CallTestEvent } from './callTestEvent.ts';
import { TestCall } from './testCall.ts';
import type { OpenCall, TestCallOptions } from './testCall.ts';

/** What a caller on a mission knows when it is its turn, beside its mission. */
export type Situation = Omit<TurnSituation, 'mission' | 'acceptance'>;

export interface MissionOptions extends TestCallOptions {
  readonly decide: (situation: Situation, signal: AbortSignal) => Promise<TurnDecision>;
  /** Never told in transcripts. */
  readonly secrets?: readonly string[];
  readonly mostTurns?: number;
  readonly mostSeconds?: number;
}

/** Silence after which it is our turn, in milliseconds. */
const patience = { afterSpeechMs: 1200, deadAirMs: 12_000, onHoldMs: 300_000 } as const;
const defaults = { turns: limits.missionTurns.max, seconds: callBounds.mission } as const;
/** A choice that is made too late still counts, but not for ever. */
const decisionMs = callBounds.deciding * 1000;
/** Who wants to press a forbidden key again after being told finds no other way. */
const mostForbidden = 2;

/** How a mission's call went; whoever judges it decides what that is worth. `outcome` is ERROR where the call could not be carried out, else INCONCLUSIVE. */
export interface MissionEnd extends CallTestEnd {
  readonly turnLatencyMs?: { readonly median: number; readonly worst: number };
  /** Our caller left a call that went on: it found no way, or had no turns or time left, or heard nothing more; or its machine was too busy to take its turns in time. */
  readonly gaveUp?: true;
  /** Why what did not come is not theirs to answer for. */
  readonly excuse?: string;
}

/** How the conversation ended. */
interface Left {
  readonly outcome: 'ERROR' | 'INCONCLUSIVE' | 'FAIL';
  readonly reason: string;
  readonly gaveUp?: true;
}
const givenUp = (reason: string): Left => ({ outcome: 'INCONCLUSIVE', reason, gaveUp: true });

export type MissionEvent =
  Exclude<CallTestEvent, { type: 'ended' }> | { readonly type: 'ended'; readonly ended: MissionEnd };

/** Calls with a persona and a goal: hears, decides, presses or speaks, waits on hold, and gives up by turns or seconds. */
export function runMission(options: MissionOptions): AsyncIterable<MissionEvent> {
  const events = new EventStream<MissionEvent>();
  const call = new TestCall(options, events);
  void new Mission(options, call)
    .run()
    .catch((error: unknown): MissionEnd => call.brokenEnd(error))
    .then((ended) => {
      events.push({ type: 'ended', ended });
      events.close();
    });
  return events;
}

const forbiddenWhy =
  'The way on takes a key that this workspace forbids on the public network (forbiddenKeys). It was not pressed.';

class Mission {
  readonly #options: MissionOptions;
  readonly #call: TestCall;
  readonly #latencies: number[] = [];
  /** Options whose key is forbidden, by key. */
  readonly #leftOut = new Map<string, string>();
  #cursorMs = 0;
  #actedAtMs: number | undefined;

  constructor(options: MissionOptions, call: TestCall) {
    this.#options = options;
    this.#call = call;
    this.#call.addSecrets(...(options.secrets ?? []));
  }

  async run(): Promise<MissionEnd> {
    // We hang up when we are cancelled, or out of time: such a call is not judged.
    const { outcome, reason, gaveUp }: Left = await this.#converse()
      .then((end) => {
        this.#call.signal.throwIfAborted();
        return end;
      })
      .catch((error: unknown) => this.#broken(error));
    const sorted = [...this.#latencies].sort((one, other) => one - other);
    this.#call.lateness.behind(this.#call.open?.log.textLagMs ?? 0);
    const { excuse } = this.#call.lateness;
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    return {
      outcome,
      reason: this.#call.mask.text(reason) + this.#tellLeftOut(),
      ...((gaveUp ?? excuse !== undefined) && { gaveUp: true as const }),
      ...(excuse !== undefined && { excuse }),
      steps: [],
      ...(await this.#call.finish()),
      ...(median !== undefined && worst !== undefined && { turnLatencyMs: { median, worst } }),
    };
  }

  #broken(error: unknown): { readonly outcome: 'ERROR'; readonly reason: string } {
    const { signal } = this.#call;
    return {
      outcome: 'ERROR',
      reason: signal.aborted ? String(signal.reason) : error instanceof Error ? error.message : String(error),
    };
  }

  async #converse(): Promise<Left> {
    const { decide, clock, mostTurns = defaults.turns, mostSeconds = defaults.seconds } = this.#options;
    const call = await this.#call.dial();
    if ('refused' in call) return { outcome: call.theirs ? 'FAIL' : 'ERROR', reason: call.refused.sentence };
    const { talk, log } = call;
    const { signal } = this.#call;
    const past: PastTurn[] = [];
    let forbidden = 0;
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const heard = await this.#hear(call, mostSeconds);
      if (heard === 'ended')
        return { outcome: 'INCONCLUSIVE', reason: this.#call.describeEnd()?.sentence ?? 'The call ended.' };
      if (heard === 'deadAir') return givenUp(deadAirReason(talk, patience.deadAirMs / 1000));
      if (heard === 'late') break;
      const left = { turns: mostTurns - turn, seconds: Math.max(0, mostSeconds - talk.now() / 1000) };
      const decision = await within(
        decisionMs,
        decide({ transcript: log.turns, prompt: heard, reading: this.#read(heard), past: [...past], left }, signal),
        { clock, signal },
      );
      const forbids =
        decision.action === 'press' && forbiddenKeyIn(decision.keys, this.#call.forbiddenKeys) !== undefined;
      past.push({ prompt: heard, decision: forbids ? { action: 'wait', why: forbiddenWhy } : decision });
      if (log.ended)
        return { outcome: 'INCONCLUSIVE', reason: this.#call.describeEnd()?.sentence ?? 'The call ended.' };
      if (decision.action === 'hangUp')
        return decision.reason === 'reached' || decision.reason === 'ended'
          ? { outcome: 'INCONCLUSIVE', reason: decision.why }
          : givenUp(decision.why);
      if (forbids) {
        forbidden += 1;
        if (forbidden >= mostForbidden) return givenUp(forbiddenWhy);
        continue;
      }
      await this.#act(call, decision);
    }
    return givenUp(
      talk.now() / 1000 >= mostSeconds
        ? `The mission took its ${String(mostSeconds)} s without an end.`
        : `The mission took its ${String(mostTurns)} turns without an end.`,
    );
  }

  /** What the prompt offers, but for keys that are forbidden. */
  #read(heard: string): MenuReading {
    const reading = readMenu(heard);
    for (const { key, label } of reading.options)
      if (this.#call.forbiddenKeys.includes(key)) this.#leftOut.set(key, label);
    return withoutKeys(reading, this.#call.forbiddenKeys);
  }

  #tellLeftOut(): string {
    if (this.#leftOut.size === 0) return '';
    const keys = [...this.#leftOut].map(([key, label]) =>
      label === '' ? key : `${key} (“${this.#call.mask.text(label)}”)`,
    );
    return ` Left out, since this workspace forbids it on the public network: key ${keys.join(', ')}.`;
  }

  /** What they say until they have finished; or why nothing more comes. Somebody who is put on hold waits. */
  async #hear({ talk, log }: OpenCall, mostSeconds: number): Promise<string> {
    const fromMs = this.#cursorMs;
    for (;;) {
      const heard = log.heardSince(fromMs);
      const quietMs = log.quietMs(fromMs);
      if (talk.now() / 1000 >= mostSeconds) return 'late';
      if (heard.text !== '' && log.settledMs(fromMs) >= patience.afterSpeechMs) {
        this.#measure(log);
        this.#cursorMs = heard.endMs;
        return heard.text;
      }
      if (log.ended) return 'ended';
      if (heard.text === '' && quietMs >= (log.onHold ? patience.onHoldMs : patience.deadAirMs)) return 'deadAir';
      await this.#call.next();
    }
  }

  /** From our last act to their first sound; not where we acted into what they said. */
  #measure(log: CallLog): void {
    const actedAtMs = this.#actedAtMs;
    this.#actedAtMs = undefined;
    const latencyMs = actedAtMs === undefined ? undefined : log.latencyMs(actedAtMs, true);
    if (latencyMs !== undefined) this.#latencies.push(latencyMs);
  }

  async #act({ talk, log }: OpenCall, decision: Exclude<TurnDecision, { action: 'hangUp' }>): Promise<void> {
    const startMs = talk.now();
    if (decision.action === 'wait') return;
    const told = decision.action === 'press' ? decision.keys : decision.text;
    if (decision.secret === true) this.#call.addSecrets(told);
    if (decision.action === 'press') {
      await this.#call.press(decision.keys);
      if (this.#isSecret(told)) this.#call.gaveSecret(startMs);
      log.did(`[keys ${decision.keys}]`, startMs, talk.now());
    } else {
      await talk.say(decision.text);
      if (this.#isSecret(told)) this.#call.gaveSecret(startMs);
      log.did(decision.text, startMs, talk.now());
    }
    this.#actedAtMs = talk.now();
    this.#cursorMs = Math.max(this.#cursorMs, startMs);
  }

  #isSecret(told: string): boolean {
    return this.#call.mask.text(told) !== told;
  }
}

function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  { clock, signal }: Pick<MissionOptions, 'clock' | 'signal'>,
): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    if (signal.aborted) {
      reject(new Error(String(signal.reason)));
      return;
    }
    const timer = clock.setTimeout(() => {
      reject(new Error('Deciding on the next turn took too long. Choose a faster language model.'));
    }, milliseconds);
    const abort = (): void => {
      reject(new Error(String(signal.reason)));
    };
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
  });
}
