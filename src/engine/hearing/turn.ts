import type { CallLog } from './callLog.ts';
import { patience } from './patience.ts';

/** What a far side said until it had finished, and where that ends in the call's audio; or why nothing more comes. */
export type HeardTurn = { readonly text: string; readonly endMs: number } | { readonly silence: Silence };

/**
 * - `ended`: the call is over
 * - `deadAir`: nothing was said
 * - `unread`: something was said, and it didn't become text
 * - `late`: the caller has no time left
 */
export type Silence = 'ended' | 'deadAir' | 'unread' | 'late';

export interface TurnOptions {
  /** What was said before this time of the call's audio (milliseconds) belongs to earlier turns. */
  readonly fromMs: number;
  /** Silence that counts as dead air, in milliseconds; read anew each time, since it is longer on hold. */
  readonly deadAirMs: () => number;
  readonly isLate: () => boolean;
  /** Whether something that was said earlier isn't text yet, although it belongs to this turn. */
  readonly isUnread?: () => boolean;
  /**
   * A pause ends the turn only if all that was said is text. Otherwise a pause after what is text also ends it if more
   * is being said: on a busy machine, everything is never text at once.
   */
  readonly whole: boolean;
}

/** Listens until the far side has finished. `next` lets something happen, and rejects if the call is given up. */
export async function hearTurn(log: CallLog, next: () => Promise<void>, options: TurnOptions): Promise<HeardTurn> {
  const { fromMs, deadAirMs, isLate, isUnread = (): boolean => false, whole } = options;
  for (;;) {
    const { text, endMs } = log.heardSince(fromMs);
    const quietMs = log.quietMs(fromMs);
    const hasEnded = log.ended !== undefined;
    if (text !== '') {
      const enoughMs = whole && log.spokeSince(endMs) ? patience.text.rest : patience.prompt.turn;
      if (hasEnded || (whole ? quietMs : log.settledMs(fromMs)) >= enoughMs) return { text, endMs };
    }
    if (hasEnded) return { silence: 'ended' };
    if (isLate()) return { silence: 'late' };
    const unread = log.spokeSince(fromMs) || isUnread();
    if (text === '' && quietMs >= Math.max(deadAirMs(), unread ? patience.text.turn : 0))
      return { silence: unread ? 'unread' : 'deadAir' };
    await next();
  }
}
