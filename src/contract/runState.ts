import type { EndedBy } from './common.ts';
import type { LoadTest } from './loadTests.ts';
import type { MappingRun } from './mapping.ts';
import type { Run } from './runs.ts';
import type { RunOutcome, StepResult, TestRun } from './testRuns.ts';

/** How a run ended that says nothing about the called side: on request, or because the service stopped. */
export type CutShort = 'cancelled' | 'interrupted';

/**
 * Returns the state of a run as people see it. The interface reports a run that was cut short as failed, aborted or
 * ERROR, with the cause in `endedBy`. An end that the run reached by itself stays.
 *
 * @param state the status of a mapping run or load test, or the outcome of a test run
 */
export function stateOf<State extends string>(state: State, endedBy: EndedBy | undefined): State | CutShort {
  if (!/^(?:failed|aborted|ERROR)$/.test(state)) return state;
  if (endedBy === 'cancel') return 'cancelled';
  return endedBy === 'stop' || endedBy === 'crash' ? 'interrupted' : state;
}

/** Returns the state of a test run. A call by hand that took its course has neither passed nor failed. */
export const testState = ({ outcome, endedBy, guided }: Pick<TestRun, 'outcome' | 'endedBy' | 'guided'>) =>
  outcome === undefined ? 'running' : guided === true && outcome === 'PASS' ? 'byHand' : stateOf(outcome, endedBy);

/** Returns the state of a run of any kind. A load test without criteria that took its course is unjudged. */
export const runState = (run: Pick<Run, 'status' | 'outcome' | 'endedBy' | 'guided'>) =>
  run.status === 'completed' && run.outcome === undefined ? 'unjudged' : testState(run);

/** Returns the state of a mapping run. It is uncertain if no limit was reached, but this machine was too busy for it. */
export const mappingState = (run: Pick<MappingRun, 'status' | 'endedBy' | 'limitReason'>) =>
  run.status === 'limited' && run.limitReason === undefined ? 'uncertain' : stateOf(run.status, run.endedBy);

/** Templates with which the reason of a step begins that wasn't reached. */
const notReached = /^Not reached[.:]/;

/** Returns the state of a step. The engine's reason says if a step wasn't reached; its outcome is INCONCLUSIVE. */
export const stepState = (
  { outcome, reason = '', reasonParts = [] }: Pick<StepResult, 'outcome' | 'reason' | 'reasonParts'>,
  endedBy: EndedBy | undefined,
): RunOutcome | CutShort | 'notReached' =>
  // Results of older versions have no parts.
  outcome === 'INCONCLUSIVE' && notReached.test(reasonParts[0]?.[0] ?? reason)
    ? 'notReached'
    : stateOf(outcome, endedBy);

/**
 * Returns the verdict of a load test, or without one, how it ended. A verdict on a test that ended early is in its
 * criteria.
 */
export function loadState({ status, endedBy, stats }: Pick<LoadTest, 'status' | 'endedBy' | 'stats'>) {
  const state = stateOf(status, endedBy);
  const isJudged = state === 'completed' || (state === status && stats?.verdict?.outcome === 'fail');
  const result = isJudged ? (stats?.verdict?.outcome ?? state) : state;
  return result === 'completed' ? 'unjudged' : result;
}

const passed = { id: 'pass', color: 'charts.green' } as const;
const failed = { id: 'error', color: 'charts.red' } as const;
const broken = { id: 'warning', color: 'charts.orange' } as const;
const undecided = { id: 'question', color: 'charts.yellow' } as const;
const limited = { id: 'warning', color: 'charts.yellow' } as const;
const running = { id: 'loading~spin', color: 'progressBar.background' } as const;
const neutral = { id: 'circle-slash', color: 'descriptionForeground' } as const;

/** The sign of every state, as a codicon and a colour of the theme. It is the same in views and in pages. */
export const looks = {
  // Tests and their steps.
  PASS: passed,
  FAIL: failed,
  ERROR: broken,
  INCONCLUSIVE: undecided,
  notReached: neutral,
  byHand: { id: 'info', color: 'descriptionForeground' },
  // Mapping runs and load tests.
  running,
  completed: passed,
  failed,
  limited,
  uncertain: undecided,
  cancelled: neutral,
  interrupted: neutral,
  aborted: limited,
  pass: passed,
  fail: failed,
  inconclusive: undecided,
  unjudged: { id: 'info', color: 'descriptionForeground' },
  // Steps of a tree.
  pending: { id: 'circle-outline', color: 'descriptionForeground' },
  exploring: running,
  explored: passed,
  skipped: neutral,
  linked: { id: 'link', color: 'textLink.foreground' },
} as const;
