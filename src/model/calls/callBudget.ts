import { limits } from '../../contract/limits.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import { loadRampSeconds } from './loadRamp.ts';

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
  /** From the answer to the end of a mission; the turn that has begun then is finished. */
  mission: limits.missionSeconds.max,
  /** What a caller on a mission does next is decided in this time. */
  deciding: 60,
} as const;

/**
 * How long a mission's call may last at most, from the first INVITE, in seconds; `seconds`: the mission's own bound.
 */
export const missionSecondsAtMost = (seconds: number = callBounds.mission): number =>
  callBounds.setup + seconds + callBounds.deciding + callBounds.saying;

/**
 * How long one call of these steps may last at most, in seconds, with this row's values for `{column}` and the key
 * timing of this profile.
 */
export const callSecondsAtMost = (
  steps: readonly TestStep[],
  row: Readonly<Record<string, string>> = {},
  caller?: Pick<CallerProfile, 'keyToneMs' | 'keyGapMs'>,
): number => {
  const keySeconds = Math.max(callBounds.key, caller ? (caller.keyToneMs + caller.keyGapMs) / 1000 : 0);
  return ringSecondsAtMost(steps) + steps.reduce((sum, step) => sum + stepSecondsAtMost(step, row, keySeconds), 0);
};

/** Until the answer: a step that allows more is waited for. */
export const ringSecondsAtMost = (steps: readonly Pick<TestStep, 'action' | 'timing'>[]): number =>
  Math.max(
    callBounds.setup,
    ...steps.map(({ action, timing }) => (action.type === 'dial' ? (timing?.answerWithinSeconds ?? 0) : 0)),
  );

function stepSecondsAtMost(
  { action, expectedTranscript, expectedEnd, timing }: TestStep,
  row: Readonly<Record<string, string>>,
  keySeconds: number,
): number {
  const listens =
    expectedTranscript !== undefined ||
    expectedEnd !== undefined ||
    action.type === 'expect' ||
    action.type === 'collect';
  // Whoever waits listens meanwhile.
  if (action.type === 'wait')
    return Math.max(action.seconds, listens ? callBounds.listening : (timing?.promptWithinSeconds ?? 0));
  const acts =
    action.type === 'press' ? keysAtMost(action.keys, row) * keySeconds : action.type === 'say' ? callBounds.saying : 0;
  return acts + (listens ? callBounds.listening : (timing?.promptWithinSeconds ?? 0));
}

/** What is collected in the call is not known before it. */
const collectedKeys = 64;

const keysAtMost = (keys: string, row: Readonly<Record<string, string>>): number =>
  [...keys.matchAll(/\{(\w+)\}|./g)].reduce(
    (sum, [, column]) =>
      sum +
      (column === undefined ? 1 : ((Object.hasOwn(row, column) ? row[column] : undefined)?.length ?? collectedKeys)),
    0,
  );

/** What a launch may take at most; its calls may be fewer and shorter. */
export interface CallBudget {
  readonly calls: number;
  /** Of all its calls together. */
  readonly seconds: number;
  /** Of its longest run. */
  readonly secondsOfRun: number;
  /** Of each run of a launch that has several. */
  readonly secondsOfRuns?: readonly number[];
}

/**
 * In less no call comes to anything: what may take more than so short a budget of a run is refused, and not cut short.
 */
export const minSecondsOfRun = 30;

/** What is taken at most where each run is ended when it has taken `secondsPerRun`. */
export function cappedBudget<Budget extends CallBudget>(budget: Budget, secondsPerRun: number | undefined): Budget {
  if (secondsPerRun === undefined || secondsPerRun < minSecondsOfRun) return budget;
  const { seconds, secondsOfRun, secondsOfRuns = [seconds] } = budget;
  return {
    ...budget,
    seconds: secondsOfRuns.reduce((sum, one) => sum + Math.min(one, secondsPerRun), 0),
    secondsOfRun: Math.min(secondsOfRun, secondsPerRun),
  };
}

/** By the minutes of the calls: what a carrier adds for each call, or rounds up, is not in it. */
export const costOf = (seconds: number, costPerMinute: number | null | undefined): number =>
  (seconds / 60) * (costPerMinute ?? 0);

/**
 * How long a call of a mapping lasts nobody knows before. So much is set aside for each that it may place, and where
 * seconds are limited all together end there.
 */
const mappingSecondsACall = 60;

export function mappingBudget({ maxCalls }: { readonly maxCalls: number }): CallBudget {
  const seconds = maxCalls * mappingSecondsACall;
  return { calls: maxCalls, seconds, secondsOfRun: seconds };
}

/** From the end of the hold until the last call has ended. */
const loadLettingGo = 5;

interface LoadSize {
  readonly concurrency: number;
  readonly rampSeconds: number;
  readonly holdSeconds: number;
  readonly callsPerSecond: number;
  readonly replace?: boolean | undefined;
}

/**
 * Each call of a load test lasts from its own start to the end of the hold at most, and so do those together that
 * follow one another in its place.
 */
const loadSecondsAtMost = (load: LoadSize): number =>
  load.concurrency * (load.holdSeconds + loadLettingGo) + (loadRampSeconds(load) * (load.concurrency + 1)) / 2;

export function loadBudget(load: LoadSize): CallBudget {
  const { concurrency, holdSeconds, callsPerSecond, replace } = load;
  const seconds = loadSecondsAtMost(load);
  const calls =
    replace === true
      ? Math.max(concurrency, Math.ceil((loadRampSeconds(load) + holdSeconds) * callsPerSecond) + 1)
      : concurrency;
  return { calls, seconds, secondsOfRun: seconds };
}
