import type { ActiveCall, ActiveCallEvent } from '../../../../src/engine/call/activeCall.ts';
import { CallLog } from '../../../../src/engine/hearing/callLog.ts';
import type { CallToHear } from '../../../../src/engine/hearing/listen.ts';

export type TimedEvent = readonly [atMs: number, event: ActiveCallEvent];

export const speech = (startMs: number, endMs: number): readonly TimedEvent[] => [
  [startMs, { type: 'speechStart', atMs: startMs }],
  [endMs, { type: 'speechPause', atMs: endMs }],
];
/** Words that become text `lateMs` after they were said. */
export const words = (text: string, startMs: number, endMs: number, lateMs = 900): readonly TimedEvent[] => [
  ...speech(startMs, endMs),
  [endMs + lateMs, { type: 'utterance', utterance: { startMs, endMs, text, rawText: text, words: [] } }],
];
export const hangUp = (atMs: number): TimedEvent => [
  atMs,
  { type: 'ended', atMs, end: { by: 'remote', kind: 'hangup', reason: 'bye' } },
];

/** A call in virtual time with these events. `lagMs`: how far recognition is behind the call. */
export class ScriptedLine implements CallToHear {
  readonly log: CallLog;
  readonly #waiting: TimedEvent[];
  readonly #listeners = new Set<(event: ActiveCallEvent) => void>();
  nowMs = 0;
  /** How often a listener waited. */
  waits = 0;

  constructor(events: readonly TimedEvent[], lagMs = 0) {
    this.#waiting = events.toSorted(([one], [other]) => one - other);
    const call = {
      now: () => this.nowMs,
      heardMs: () => Math.max(0, this.nowMs - lagMs),
      listen: (listener: (event: ActiveCallEvent) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    } as unknown as ActiveCall;
    const clock = { now: () => this.nowMs, setTimeout: () => 0, clearTimeout: () => undefined };
    this.log = new CallLog(call, clock, () => undefined);
  }

  /** Time passes until this, or until an earlier event. */
  readonly next = async (timeoutMs: number): Promise<void> => {
    this.waits += 1;
    this.passUntil(Math.min(this.nowMs + timeoutMs, this.#waiting[0]?.[0] ?? Infinity));
    await this.log.next(0);
  };

  /** Time passes, including while a policy decides. */
  passUntil(atMs: number): void {
    this.nowMs = Math.max(this.nowMs, atMs);
    const count = this.#waiting.filter(([eventMs]) => eventMs <= this.nowMs).length;
    for (const [, event] of this.#waiting.splice(0, count)) for (const listener of this.#listeners) listener(event);
  }
}
