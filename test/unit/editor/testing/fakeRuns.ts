import { withoutUndefined } from '../../../../src/base/withoutUndefined.ts';
import type { LoadTest } from '../../../../src/contract/loadTests.ts';
import type { MissionTestConfig } from '../../../../src/contract/missionConfigs.ts';
import type { Run } from '../../../../src/contract/runs.ts';
import type { TestConfig } from '../../../../src/contract/testConfigs.ts';
import type { MissionTestRun, RunResults, StepResult, TestRun } from '../../../../src/contract/testRuns.ts';
import { uuid } from '../fakes.ts';

export const testRun = (number: number, values: Partial<TestRun> = {}): TestRun => ({
  id: uuid(number),
  runType: 'standard',
  status: 'completed',
  phoneNumber: 'sip:bank@127.0.0.1:5070',
  startedAt: new Date(Date.UTC(2026, 0, 1, 12, number)).toISOString(),
  ...(values.status === 'running'
    ? {}
    : { outcome: 'PASS', completedAt: new Date(Date.UTC(2026, 0, 1, 12, number, 30)).toISOString() }),
  ...values,
});

/** A row of the list of all runs. */
export const listedRun = (number: number, values: Partial<Run> = {}): Run => {
  const { runType, ...run } = testRun(number);
  const going = values.status === 'running' ? { outcome: undefined, completedAt: undefined } : {};
  return withoutUndefined({ ...run, kind: runType, ...going, ...values });
};

export const step = (name: string, values: Partial<StepResult> = {}): StepResult => ({
  name,
  outcome: 'PASS',
  ...values,
});

export const results = (number: number, values: Partial<RunResults> = {}): RunResults => ({
  ...testRun(number, values),
  steps: [],
  ...values,
});

export const missionRun = (number: number, values: Partial<MissionTestRun> = {}): MissionTestRun => ({
  id: uuid(number),
  configId: uuid(1),
  phoneNumber: 'sip:bank@127.0.0.1:5070',
  status: 'completed',
  verdict: 'pass',
  transcript: [],
  startedAt: '2026-01-01T12:00:00.000Z',
  ...values,
});

export const testConfig = (number: number, values: Partial<TestConfig> = {}): TestConfig => ({
  id: uuid(number),
  name: `Test ${String(number)}`,
  phoneNumber: 'sip:bank@127.0.0.1:5070',
  language: 'en-US',
  type: 'standard',
  profileId: uuid(999),
  tags: [],
  steps: [{ name: 'Greeting', action: { type: 'dial' }, passThreshold: 0.8 }],
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...values,
});

export const missionConfig = (number: number, values: Partial<MissionTestConfig> = {}): MissionTestConfig => ({
  id: uuid(number),
  name: `Mission ${String(number)}`,
  phoneNumber: 'sip:bank@127.0.0.1:5070',
  mission: 'Ask for the balance.',
  acceptance: 'The balance is told.',
  profileId: uuid(999),
  tags: [],
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...values,
});

export const loadTest = (number: number, values: Partial<LoadTest> = {}): LoadTest => ({
  id: uuid(number),
  phoneNumber: 'sip:bank@127.0.0.1:5070',
  concurrency: 10,
  rampSeconds: 0,
  holdSeconds: 10,
  status: 'completed',
  startedAt: '2026-01-01T12:00:00.000Z',
  ...values,
});

/** A `vscode.Memento` in memory. */
export function memento(): { get(key: string): unknown; update(key: string, value: unknown): Promise<void> } {
  const kept = new Map<string, unknown>();
  return {
    get: (key) => kept.get(key),
    update: (key, value) => {
      kept.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}
