import assert from 'node:assert/strict';
import type { Run } from '../../../../src/contract/runs.ts';
import { pickRunsFilter } from '../../../../src/editor/commands/tests/pickRunsFilter.ts';
import { filterText, fits, queryOf, sinceOf } from '../../../../src/editor/views/runsFilter.ts';
import type { RunsFilter } from '../../../../src/editor/views/runsFilter.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { fakeEditor } from '../fakeEditor.ts';
import { english, FakeClient, uuid } from '../fakes.ts';
import { listedRun } from '../testing/fakeRuns.ts';

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
      testName: 'Balance',
      within: 'week',
    };
    assert.deepEqual(queryOf(filter, sinceOf(filter, now)), {
      outcome: 'FAIL',
      kind: 'mission',
      phoneNumber: bank,
      configId: uuid(1),
      startedAfter: '2026-01-08T12:00:00.000Z',
    });
    const matches = (values: Partial<Run>): boolean =>
      fits(
        listedRun(1, {
          kind: 'mission',
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
      ].map(matches),
      [true, false, false, false, false],
    );
  });

  it('describes itself in a few words', () => {
    const words = { l10n: english, moment: () => 'noon' };
    assert.equal(
      filterText(
        {
          outcome: 'FAIL',
          phoneNumber: bank,
          configId: uuid(1),
          testName: 'Balance',
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
  let client: FakeClient, dialogs: FakeDialogs, asked: unknown[];
  const pick = (filter: RunsFilter, ...answers: Answer[]): Promise<RunsFilter | undefined> => {
    dialogs = new FakeDialogs(...answers);
    return pickRunsFilter(filter, fakeEditor({ client, dialogs, clock: { now: () => now } }));
  };
  const offered = (at = 0): string[] => (dialogs.shown[at] ?? '').split('\n  ').slice(1);

  beforeEach(() => {
    asked = [];
    client = new FakeClient({
      listRuns: (input) => {
        asked.push(input);
        return {
          items: [
            listedRun(1, { phoneNumber: '+12025550101', configId: uuid(2), kind: 'mission', name: 'Mission 2' }),
            listedRun(2, { phoneNumber: bank, configId: uuid(1), name: 'Test 1' }),
            listedRun(3, { phoneNumber: bank, configId: uuid(1), name: 'Test 1' }),
            listedRun(4, { phoneNumber: 'sip:load@127.0.0.1', kind: 'load', configId: uuid(3), name: 'Test 3' }),
          ],
          nextCursor: 'more',
        };
      },
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

  it('offers the numbers called by the newest runs of the other conditions, and any other', async () => {
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
    const query = { startedAfter: '2026-01-08T12:00:00.000Z', limit: 100 };
    assert.deepEqual(asked, [query, { ...query, cursor: 'more' }, { ...query, cursor: 'more' }]);
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
      testName: 'Mission 2',
    });
    assert.deepEqual(offered(1), ['Mission 2 | mission', 'Test 1 | script', 'Test 3 | load test']);
  });
});
