import type { CallLog, HeardSpeech } from './callLog.ts';
import { patience } from './patience.ts';

/** A call to listen to. `next` waits for an event or for this time, and rejects if the call is given up. */
export interface CallToHear {
  readonly log: CallLog;
  readonly next: (timeoutMs: number) => Promise<void>;
}

/** Decides from what was heard so far whether listening is over, and why. Undefined or false continues. */
type Policy<Over> = (heard: HeardSince) => Over | undefined | false | Promise<Over | undefined | false>;

/**
 * Listens from `fromMs` of the call's audio until the policy returns why it is over. Asks the policy again after each
 * event, and at the earliest time at which one of its answers can change.
 */
export async function listen<Over>({ log, next }: CallToHear, fromMs: number, policy: Policy<Over>): Promise<Over> {
  for (;;) {
    const heard = new HeardSince(log, fromMs);
    const { eventCount } = log;
    const over = await policy(heard);
    if (over !== undefined && over !== false) return over;
    // Reading the log also processes events.
    if (log.eventCount === eventCount) await next(heard.unchangedForMs);
  }
}

/** What was heard from a time of the call's audio. Notes when its answers can change without an event. */
export class HeardSince implements HeardSpeech {
  readonly log: CallLog;
  readonly fromMs: number;
  readonly text: string;
  readonly words: HeardSpeech['words'];
  readonly endMs: number;
  #changesAtMs = Infinity;

  constructor(log: CallLog, fromMs: number) {
    this.log = log;
    this.fromMs = fromMs;
    ({ text: this.text, words: this.words, endMs: this.endMs } = log.heardSince(fromMs));
  }

  /** Whether the call is over and everything that was said is text. */
  get hasEnded(): boolean {
    return this.log.ended !== undefined;
  }
  /** Whether anything was said, even if it isn't text yet. */
  get spoke(): boolean {
    return this.log.spokeSince(this.fromMs);
  }

  /** Returns true if the call has lasted until this time. */
  isPast(atMs: number): boolean {
    return this.#notes(atMs) <= this.log.nowMs;
  }
  /** Returns true if all speech until this time is known. */
  isHeardUntil(atMs: number): boolean {
    return this.#notes(atMs) <= this.log.heardMs;
  }
  /** Returns true if it has been quiet for this time, and everything is text. */
  isQuiet(forMs: number): boolean {
    return this.isHeardUntil(this.log.quietAtMs(this.fromMs, forMs));
  }
  /**
   * Returns true if the text so far has been over for this time: by the silence after it, or by the pause before the
   * called side continued.
   */
  isSettled(forMs: number): boolean {
    return this.log.pausedMs(this.fromMs) >= forMs || this.isQuiet(forMs);
  }

  /** Returns true if everything that was said until this time is text, or counts as lost. */
  isText(untilMs: number): boolean {
    const spokenMs = this.log.unreadBefore(this.fromMs, untilMs);
    return spokenMs === undefined || this.isHeardUntil(spokenMs + patience.text.lost);
  }

  /** Milliseconds during which no earlier answer changes unless there is an event. */
  get unchangedForMs(): number {
    return Math.min(patience.longestPrompt, Math.max(patience.recheck, this.#changesAtMs - this.log.nowMs));
  }

  #notes(atMs: number): number {
    this.#changesAtMs = Math.min(this.#changesAtMs, atMs);
    return atMs;
  }
}
