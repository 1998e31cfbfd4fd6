import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { silentLog } from '../../src/service/basics/log.ts';
import { RunQueue } from '../../src/service/runs/runQueue.ts';
import type { Store } from '../../src/service/store/store.ts';
import { renewSlot, takeSlot } from '../../src/service/workspaces/admission.ts';
import { insertWorkspace } from '../support/storedRows.ts';
import { openTestStore } from '../support/testStore.ts';

type Kind = Parameters<Parameters<RunQueue['work']>[0]>[0];

/** The runs that a queue has begun, each until the test ends it. */
class Runs {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<undefined>>();
  readonly #store: Store;
  #onChange: () => void = () => undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  readonly carryOut = async (_kind: Kind, id: string): Promise<void> => {
    const end = Promise.withResolvers<undefined>();
    this.#ends.set(id, end);
    this.begun.push(id);
    this.#onChange();
    await end.promise;
    await this.#store.db.deleteFrom('slots').where('run_id', '=', id).execute();
  };

  async until(count: number): Promise<void> {
    while (this.begun.length < count)
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
  }

  end(id: string, error?: Error): void {
    if (error) this.#ends.get(id)?.reject(error);
    else this.#ends.get(id)?.resolve(undefined);
  }

  endAll(): void {
    for (const id of this.#ends.keys()) this.end(id);
  }
}

describe('the queue of runs @engine', function () {
  let store: Store;
  let queue: RunQueue;
  let runs: Runs;
  const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()];

  beforeEach(async () => {
    store = await openTestStore();
    queue = open();
    runs = new Runs(store);
    for (const id of [one, other, third])
      await insertWorkspace(store.db, { id, unlimited: true, created_at: new Date() });
  });
  afterEach(async () => {
    runs.endAll();
    await queue.close();
    await store.close();
  });

  const open = (): RunQueue => new RunQueue({ store, log: silentLog });
  async function add(workspaceId: string, kind: Kind = 'mapping', waits = false): Promise<string> {
    const runId = randomUUID();
    await store.db
      .insertInto('slots')
      .values({
        run_id: runId,
        workspace_id: workspaceId,
        kind,
        lane: waits ? 'wait' : kind,
        pool: 'testing',
        reserved_seconds: null,
        expires_at: new Date(Date.now() + 1e9),
      })
      .execute();
    return runId;
  }
  const addAll = async (count: number, ...rest: Parameters<typeof add>): Promise<string[]> => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await add(...rest));
    return ids;
  };

  it('begins runs of another workspace at once, however many a first one has, of any kind', async () => {
    await addAll(6, one);
    await addAll(6, one, 'tests');
    await addAll(6, one, 'load');
    const waiting = await addAll(6, one, 'tests', true);
    queue.work(runs.carryOut);
    await runs.until(4 + 4 + 1 + 6);
    assert.ok(waiting.every((id) => runs.begun.includes(id)));
    const theirs = [
      await add(other),
      await add(other, 'tests'),
      await add(other, 'load'),
      await add(other, 'tests', true),
    ];
    queue.announce();
    await runs.until(15 + theirs.length);
    assert.deepEqual(runs.begun.slice(15).sort(), [...theirs].sort());
  });

  it('holds no worker of tests for those that wait for a call', async () => {
    const waiting = [...(await addAll(10, one, 'tests', true)), ...(await addAll(10, other, 'tests', true))];
    const calls = await addAll(4, one, 'tests');
    queue.work(runs.carryOut);
    await runs.until(24);
    assert.deepEqual(runs.begun.toSorted(), [...waiting, ...calls].sort());
  });

  it('takes workspaces in turn, and the runs of each in order', async () => {
    const held = await addAll(4, third);
    queue.work(runs.carryOut);
    await runs.until(4);
    // Four workers of the second half, one per workspace, and then those that become free.
    const mine = await addAll(3, one);
    const theirs = await addAll(3, other);
    queue.announce();
    await runs.until(6);
    assert.deepEqual(runs.begun.slice(4), [mine[0], theirs[0]]);
    for (const id of held.slice(0, 3)) runs.end(id);
    await runs.until(7);
    assert.equal(runs.begun[6], mine[1]);
    runs.end(held[3] ?? '');
    await runs.until(8);
    assert.equal(runs.begun[7], theirs[1]);
  });

  it('tries a run again whose attempt failed, and forgets one that has ended', async () => {
    const id = await add(one);
    queue.work(runs.carryOut);
    await runs.until(1);
    runs.end(id, new Error('the disk is full'));
    await runs.until(2);
    assert.deepEqual(runs.begun, [id, id]);
    runs.end(id);
    const next = await add(one);
    queue.announce();
    await runs.until(3);
    assert.equal(runs.begun[2], next);
  });

  it('takes no more once it should not, and leaves that to the next process', async () => {
    const [first] = await addAll(1, one);
    queue.work(runs.carryOut);
    await runs.until(1);
    queue.takeNoMore();
    const late = await add(other);
    queue.announce();
    runs.end(first ?? '');
    await queue.close();
    assert.deepEqual(runs.begun, [first]);
    queue = open();
    queue.work(runs.carryOut);
    await runs.until(2);
    assert.equal(runs.begun[1], late);
  });

  it('takes over the runs of a crashed process, once their leases have expired by the clock of the database', async () => {
    const [begun, unbegun, kept, fresh] = [await add(one), await add(one), await add(other), await add(other)];
    const [crashed, crashedRuns] = [open(), new Runs(store)];
    crashed.work(crashedRuns.carryOut);
    await crashedRuns.until(4);
    const past = new Date(Date.now() - 16_000);
    await store.write((transaction) => takeSlot(transaction, { runId: begun, attempt: 1 }, new Date()));
    await store.db.updateTable('slots').set({ taken_at: past }).where('run_id', '!=', fresh).execute();
    // The clock of its process is behind by an hour.
    const behind = new Date(Date.now() - 3_600_000);
    await store.write((transaction) => takeSlot(transaction, { runId: kept, attempt: 1 }, behind));
    assert.equal(
      await store.write((transaction) => renewSlot(transaction, { runId: kept, attempt: 1 }, behind)),
      'kept',
    );
    queue.work(runs.carryOut);
    await runs.until(2);
    const last = await add(third);
    queue.announce();
    await runs.until(3);
    assert.deepEqual(runs.begun, [begun, unbegun, last]);
    crashedRuns.endAll();
    await crashed.close();
  });

  it('returns everything that was taken to the queue when the only process starts again', async () => {
    const id = await add(one);
    const [crashed, crashedRuns] = [open(), new Runs(store)];
    crashed.work(crashedRuns.carryOut);
    await crashedRuns.until(1);
    await store.write((transaction) => takeSlot(transaction, { runId: id, attempt: 1 }, new Date()));
    assert.deepEqual(await queue.recover(), { waiting: new Set([id]) });
    queue.work(runs.carryOut);
    await runs.until(1);
    assert.deepEqual(runs.begun, [id]);
    crashedRuns.endAll();
    await crashed.close();
  });
});
