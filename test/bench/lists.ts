import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import {
  aggregateTestRunsSchema,
  groupBySchema,
  listTestRunsSchema,
  timeBucketSchema,
} from '../../src/contract/testRuns.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { Signer } from '../../src/service/basics/signing.ts';
import { openEmbeddedStore } from '../../src/service/store/embeddedStore.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import type { Store } from '../../src/service/store/store.ts';
import { TestRuns } from '../../src/service/testing/testRuns.ts';
import { fillRuns } from '../support/fillRuns.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { median } from './median.ts';

const RUNS = 100_000;
const BUDGET_MS = 30;
const ROUNDS = 7;

/**
 * Measures lists and counts of 100,000 stored runs of one workspace over two years. Takes about two minutes, most of it
 * to fill the store.
 */
export async function measureLists(): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'dialtree-bench-'));
  let store: Store | undefined;
  try {
    const folder = new DataFolder(path);
    await folder.create();
    store = await openEmbeddedStore({
      folder,
      assetsDir: (await serviceAssets()).assetsDir,
      log: silentLog,
      now: () => new Date(),
    });
    const workspaceId = await fill(store);
    // The store's own hourly maintenance. The embedded database has no autovacuum, so nothing else does this.
    const exportedAt = performance.now();
    await store.export();
    console.log(`  the hourly export of such a store: ${((performance.now() - exportedAt) / 1000).toFixed(1)} s`);
    await measure(store, workspaceId);
  } finally {
    await store?.close();
    await rm(path, { recursive: true, force: true });
  }
}

async function measure(store: Store, workspaceId: string): Promise<void> {
  const runs = new TestRuns(store, new Signer(store.secret), () => '');
  const list = (input: object) => async () => await runs.list(workspaceId, listTestRunsSchema.parse(input));
  const count = (input: object) => async () => await runs.aggregate(workspaceId, aggregateTestRunsSchema.parse(input));
  const lists: Record<string, () => Promise<unknown>> = {};
  for (const [name, filters] of Object.entries(filterSets)) {
    for (const order of [{}, { sortDir: 'asc' }, { sort: 'completedAt' }]) {
      const input = { ...filters, ...order };
      const label = `${name}${Object.values(order)
        .map((value) => ` by ${value}`)
        .join('')}`;
      lists[`list, first page, ${label}`] = list(input);
      const cursor = await middleOf(runs, workspaceId, input);
      if (cursor !== undefined) lists[`list, middle page, ${label}`] = list({ ...input, cursor });
    }
  }
  const aggregates: Record<string, () => Promise<unknown>> = {};
  for (const groupBy of groupBySchema.options) {
    for (const timeBucket of [undefined, ...timeBucketSchema.options]) {
      aggregates[`count by ${groupBy}${timeBucket === undefined ? '' : ` and ${timeBucket}`}`] = count({
        groupBy,
        ...(timeBucket !== undefined && { timeBucket }),
      });
    }
  }
  for (const [name, filters] of Object.entries(filterSets)) {
    if (name === 'no filter' || 'configName' in filters) continue;
    aggregates[`count by outcome and day, ${name}`] = count({ groupBy: 'outcome', timeBucket: 'day', ...filters });
  }

  const fullScan = 'SELECT count(*)';
  const times = new Map<string, number[]>();
  const questions = {
    [fullScan]: () => sql`SELECT count(*) FROM test_runs WHERE started_at + interval '0' IS NOT NULL`.execute(store.db),
    ...lists,
    ...aggregates,
  };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, ask] of Object.entries(questions)) {
      const askedAt = performance.now();
      await ask();
      // The first round fills the caches.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - askedAt]);
    }
  }
  const p50Ms = Object.fromEntries([...times].map(([name, values]) => [name, median(values)]));
  const fullScanMs = p50Ms[fullScan] ?? Number.NaN;
  for (const [name, ms] of Object.entries(p50Ms))
    console.log(`  ${name}: p50 ${ms.toFixed(1)} ms, ${(ms / fullScanMs).toFixed(2)} of a full scan`);
  const worst = (of: object): number => Math.max(...Object.keys(of).map((name) => p50Ms[name] ?? Number.NaN));
  for (const [what, questions] of Object.entries({ list: lists, count: aggregates }))
    console.log(
      `slowest ${what} of ${String(RUNS)} runs: ${worst(questions).toFixed(1)} ms, ${(worst(questions) / BUDGET_MS).toFixed(2)} of the budget of ${String(BUDGET_MS)} ms`,
    );
}

const config = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** A common filter, rare ones, and some that match nearly all or very few rows. */
const filterSets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no filter': {},
  'of an outcome': { outcome: 'FAIL' },
  'of a type': { runType: 'compliance' },
  'of a test': { configId: config(7) },
  'of a number': { phoneNumber: '+12025550103' },
  'of a month': { startedAfter: '2025-11-01T00:00:00Z', startedBefore: '2025-12-01T00:00:00Z' },
  'of a name': { configName: 'billing 7' },
  'of a rare outcome of a test': { outcome: 'INCONCLUSIVE', configId: config(11), runType: 'mission' },
};

/** Returns the cursor of a page half-way; there are few pages if the filter leaves few rows. */
async function middleOf(runs: TestRuns, workspaceId: string, input: object): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < 20; page += 1) {
    const { nextCursor } = await runs.list(
      workspaceId,
      listTestRunsSchema.parse({ ...input, limit: 100, ...(cursor !== undefined && { cursor }) }),
    );
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return cursor;
}

async function fill(store: Store): Promise<string> {
  const workspaceId = randomUUID();
  await store.write((transaction) =>
    transaction
      .insertInto('workspaces')
      .values({
        id: workspaceId,
        kind: 'agent',
        name: 'bench',
        default_profile_id: randomUUID(),
        created_at: new Date(),
      })
      .execute(),
  );
  await fillRuns(store, workspaceId, { count: RUNS, runningOneIn: 50 });
  return workspaceId;
}
