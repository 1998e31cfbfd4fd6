import assert from 'node:assert/strict';
import type { AggregateTestRuns } from '../../../../src/contract/testRuns.ts';
import type { LoadTest } from '../../../../src/contract/loadTests.ts';
import { pickRunsFilter } from '../../../../src/editor/commands/tests/pickRunsFilter.ts';
import { WorkspaceFeed } from '../../../../src/editor/store/workspaceFeed.ts';
import { TestNames } from '../../../../src/editor/testing/testNames.ts';
import {
  contradictionIn,
  filterText,
  fitsRun,
  kindsLeft,
  queryOf,
  sinceOf,
} from '../../../../src/editor/views/runsFilter.ts';
import type { RunsFilter } from '../../../../src/editor/views/runsFilter.ts';
import { RunsList } from '../../../../src/editor/views/runsList.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { english, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../fakes.ts';
import { loadTest, missionConfig, testConfig, testRun } from '../testing/fakeRuns.ts';

const bank = 'sip:bank@127.0.0.1:5070';
const now = Date.UTC(2026, 0, 15, 12);

describe('the runs filter', () => {
  it('reaches back to midnight, or this many days', () => {
    assert.equal(new Date((sinceOf({ within: 'today' }, now) ?? 0) + 1).getHours(), 0);
    assert.equal(sinceOf({ within: 'week' }, now), Date.UTC(2026, 0, 8, 12));
    assert.equal(sinceOf({ within: 'month' }, now), Date.UTC(2025, 11, 16, 12));
    assert.equal(sinceOf({}, now), undefined);
  });

  it('asks the service to filter what it can', () => {
    const filter: RunsFilter = {
      outcome: 'FAIL',
      runType: 'mission',
      phoneNumber: bank,
      configId: uuid(1),
      isMission: true,
      within: 'week',
    };
    assert.deepEqual(queryOf(filter, sinceOf(filter, now)), {
      outcome: 'FAIL',
      runType: 'mission',
      phoneNumber: bank,
      configId: uuid(1),
      startedAfter: '2026-01-08T12:00:00.000Z',
    });
    assert.equal(queryOf({ runType: 'load' }, undefined), undefined);
    const fits = (values: Parameters<typeof testRun>[1]): boolean =>
      fitsRun(
        testRun(1, {
          runType: 'mission',
          outcome: 'FAIL',
          configId: uuid(1),
          startedAt: '2026-01-10T00:00:00Z',
          ...values,
        }),
        filter,
        sinceOf(filter, now),
      );
    assert.deepEqual(
      [
        {},
        { outcome: 'PASS' as const },
        { phoneNumber: '+12025550101' },
        { configId: uuid(2) },
        { startedAt: '2026-01-08T12:00:00Z' },
      ].map(fits),
      [true, false, false, false, false],
    );
  });

  it('removes a kind that the other conditions exclude, and says so if one was set anyway', () => {
    assert.deepEqual(kindsLeft({ outcome: 'FAIL' }), ['mission', 'compliance', 'standard', 'param']);
    assert.deepEqual(kindsLeft({ configId: uuid(1), isMission: true }), ['mission']);
    assert.deepEqual(kindsLeft({ configId: uuid(1), isMission: false }), ['standard', 'param', 'load']);
    assert.equal(
      contradictionIn({ outcome: 'FAIL', runType: 'load' }, english),
      'Load tests have no outcome, so no run matches this filter.',
    );
    assert.equal(
      contradictionIn({ configId: uuid(1), isMission: true, runType: 'param' }, english),
      'The test has no runs of the type “script with rows”, so no run matches this filter.',
    );
    assert.equal(contradictionIn({ outcome: 'FAIL', runType: 'mission' }, english), undefined);
  });

  it('describes itself in a few words', () => {
    const words = { l10n: english, moment: () => 'noon', nameOf: () => 'Balance' };
    assert.equal(
      filterText(
        {
          outcome: 'FAIL',
          phoneNumber: bank,
          configId: uuid(1),
          within: 'month',
          startedBefore: '2026-01-01T00:00:00Z',
        },
        words,
      ),
      `failed, ${bank}, Balance, last 30 days, up to noon`,
    );
  });
});

describe('choosing a runs filter', () => {
  let client: FakeClient, dialogs: FakeDialogs, asked: AggregateTestRuns[];
  const pick = (filter: RunsFilter, ...answers: Answer[]): Promise<RunsFilter | undefined> => {
    dialogs = new FakeDialogs(...answers);
    return pickRunsFilter(filter, {
      client,
      dialogs,
      names: new TestNames(client),
      clock: { now: () => now },
      l10n: english,
    });
  };
  const offered = (at = 0): string[] => (dialogs.shown[at] ?? '').split('\n  ').slice(1);

  beforeEach(() => {
    asked = [];
    client = new FakeClient({
      aggregateTestRuns: (input) => {
        asked.push(input);
        const keys =
          input.groupBy === 'phoneNumber'
            ? ['+12025550101', bank]
            : input.runType === 'mission'
              ? [uuid(2)]
              : input.runType === 'param'
                ? []
                : [uuid(1), 'unknown'];
        return {
          total: 3 * keys.length,
          groups: keys.map((key) => ({ key, count: 3, share: 1 / keys.length })),
          truncated: false,
        };
      },
      listLoadTests: () => ({
        items: [
          loadTest(9, { phoneNumber: 'sip:load@127.0.0.1', startedAt: '2026-01-15T00:00:00Z', configId: uuid(3) }),
          loadTest(8, { startedAt: '2025-01-01T00:00:00Z', phoneNumber: 'sip:old@127.0.0.1' }),
        ],
      }),
      getTestConfig: ({ id }) => testConfig(Number(id.slice(-4))),
      getMissionTestConfig: ({ id }) => missionConfig(Number(id.slice(-4))),
    });
  });

  it('adds a condition, replaces one, and removes an active one', async () => {
    assert.deepEqual(await pick({ outcome: 'FAIL' }, { pick: 'last 7 days' }), { outcome: 'FAIL', within: 'week' });
    assert.deepEqual(await pick({ outcome: 'FAIL', within: 'week' }, { pick: 'today' }), {
      outcome: 'FAIL',
      within: 'today',
    });
    assert.deepEqual(await pick({ outcome: 'FAIL', within: 'week' }, { pick: '$(check) last 7 days' }), {
      outcome: 'FAIL',
    });
    assert.deepEqual(await pick({ phoneNumber: bank, runType: 'param' }, { pick: `$(check) ${bank}` }), {
      runType: 'param',
    });
    assert.deepEqual(await pick({ outcome: 'FAIL' }, { pick: 'All runs' }), {});
    assert.equal(await pick({ outcome: 'FAIL' }, { pick: undefined }), undefined);
    assert.equal(client.calls.length, 0);
  });

  it('offers nothing that can never match', async () => {
    await pick({ runType: 'load' }, { pick: undefined });
    assert.ok(!offered().some((line) => line.startsWith('Outcome')));
    await pick({ outcome: 'FAIL' }, { pick: undefined });
    assert.ok(!offered().includes('Kind | load test'));
    await pick({ runType: 'compliance' }, { pick: undefined });
    assert.ok(!offered().some((line) => line.startsWith('Test |')));
    await pick({ runType: 'load', outcome: 'FAIL' }, { pick: '$(check) load test' });
    assert.ok(offered().includes('Kind | $(check) load test'), 'what was set all the same can be taken back');
  });

  it('offers the numbers called by runs of the other conditions, and any other', async () => {
    assert.deepEqual(await pick({ within: 'week' }, { pick: 'Choose a number…' }, { pick: 'sip:load@127.0.0.1' }), {
      within: 'week',
      phoneNumber: 'sip:load@127.0.0.1',
    });
    assert.deepEqual(offered(1), [
      '+12025550101',
      bank,
      'sip:load@127.0.0.1',
      '$(edit) Enter a number or SIP address…',
    ]);
    assert.deepEqual(asked, [{ groupBy: 'phoneNumber', startedAfter: '2026-01-08T12:00:00.000Z' }]);
    assert.deepEqual(
      await pick(
        { phoneNumber: bank },
        { pick: 'Choose another number…' },
        { pick: '$(edit) Enter a number or SIP address…' },
        '+1 (202) 555-0199',
      ),
      { phoneNumber: '+12025550199' },
    );
  });

  it('offers the tests that have such runs by name', async () => {
    assert.deepEqual(await pick({ within: 'week' }, { pick: 'Choose a test…' }, { pick: 'Mission 2' }), {
      within: 'week',
      configId: uuid(2),
      isMission: true,
    });
    assert.deepEqual(offered(1), ['Mission 2 | mission', 'Test 1 | script', 'Test 3 | script']);
    assert.equal((await pick({ outcome: 'FAIL' }, { pick: 'Choose a test…' }, { pick: 'Test 1' }))?.isMission, false);
    assert.ok(!offered(1).includes('Test 3 | script'), 'a load test has no outcome');
    await pick({ runType: 'mission' }, { pick: 'Choose a test…' }, { pick: undefined });
    assert.deepEqual(offered(1), ['Mission 2 | mission']);
  });
});

describe('the filtered list of runs', () => {
  it('omits load tests of other numbers and times, and reads no further than any can match', async () => {
    const pages: Record<string, LoadTest[]> = {
      first: [
        loadTest(1, { startedAt: '2026-01-15T09:00:00Z' }),
        loadTest(2, { startedAt: '2026-01-15T08:00:00Z', phoneNumber: '+12025550101' }),
      ],
      second: [loadTest(3, { startedAt: '2026-01-14T08:00:00Z' }), loadTest(4, { startedAt: '2026-01-01T08:00:00Z' })],
      third: [loadTest(5, { startedAt: '2025-12-31T08:00:00Z' })],
    };
    const client = new FakeClient({
      listTestRuns: () => ({ items: [] }),
      listLoadTests: ({ cursor = 'first' }) => ({
        items: pages[cursor] ?? [],
        ...(cursor !== 'third' && { nextCursor: cursor === 'first' ? 'second' : 'third' }),
      }),
    });
    const clock = new FakeClock();
    const log = recordingLogger();
    const feed = new WorkspaceFeed({ client, clock, log });
    const list = new RunsList({
      client,
      feed,
      names: new TestNames(client),
      clock: { now: () => now },
      log,
      filter: { phoneNumber: bank, within: 'week' },
    });
    await list.refresh();
    await list.loadMore();
    await settle();
    assert.deepEqual(
      list.rows.map((row) => row.kind === 'load' && Number(row.test.id.slice(-2))),
      [1, 3],
    );
    assert.deepEqual([list.hasMore, client.count('listLoadTests')], [false, 2]);
    assert.deepEqual(client.calls.find(({ name }) => name === 'listTestRuns')?.input, {
      phoneNumber: bank,
      startedAfter: '2026-01-08T12:00:00.000Z',
      limit: 50,
    });
    list.dispose();
  });
});
