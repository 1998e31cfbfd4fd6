import { sentence, type Sentences } from '../../base/sentences.ts';
import { LiveGuard } from '../../language/mission/liveGuard.ts';
import type { Span } from '../call/callAudio.ts';
import type { HeardBySound } from '../call/heardBySound.ts';
import { isAllText, unreadWhy, whyGuarded } from '../call/liveActions.ts';
import type { Deed, OpenCall } from '../call/testCall.ts';

const otherSoundWhy = sentence`The caller's choice wasn't sent, because this call didn't sound like the reference calls since the caller's last action, and what is different may change what the choice does on a live number.`;

/**
 * Judges each action that repeats what a mission's caller did on another call of a live number. What was harmless there
 * can do something else here, so the words of this call count.
 */
export class ReplayGuard {
  readonly #guard: LiveGuard;
  readonly #bySound: HeardBySound | undefined;
  /** Up to this time of the call's audio, the guard has heard everything. */
  #heardMs = 0;
  #actedMs = 0;

  /** @param purpose The goal of the mission. */
  constructor(purpose: string, bySound: HeardBySound | undefined) {
    this.#guard = new LiveGuard(purpose);
    this.#bySound = bySound;
  }

  /** Notes what was said since the last time. */
  hear({ log }: OpenCall): void {
    const { text, endMs } = log.heardSince(this.#heardMs);
    this.#guard.hear(this.#bySound?.since(this.#heardMs).text ?? text);
    this.#heardMs = endMs;
  }

  /** Returns why this isn't sent, or undefined if it may be. */
  async whyNot(call: OpenCall, deed: Deed): Promise<Sentences | undefined> {
    if (!(await isAllText(call))) return unreadWhy;
    this.hear(call);
    const heard = this.#bySound?.since(this.#actedMs);
    // Words can answer anything that was said, but a key is what its own sentence says.
    if (heard && (heard.isUnknown || (heard.varies && 'say' in deed))) return otherSoundWhy;
    return whyGuarded(this.#guard, deed);
  }

  acted({ startMs }: Span): void {
    this.#guard.acted();
    this.#actedMs = startMs;
    this.#heardMs = Math.max(this.#heardMs, startMs);
  }
}
