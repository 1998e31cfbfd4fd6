import assert from 'node:assert/strict';
import { runAgain } from '../../../../src/editor/testing/runAgain.ts';
import { english, FakeClient, uuid } from '../fakes.ts';
import { missionRun, results, testConfig, testRun } from './fakeRuns.ts';

describe('runAgain', () => {
  let client: FakeClient, opened: string[], agrees: boolean;
  const again = (run: Parameters<typeof runAgain>[1], launchedByFile?: readonly string[]): Promise<void> =>
    runAgain(
      {
        client,
        l10n: english,
        withConsent: async (_subject, work) => (agrees ? work() : undefined),
        runInFile: (_run, launched) => {
          launchedByFile?.forEach(launched);
          return Promise.resolve(launchedByFile !== undefined);
        },
        openReport: (runId) => opened.push(runId),
      },
      run,
    );

  beforeEach(() => {
    [opened, agrees] = [[], true];
    client = new FakeClient({
      runTest: () => ({ items: [testRun(21), testRun(22)] }),
      runMissionTest: () => missionRun(31),
      runComplianceTest: () => testRun(41),
      getTestConfig: () =>
        testConfig(1, {
          rows: [
            { key: '1', pin: '4711' },
            { key: '2', pin: '4712' },
          ],
          steps: [
            { name: 'Branch', action: { type: 'press', keys: '{key}' }, passThreshold: 0.8 },
            { name: 'Pin', action: { type: 'press', keys: '{pin}' }, secret: true, passThreshold: 0.8 },
          ],
        }),
    });
  });

  it('runs the file that contains the test, and opens the report of the first call', async () => {
    await again(results(1, { configId: uuid(1) }), [uuid(8), uuid(9)]);
    assert.deepEqual([client.calls, opened], [[], [uuid(8)]]);
  });

  it('runs the saved test, mission or probe if no file contains it', async () => {
    await again(results(1, { configId: uuid(1) }));
    await again(results(1, { configId: uuid(2), runType: 'mission' }));
    await again(
      results(1, { catalogueTestId: 'recording-notice', runType: 'compliance', phoneNumber: '+12025550101' }),
    );
    assert.deepEqual(
      client.calls.map(({ name, input }) => [name, input]),
      [
        ['runTest', { configId: uuid(1) }],
        ['runMissionTest', { configId: uuid(2) }],
        ['runComplianceTest', { catalogueTestId: 'recording-notice', phoneNumber: '+12025550101' }],
      ],
    );
    assert.deepEqual(opened, [uuid(21), uuid(31), uuid(41)]);
  });

  it('calls only the row of the run, with its secret values', async () => {
    await again(results(1, { configId: uuid(1), runType: 'param', row: { key: '2', pin: '•••' } }));
    assert.deepEqual(client.calls.at(-1)?.input, { configId: uuid(1), rows: [{ key: '2', pin: '4712' }] });
  });

  it('calls nothing if the test no longer has the row of the run', async () => {
    await assert.rejects(
      again(results(1, { configId: uuid(1), runType: 'param', row: { key: '3', pin: '•••' } })),
      /no longer has the row of this run/,
    );
    assert.deepEqual(
      client.calls.filter(({ name }) => name === 'runTest'),
      [],
    );
  });

  it('opens nothing if the user declines', async () => {
    agrees = false;
    await again(results(1, { configId: uuid(1) }));
    assert.deepEqual(opened, []);
  });
});
