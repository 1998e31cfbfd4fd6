import { listen } from './listen.ts';
import type { CallToHear } from './listen.ts';
import { patience } from './patience.ts';

/** What the called side said until it had finished, and where that ends in the audio; or why nothing more comes. */
export type HeardTurn = { readonly text: string; readonly endMs: number } | { readonly silence: Silence };

/**
 * - `ended`: the call is over
 * - `deadAir`: nothing was said
 * - `unread`: something was said, and it didn't become text
 * - `late`: the caller has no time left
 */
export type Silence = 'ended' | 'deadAir' | 'unread' | 'late';

export interface TurnOptions {
  /** Words before this time of the call's audio (milliseconds) belong to earlier turns. */
  readonly fromMs: number;
  /** Silence that counts as dead air, in milliseconds. Read again each time, because it is longer on hold. */
  readonly deadAirMs: () => number;
  /** When the caller has no time left, as a time of the call's audio. */
  readonly untilMs: () => number;
  /** Returns true if something that was said earlier isn't text yet, although it belongs to this turn. */
  readonly isUnread?: () => boolean;
  /**
   * If true, a pause ends the turn only if everything that was said is text. Otherwise, a pause after the text also
   * ends it if more is being said: on a busy machine, everything is never text at once.
   */
  readonly whole: boolean;
}

/** Listens until the called side has finished. Rejects if the call is given up. */
export function hearTurn(line: CallToHear, options: TurnOptions): Promise<HeardTurn> {
  const { fromMs, deadAirMs, untilMs, isUnread, whole } = options;
  return listen<HeardTurn>(line, fromMs, (heard) => {
    const { text, endMs } = heard;
    if (text !== '') {
      const enoughMs = whole && heard.log.spokeSince(endMs) ? patience.text.rest : patience.prompt.turn;
      if (heard.hasEnded || (whole ? heard.isQuiet(enoughMs) : heard.isSettled(enoughMs))) return { text, endMs };
    }
    if (heard.hasEnded) return { silence: 'ended' };
    if (heard.isPast(untilMs())) return { silence: 'late' };
    const unread = heard.spoke || isUnread?.() === true;
    const isDeadAir = text === '' && heard.isQuiet(Math.max(deadAirMs(), unread ? patience.text.turn : 0));
    return isDeadAir && { silence: unread ? 'unread' : 'deadAir' };
  });
}
