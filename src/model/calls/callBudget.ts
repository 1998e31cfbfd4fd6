import { limits } from '../../contract/limits.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import { courseSeconds, fewestCalls, secondsForEachCall, timedStages, type LoadCourse } from './loadCourse.ts';

/** Limits of a test's call, in seconds. The code that places the call enforces them. */
export const callBounds = {
  /** From the first INVITE to the answer, or to giving up. */
  setup: limits.ringSeconds.default,
  /** A listening step gives up after this long. */
  listening: 120,
  /** A key with its pause, and a comma. */
  key: 0.5,
  /** A text to say has up to 500 characters. */
  saying: 45,
  /** From the answer to the end of a mission. A turn that has begun by then is finished. */
  mission: limits.missionSeconds.max,
  /** The time for a mission's next decision. */
  deciding: 60,
} as const;

/** Returns the longest call of a mission in seconds, from the first INVITE. `seconds`: the mission's own limit. */
export const missionSecondsAtMost = (seconds: number = callBounds.mission): number =>
  callBounds.setup + seconds + callBounds.deciding + callBounds.saying;

/** Returns the longest call with these steps, in seconds, with this row's `{column}`s and this profile's key timing. */
export const callSecondsAtMost = (
  steps: readonly TestStep[],
  row: Readonly<Record<string, string>> = {},
  caller?: Pick<CallerProfile, 'keyToneMs' | 'keyGapMs'>,
): number => {
  const keySeconds = Math.max(callBounds.key, caller ? (caller.keyToneMs + caller.keyGapMs) / 1000 : 0);
  return ringSecondsAtMost(steps) + steps.reduce((sum, step) => sum + stepSecondsAtMost(step, row, keySeconds), 0);
};

/** Until the answer. A step can allow more time. */
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
  // The caller listens during a wait.
  if (action.type === 'wait')
    return Math.max(action.seconds, listens ? callBounds.listening : (timing?.promptWithinSeconds ?? 0));
  const acts =
    action.type === 'press' ? keysAtMost(action.keys, row) * keySeconds : action.type === 'say' ? callBounds.saying : 0;
  return acts + (listens ? callBounds.listening : (timing?.promptWithinSeconds ?? 0));
}

/** The length of a collected value isn't known before the call. */
const collectedKeys = 64;

const keysAtMost = (keys: string, row: Readonly<Record<string, string>>): number =>
  [...keys.matchAll(/\{(\w+)\}|./g)].reduce(
    (sum, [, column]) =>
      sum +
      (column === undefined ? 1 : ((Object.hasOwn(row, column) ? row[column] : undefined)?.length ?? collectedKeys)),
    0,
  );

/** The maximum usage of a launch. Its calls can be fewer and shorter. */
export interface CallBudget {
  readonly calls: number;
  /** All its calls together. */
  readonly seconds: number;
  /** Its longest run. */
  readonly secondsOfRun: number;
  /** Each run of a launch that has several. */
  readonly secondsOfRuns?: readonly number[];
}

/** A shorter call is useless, so a run with a smaller budget is refused if it may need more. */
const minSecondsOfRun = 30;

/** Returns the budget if each run is ended after `secondsPerRun`. */
export function cappedBudget<Budget extends CallBudget>(budget: Budget, secondsPerRun: number | undefined): Budget {
  if (secondsPerRun === undefined || secondsPerRun < minSecondsOfRun) return budget;
  const { seconds, secondsOfRun, secondsOfRuns = [seconds] } = budget;
  return {
    ...budget,
    seconds: secondsOfRuns.reduce((sum, one) => sum + Math.min(one, secondsPerRun), 0),
    secondsOfRun: Math.min(secondsOfRun, secondsPerRun),
  };
}

/** By the minutes of the calls, without per-call charges or rounding of a carrier. */
export const costOf = (seconds: number, costPerMinute: number | null | undefined): number =>
  (seconds / 60) * (costPerMinute ?? 0);

/**
 * The length of a mapping's calls isn't known beforehand. This is reserved for each call that it may place, or
 * `maxCallSeconds` if that is less. If the seconds are limited, all calls end there.
 */
const mappingSecondsACall = 60;

export function mappingBudget({
  maxCalls,
  maxCallSeconds = limits.maxCallSeconds.default,
}: Pick<MappingConfig, 'maxCalls'> & Partial<MappingConfig>): CallBudget {
  const seconds = maxCalls * Math.min(mappingSecondsACall, maxCallSeconds);
  return { calls: maxCalls, seconds, secondsOfRun: seconds };
}

/** From the end of the hold until the last call has ended. */
const loadLettingGo = 5;
/** Reference calls for each row of a test. */
const referencesPerRow = 2;

interface LoadSize extends LoadCourse {
  readonly replace?: boolean | undefined;
  /**
   * The rows of the test that the calls carry out, or 1 without rows. Each has two reference calls, which last as long
   * as one call of the load can at most.
   */
  readonly testRows?: number;
  /** The calls are heard live, so none is placed for reference. */
  readonly isLive?: boolean;
}

/** The calls before those of the load. */
export const referenceCalls = ({ testRows = 0, isLive = false }: Pick<LoadSize, 'testRows' | 'isLive'>): number =>
  isLive ? 0 : testRows * referencesPerRow;

/**
 * Each call of a load test lasts from its own start to the end of its stages at most; so do consecutive calls in its
 * place together. A call that carries out a test isn't hung up when a stage has fewer calls, so it can last until the
 * end.
 */
function loadSecondsAtMost(load: LoadSize): number {
  const finishesCalls = (load.testRows ?? 0) > 0;
  let seconds = referenceCalls(load) * (secondsForEachCall(load) + loadLettingGo) + fewestCalls(load) * loadLettingGo;
  let most = 0;
  for (const { from, concurrency, startsAt, rampEndsAt, holdSeconds } of timedStages(load)) {
    const before = finishesCalls ? most : from;
    most = Math.max(most, concurrency);
    const after = finishesCalls ? most : concurrency;
    // The first call of a ramp starts or ends at its beginning.
    seconds += after * holdSeconds + ((rampEndsAt - startsAt) * (before + after + Math.sign(after - before))) / 2;
  }
  return seconds;
}

export function loadBudget(load: LoadSize): CallBudget {
  const seconds = loadSecondsAtMost(load);
  const fewest = fewestCalls(load);
  const calls =
    load.replace === true ? Math.max(fewest, Math.ceil(courseSeconds(load) * load.callsPerSecond) + 1) : fewest;
  return { calls: calls + referenceCalls(load), seconds, secondsOfRun: seconds };
}
