export interface ShownTurn {
  readonly speaker: 'us' | 'them';
  readonly text: string;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly beforeAnswer?: boolean | undefined;
}

/** Words that became text late can come after later turns. A turn without a time stays after the turn before it. */
export function inTimeOrder<T extends ShownTurn>(turns: readonly T[]): T[] {
  let last = -Infinity;
  return turns
    .map((turn) => ({ turn, atMs: (last = turn.startMs ?? last) }))
    .sort((one, other) => (one.atMs === other.atMs ? 0 : one.atMs - other.atMs))
    .map(({ turn }) => turn);
}

/** Returns the keys that a turn sent as tones, or undefined for speech. */
export const keysIn = ({ speaker, text }: ShownTurn): string | undefined =>
  speaker === 'us' ? /^\[keys ([^\]]{1,64})\]$/.exec(text.trim())?.[1] : undefined;

const endOf = ({ startMs = -Infinity, endMs = startMs }: ShownTurn): number => endMs;

/** Returns the index of the turn at this time, the later one of two; -1 during silence. */
export const turnDuring = (turns: readonly ShownTurn[], ms: number): number =>
  turns.reduce((best, turn, place) => {
    const goesOn = turn.startMs !== undefined && turn.startMs <= ms && endOf(turn) >= ms;
    return goesOn && turn.startMs >= (turns[best]?.startMs ?? -Infinity) ? place : best;
  }, -1);

/**
 * Returns the index of the turn at this time, otherwise of the next one, otherwise of the last; -1 if none has a time.
 */
export function turnAt(turns: readonly ShownTurn[], ms: number): number {
  const during = turnDuring(turns, ms);
  const next = during >= 0 ? during : turns.findIndex(({ startMs }) => startMs !== undefined && startMs >= ms);
  return next >= 0 ? next : turns.findLastIndex(({ startMs }) => startMs !== undefined);
}

/**
 * Returns the index of the turn with these words, of several the one nearest to the time; if none has them, that of the
 * time.
 */
export function turnOf(turns: readonly ShownTurn[], quote: string, ms: number): number {
  const wanted = plain(quote);
  const away = (turn: ShownTurn | undefined): number =>
    turn?.startMs === undefined ? Infinity : Math.max(0, turn.startMs - ms, ms - endOf(turn));
  const holding = turns.flatMap((turn, place) => (wanted !== '' && plain(turn.text).includes(wanted) ? [place] : []));
  const [first, ...others] = holding;
  return first === undefined
    ? turnAt(turns, ms)
    : others.reduce((best, place) => (away(turns[place]) < away(turns[best]) ? place : best), first);
}

/** Words between spaces, so that a quote can't begin inside one. */
const plain = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{N}*#]+/gu) ?? []).join(' ')} `.replace(/^ +$/, '');

/** The called side's speech can be detected slightly before the caller's last tone has ended. */
const toneMs = 100;

/**
 * Returns the milliseconds from the end of the caller's action to the response; undefined if the action happened during
 * speech, or if it isn't known.
 */
export function answerMs(turns: readonly ShownTurn[], place: number): number | undefined {
  const [ours, theirs] = [turns[place - 1], turns[place]];
  if (ours?.speaker !== 'us' || theirs?.speaker !== 'them' || ours.endMs === undefined || theirs.startMs === undefined)
    return undefined;
  const before = turns[place - 2];
  const isInto = before?.speaker === 'them' && endOf(before) > ours.endMs;
  return isInto || theirs.startMs < ours.endMs - toneMs ? undefined : Math.max(0, theirs.startMs - ours.endMs);
}
