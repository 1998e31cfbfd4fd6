import type { Sentences } from '../../base/sentences.ts';
import { limits } from '../../contract/limits.ts';
import type { MenuReading } from '../../contract/menu.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { PastTurn, TurnDecision, TurnSituation } from '../../language/mission/turnDecision.ts';
import { callBounds } from '../../model/calls/callBudget.ts';
import { forbiddenKeyIn, withoutKeys } from '../../model/calls/forbiddenKeys.ts';
import { unlessAborted } from '../../base/clock.ts';
import type { CallLog } from '../hearing/callLog.ts';
import { deadAirReason } from '../hearing/deadAir.ts';
import { patience } from '../hearing/patience.ts';
import { hearTurn } from '../hearing/turn.ts';
import type { HeardTurn } from '../hearing/turn.ts';
import { EventStream, streamUntilClosed } from '../eventStream.ts';
import type { CallTestEnd, CallTestEvent } from '../call/callTestEvent.ts';
import { whyNotSent, type Deed, type Door } from '../call/door.ts';
import { TestCall } from '../call/testCall.ts';
import type { OpenCall, TestCallOptions } from '../call/testCall.ts';

/** What the caller of a mission knows at its turn, in addition to the mission. */
export type Situation = Omit<TurnSituation, 'mission' | 'acceptance' | 'checks'>;

export interface MissionOptions extends TestCallOptions {
  readonly decide: (situation: Situation, signal: AbortSignal) => Promise<TurnDecision>;
  /** Never shown in transcripts. */
  readonly secrets?: readonly string[];
  readonly maxTurns?: number;
  readonly maxSeconds?: number;
}

const defaults = { turns: limits.missionTurns.max, seconds: callBounds.mission } as const;
/** A late decision still counts, but not forever. */
const decisionMs = callBounds.deciding * 1000;
/** If the caller repeats a refused action after seeing the reason, it won't find another way. */
const maxRefused = 2;

/**
 * How a mission's call went; the judge decides what it means. `outcome` is ERROR if the call couldn't be carried out,
 * otherwise INCONCLUSIVE.
 */
export interface MissionEnd extends CallTestEnd {
  readonly turnLatencyMs?: { readonly median: number; readonly worst: number };
  /**
   * The caller left an active call: it found no way, had no turns or time left, or heard nothing more, or its machine
   * was too busy to take its turns in time.
   */
  readonly gaveUp?: true;
  /** Why the called side isn't responsible for what is missing. */
  readonly excuse?: Sentences | undefined;
}

/** How the conversation ended. */
interface Left {
  readonly outcome: 'ERROR' | 'INCONCLUSIVE' | 'FAIL';
  readonly reason: string;
  readonly gaveUp?: true;
}
const givenUp = (reason: string): Left => ({ outcome: 'INCONCLUSIVE', reason, gaveUp: true });

const leftBy = ({ reason, why }: Extract<TurnDecision, { action: 'hangUp' }>): Left =>
  reason === 'reached' || reason === 'ended' ? { outcome: 'INCONCLUSIVE', reason: why } : givenUp(why);

type MissionEvent = Exclude<CallTestEvent, { type: 'ended' }> | { readonly type: 'ended'; readonly ended: MissionEnd };

/**
 * Calls with a persona and a goal: listens, decides, presses or speaks, waits on hold, and gives up after its turns or
 * seconds. If the reader stops reading, the call is hung up.
 */
export function runMission(options: MissionOptions): AsyncIterable<MissionEvent> {
  const events = new EventStream<MissionEvent>();
  return streamUntilClosed(events, options.signal, async (signal) => {
    const call = new TestCall({ ...options, purpose: options.purpose ?? '', signal }, events);
    const ended = await new Mission(options, call).run().catch((error: unknown): MissionEnd => call.brokenEnd(error));
    events.push({ type: 'ended', ended });
  });
}

const forbiddenWhy =
  "To go on, the caller needs a key that this workspace forbids on the public network (forbiddenKeys), so it wasn't pressed.";
/** The called side spoke, and no words were recognised. */
const unreadTurn = "The called side spoke, but the speech couldn't be turned into text.";
/** Returns what is sent, if anything is. */
function deedOf(decision: TurnDecision): Deed | undefined {
  if (decision.action === 'press') return { press: decision.keys };
  return decision.action === 'say' ? { say: decision.text } : undefined;
}

class Mission {
  readonly #options: MissionOptions;
  readonly #call: TestCall;
  readonly #deadAirMs: number;
  readonly #latencies: number[] = [];
  /** Options whose key is forbidden, by key, and those that the mission doesn't ask for. */
  readonly #leftOut = new Map<string, string>();
  readonly #unwanted = new Map<string, string>();
  /** Why turns weren't carried out. */
  readonly #refused = new Set<string>();
  #cursorMs = 0;
  #actedAtMs: number | undefined;

  constructor(options: MissionOptions, call: TestCall) {
    this.#options = options;
    this.#call = call;
    this.#deadAirMs = call.patienceMs ?? patience.deadAir.conversation;
    this.#call.addSecrets(...(options.secrets ?? []));
  }

  async run(): Promise<MissionEnd> {
    // Dialtree hangs up if the run is cancelled or out of time. Such a call isn't judged.
    const { outcome, reason, gaveUp }: Left = await this.#converse()
      .then((end) => {
        this.#call.signal.throwIfAborted();
        return end;
      })
      .catch((error: unknown) => ({ outcome: 'ERROR', reason: String(this.#call.whyBroken(error)) }));
    const sorted = [...this.#latencies].sort((one, other) => one - other);
    this.#call.lateness.behind(this.#call.open?.log.textLagMs ?? 0);
    const { excuse } = this.#call.lateness;
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    return {
      outcome,
      reason:
        this.#call.mask.text([reason, ...[...this.#refused].filter((why) => why !== reason)].join(' ')) +
        this.#tellLeftOut(),
      ...((gaveUp ?? excuse !== undefined) && { gaveUp: true as const }),
      excuse,
      steps: [],
      ...(await this.#call.finish()),
      ...(median !== undefined && worst !== undefined && { turnLatencyMs: { median, worst } }),
    };
  }

  async #converse(): Promise<Left> {
    const { decide, maxTurns = defaults.turns, maxSeconds = defaults.seconds } = this.#options;
    const call = await this.#call.dial();
    if ('refused' in call) return { outcome: call.theirs ? 'FAIL' : 'ERROR', reason: call.refused.sentence };
    const { call: active, log } = call;
    const { signal } = this.#call;
    const past: PastTurn[] = [];
    let refusals = 0;
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const turnHeard = await this.#hear(call, maxSeconds);
      if (log.ended) return this.#theirEnd();
      if ('silence' in turnHeard) {
        if (turnHeard.silence === 'late') break;
        if (turnHeard.silence === 'unread') return givenUp(unreadTurn);
        // Silence follows if the called side still waits for what the caller didn't give.
        const last = past.at(-1)?.decision;
        const why = last?.action === 'wait' && !this.#refused.has(last.why) ? ` ${last.why}` : '';
        return givenUp(String(deadAirReason(active, this.#deadAirMs / 1000)) + why);
      }
      const { text: heard } = turnHeard;
      call.door.hear();
      const remaining = { turns: maxTurns - turn, seconds: Math.max(0, maxSeconds - active.durationSeconds) };
      const decision = await this.#inTime(
        decide(
          {
            transcript: log.turns,
            prompt: heard,
            reading: this.#read(call.door, heard),
            past: [...past],
            left: remaining,
            live: call.door.guard !== undefined,
          },
          signal,
        ),
      );
      const refused = await this.#act(call, decision);
      past.push({ prompt: heard, decision: refused === undefined ? decision : { action: 'wait', why: refused } });
      if (log.ended) return this.#theirEnd();
      if (decision.action === 'hangUp') return leftBy(decision);
      if (refused !== undefined) {
        refusals += 1;
        this.#refused.add(refused);
        if (refusals >= maxRefused) return givenUp(refused);
      }
    }
    return givenUp(
      active.durationSeconds >= maxSeconds
        ? `The mission used up its ${String(maxSeconds)} s without reaching an end.`
        : `The mission used up its ${maxTurns === 1 ? '1 turn' : `${String(maxTurns)} turns`} without reaching an end.`,
    );
  }

  /** Rejects if the decision takes too long, or the run ends first. */
  async #inTime(decision: Promise<TurnDecision>): Promise<TurnDecision> {
    const { clock } = this.#options;
    const late = new AbortController();
    const timer = clock.setTimeout(
      () => late.abort(new Error('The language model took too long to choose the next turn. Choose a faster one.')),
      decisionMs,
    );
    try {
      return await unlessAborted(decision, AbortSignal.any([this.#call.signal, late.signal]));
    } finally {
      clock.clearTimeout(timer);
    }
  }

  #theirEnd(): Left {
    return { outcome: 'INCONCLUSIVE', reason: this.#call.describeEnd()?.sentence ?? 'The call ended.' };
  }

  /** Reads what the prompt offers, without forbidden keys and options that may not be chosen on a live number. */
  #read({ guard }: Door, heard: string): MenuReading {
    const reading = readMenu(heard);
    for (const { key, label } of reading.options)
      if (forbiddenKeyIn(key, this.#call.forbiddenKeys) !== undefined) this.#leftOut.set(key, label);
    const unwanted = reading.options.filter(({ key }) => guard?.whyNotKey(key) !== undefined);
    for (const { key, label } of unwanted) this.#unwanted.set(key, label);
    const single = unwanted.filter(({ key }) => key.length === 1);
    const allowedReading = withoutKeys(
      { ...reading, options: reading.options.filter((option) => !unwanted.includes(option)) },
      this.#call.forbiddenKeys + single.map(({ key }) => key).join(''),
    );
    return {
      ...allowedReading,
      speech: allowedReading.speech.filter((phrase) => guard?.whyNotSay(phrase) === undefined),
    };
  }

  #tellLeftOut(): string {
    const told = (keys: ReadonlyMap<string, string>, why: string): string =>
      keys.size === 0
        ? ''
        : ` Left out, because ${why}: key ${[...keys].map(([key, label]) => (label === '' ? key : `${key} (“${this.#call.mask.text(label)}”)`)).join(', ')}.`;
    return (
      told(this.#leftOut, 'this workspace forbids it on the public network') +
      told(this.#unwanted, "it may not be harmless, the mission doesn't ask for it, and the number is live")
    );
  }

  /** A caller on hold waits. */
  async #hear(call: OpenCall, maxSeconds: number): Promise<HeardTurn> {
    const { call: active, log } = call;
    const heard = await hearTurn(call, {
      fromMs: this.#cursorMs,
      deadAirMs: () => (log.onHold ? patience.deadAir.onHold : this.#deadAirMs),
      untilMs: () => active.now() + (maxSeconds - active.durationSeconds) * 1000,
      whole: false,
    });
    if ('text' in heard) {
      this.#measure(log);
      this.#cursorMs = heard.endMs;
    }
    return heard;
  }

  /** From the caller's last action to the first sound of the called side, unless the action happened during speech. */
  #measure(log: CallLog): void {
    const actedAtMs = this.#actedAtMs;
    this.#actedAtMs = undefined;
    const latencyMs = actedAtMs === undefined ? undefined : log.latencyMs(actedAtMs, true);
    if (latencyMs !== undefined) this.#latencies.push(latencyMs);
  }

  /** Returns why it wasn't sent, if anything was to be sent. */
  async #act(call: OpenCall, decision: TurnDecision): Promise<string | undefined> {
    const deed = deedOf(decision);
    if (!deed) return undefined;
    const given = 'press' in deed ? deed.press : deed.say;
    if ('secret' in decision && decision.secret) this.#call.addSecrets(given);
    const sent = await this.#call.act(call, deed, { isSecret: this.#call.mask.text(given) !== given });
    if ('because' in sent) return sent.because === 'forbidden' ? forbiddenWhy : String(whyNotSent(sent));
    this.#actedAtMs = sent.endMs;
    this.#cursorMs = Math.max(this.#cursorMs, sent.startMs);
    return undefined;
  }
}
