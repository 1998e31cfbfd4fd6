import type { Turn } from '../../contract/testRuns.ts';

/**
 * Adds a turn to others in the order of speech, or replaces the one that it corrects, which an empty text removes. On a
 * busy machine, words become text after the caller's next action, which began later than they did.
 */
export function addTurn(turns: Turn[], turn: Turn): void {
  const { startMs = Infinity } = turn;
  const corrected = turns.findIndex(({ speaker, startMs: at }) => speaker === turn.speaker && at === startMs);
  if (corrected >= 0) {
    turns.splice(corrected, 1, ...(turn.text === '' ? [] : [turn]));
    return;
  }
  const before = turns.findLastIndex((other) => (other.startMs ?? -Infinity) <= startMs);
  turns.splice(before + 1, 0, turn);
}
