import type { TestStep } from '../contract/testConfigs.ts';

/** Bounds of a test's call, in seconds; whoever carries it out keeps them. */
export const callBounds = {
  /** From the first INVITE to the answer, or to giving up. */
  setup: 60,
  /** A step that listens gives up after so long. */
  listening: 120,
  /** A key with its pause, and a comma. */
  key: 0.5,
  /** A text to say is at most 500 characters long. */
  saying: 45,
  /** From the answer to the end of a mission. */
  mission: 600,
} as const;

export const missionSecondsAtMost = callBounds.setup + callBounds.mission;

/** How long one call of these steps may last at most, in seconds. */
export const callSecondsAtMost = (steps: readonly TestStep[]): number => callBounds.setup + steps.reduce((sum, step) => sum + stepSecondsAtMost(step), 0);

function stepSecondsAtMost({ action, expectedTranscript }: TestStep): number {
  const listens = expectedTranscript !== undefined || action.type === 'expect' || action.type === 'collect';
  const acts = action.type === 'press' ? action.keys.length * callBounds.key : action.type === 'say' ? callBounds.saying : action.type === 'wait' ? action.seconds : 0;
  return acts + (listens && action.type !== 'wait' ? callBounds.listening : 0);
}
