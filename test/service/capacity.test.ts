import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { tiers } from '../../src/contract/limits.ts';
import type { Database } from '../../src/service/store/schema.ts';
import type { Store } from '../../src/service/store/store.ts';
import { admit, grantSeconds, renewSlot, takeSlot, settleUsage } from '../../src/service/workspaces/admission.ts';
import { countInMemory } from '../../src/service/workspaces/requestCounts.ts';
import { RateLimit } from '../../src/service/workspaces/rateLimit.ts';
import { readUsage } from '../../src/service/workspaces/usage.ts';
import { openTestStore } from '../support/testStore.ts';
import { insertWorkspace } from '../support/storedRows.ts';

describe('service: capacity of a workspace', function () {
  let store: Store;
  let workspaceId = '';
  let now = new Date('2026-03-10T12:00:00.000Z');
  const later = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1000);
  };

  before(async () => {
    store = await openTestStore(() => now);
  });
  beforeEach(async () => {
    workspaceId = randomUUID();
    await store.write((transaction) =>
      insertWorkspace(transaction, { id: workspaceId, kind: 'agent', created_at: now }),
    );
  });
  after(async () => {
    await store.close();
  });

  const write = <Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result> =>
    store.write(work);
  const give = (source: 'grant' | 'pack', seconds: number, pool: 'mapping' | 'testing' = 'mapping') =>
    write((transaction) => grantSeconds(transaction, workspaceId, pool, source, seconds, now));
  const begin = async (wantedSeconds: number, kind: 'mapping' | 'tests' = 'mapping') => {
    const runId = randomUUID();
    const { budgetSeconds } = await write((transaction) =>
      admit(transaction, {
        workspaceId,
        runId,
        kind,
        wanted: { calls: 1, seconds: wantedSeconds, secondsOfRun: wantedSeconds },
        now,
      }),
    );
    return {
      runId,
      budgetSeconds,
      end: (seconds: number) =>
        write((transaction) => settleUsage(transaction, { workspaceId, runId, kind, seconds, calls: 1, now })),
    };
  };

  it("reserves what a run can use, and returns what it didn't use @engine", async () => {
    await give('grant', 100);
    const first = await begin(70);
    const second = await begin(70);
    assert.deepEqual([first.budgetSeconds, second.budgetSeconds], [70, 30]);
    await second.end(0);
    const last = await begin(70);
    const usage = await readUsage(store, { workspaceId, keyId: 'none' }, now);
    assert.deepEqual(
      [usage.freeMinutes.mapping.remaining, usage.reservedMinutes.mapping, usage.reservedMinutes.testing],
      [1.67, 1.67, 0],
    );
    await assert.rejects(begin(1, 'tests'), { status: 402, message: /no minutes left for tests/ }, 'pools are apart');
    await first.end(40);
    await last.end(0);
    const all = await begin(70);
    assert.equal(all.budgetSeconds, 60);
    await all.end(60);
    await assert.rejects(begin(1), {
      status: 402,
      code: 'capacity_exhausted',
      claim: { method: 'POST', path: '/claim', tool: 'getClaimLink' },
      message: /no minutes left for mapping/,
    });
  });

  it('answers 429 to a run that waits for minutes reserved by others, and admits one that fits @engine', async () => {
    await give('grant', 100);
    const first = await begin(100);
    const waits = {
      status: 429,
      code: 'concurrency_ceiling',
      claim: undefined,
      retryAfterSeconds: undefined,
      message: /reserved for runs in progress\. Wait/,
    };
    await assert.rejects(begin(10), waits);
    await first.end(20);
    const fits = await begin(30);
    assert.deepEqual([fits.budgetSeconds, (await begin(30)).budgetSeconds], [30, 30]);
    await give('grant', 100, 'testing');
    await fits.end(30);
    assert.equal((await begin(30, 'tests')).budgetSeconds, 30);
  });

  it('uses the free minutes before those of packs, once per run @engine', async () => {
    await give('pack', 60);
    await give('grant', 30);
    const run = await begin(1000);
    await run.end(48);
    await run.end(48);
    const usage = await readUsage(store, { workspaceId, keyId: 'none' }, now);
    assert.deepEqual(usage.freeMinutes.mapping, { granted: 0.5, used: 0.5, remaining: 0 });
    assert.deepEqual(
      usage.packs.map(({ pool, minutes, remaining }) => [pool, minutes, remaining]),
      [['mapping', 1, 0.7]],
    );
    assert.equal(usage.period.minutes.mapping, 0.8);
  });

  it('sends no claim block once a person owns the workspace', async () => {
    await write((transaction) =>
      transaction
        .updateTable('workspaces')
        .set({ kind: 'person', claimed_at: now })
        .where('id', '=', workspaceId)
        .execute(),
    );
    await assert.rejects(
      begin(1),
      (error: { status?: number; claim?: unknown }) => error.status === 402 && error.claim === undefined,
    );
  });

  it('frees the slot of a dead process after 15 seconds, and keeps that of a live one @engine', async () => {
    await give('grant', 100);
    const [dead, alive] = [await begin(10), await begin(10)];
    const held = ({ runId }: { readonly runId: string }) => ({ runId, attempt: 1 });
    for (const run of [dead, alive])
      assert.equal(await write((transaction) => takeSlot(transaction, held(run), now)), 10);
    await assert.rejects(begin(10), { status: 429, code: 'concurrency_ceiling' });
    later(10);
    assert.equal(await write((transaction) => renewSlot(transaction, held(alive), now)), 'kept');
    later(5);
    assert.equal((await readUsage(store, { workspaceId, keyId: 'none' }, now)).runsInFlight, 1);
    const next = await begin(10);
    assert.equal(
      await write((transaction) => takeSlot(transaction, { ...held(alive), attempt: 2 }, now)),
      10,
      'what was set aside stays',
    );
    assert.equal(
      await write((transaction) => renewSlot(transaction, held(alive), now)),
      'lost',
      'another attempt has it',
    );
    for (const run of [dead, alive, next]) await run.end(0);
    assert.equal((await readUsage(store, { workspaceId, keyId: 'none' }, now)).runsInFlight, 0);
  });

  it('keeps the slot of a run that waits for longer than a process can be silent @engine', async () => {
    await give('grant', 100);
    const [first, second] = [await begin(10), await begin(10)];
    later(3600);
    await assert.rejects(begin(10), { status: 429 });
    for (const run of [first, second]) await run.end(0);
  });

  it('holds every tier to its runs in flight and its requests per minute', async () => {
    const rateLimit = new RateLimit(countInMemory);
    for (const tier of ['free', 'starter', 'team', 'enterprise'] as const) {
      const id = randomUUID();
      await write((transaction) =>
        insertWorkspace(transaction, { id, name: tier, tier, unlimited: true, created_at: now }),
      );
      const start = () =>
        write((transaction) =>
          admit(transaction, {
            workspaceId: id,
            runId: randomUUID(),
            kind: 'mapping',
            wanted: { calls: 1, seconds: 1, secondsOfRun: 1 },
            now,
          }),
        );
      for (let run = 0; run < tiers[tier].runs; run += 1)
        assert.equal((await start()).budgetSeconds, undefined, 'unlimited');
      await assert.rejects(start(), { status: 429, code: 'concurrency_ceiling' }, tier);
      let allowed = 0;
      for (let request = 0; request < tiers[tier].requestsPerMinute + 3; request += 1)
        if ((await rateLimit.take({ workspaceId: id, tier })) === 0) allowed += 1;
      assert.equal(allowed, tiers[tier].requestsPerMinute, tier);
    }
  });
});
