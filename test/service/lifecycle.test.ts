import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { HumanError } from '../../src/contract/errors.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { RunQueue } from '../../src/service/runs/runQueue.ts';
import { RunLifecycle } from '../../src/service/runs/lifecycle.ts';
import type { Attempt, EndedRun, RunControl, RunKind } from '../../src/service/runs/lifecycle.ts';
import { StopReason } from '../../src/service/runs/stopReason.ts';
import type { Database } from '../../src/service/store/schema.ts';
import type { Store } from '../../src/service/store/store.ts';
import { takeSlot } from '../../src/service/workspaces/admission.ts';
import { ManualClock } from '../support/manualClock.ts';
import { aborted } from '../support/aborted.ts';
import { openTestStore } from '../support/testStore.ts';
import { insertWorkspace } from '../support/storedRows.ts';

interface Slot {
  readonly id: string;
  readonly workspace_id: string;
  readonly attempt: number;
}

/** Runs that consist of their slot only, and end as the test decides. */
class SlotRuns implements RunKind<Slot, string> {
  readonly handsOver = false;
  readonly cancelled = new StopReason('cancel', 'cancelled');
  readonly stopped = new StopReason('stop', 'stopped');
  readonly lost = new StopReason('crash', 'lost');
  readonly ends: string[] = [];
  work: (attempt: Attempt<Slot>, control: RunControl) => Promise<string> = () => Promise.resolve('done');
  giveUp: StopReason | undefined;
  failuresOfEnd = 0;

  open(db: Kysely<Database>, id?: string): Promise<Slot[]> {
    const all = db.selectFrom('slots').select(['run_id as id', 'workspace_id', 'attempt']);
    return (id === undefined ? all : all.where('run_id', '=', id)).execute();
  }
  async begin(transaction: Transaction<Database>, id: string): Promise<Attempt<Slot> | undefined> {
    const [row] = await this.open(transaction, id);
    if (!row) return undefined;
    return {
      row,
      workspaceId: row.workspace_id,
      attempt: row.attempt + 1,
      ...(this.giveUp && { giveUp: this.giveUp }),
    };
  }
  endOf(_row: Slot, why: StopReason, worked?: string): string {
    return [worked, String(why)].filter((part) => part !== undefined).join(', ');
  }
  async end(transaction: Transaction<Database>, { id }: Slot, end: string): Promise<EndedRun | undefined> {
    if (this.failuresOfEnd > 0) {
      this.failuresOfEnd -= 1;
      throw new Error('the disk is full');
    }
    const [row] = await this.open(transaction, id);
    if (row) this.ends.push(end);
    return row && { workspaceId: row.workspace_id, used: { seconds: 7, calls: 1 } };
  }
}

describe('the life cycle of a run @engine', function () {
  const workspaceId = randomUUID();
  let store: Store;
  let queue: RunQueue;
  let clock: ManualClock;
  let kind: SlotRuns;
  let life: RunLifecycle<'echo'>;

  beforeEach(async () => {
    store = await openTestStore();
    queue = await RunQueue.open(store, silentLog);
    clock = new ManualClock();
    kind = new SlotRuns();
    life = new RunLifecycle({ store, queue, clock, now: () => new Date(), log: silentLog }, { echo: kind });
    await store.write((transaction) =>
      insertWorkspace(transaction, { id: workspaceId, unlimited: true, created_at: new Date() }),
    );
  });
  afterEach(async () => {
    await queue.close();
    await store.close();
  });

  async function start(): Promise<string> {
    const id = randomUUID();
    await life.start('echo', {
      id,
      launcher: { workspaceId, keyId: 'test' },
      prepare: () =>
        Promise.resolve({
          wanted: { calls: 1, seconds: 60, secondsOfRun: 60 },
          insert: () => Promise.resolve(),
        }),
    });
    return id;
  }
  const left = async () => ({
    ends: kind.ends,
    counted: (await store.db.selectFrom('ledger').select(['seconds', 'calls']).execute()).length,
    slots: (await store.db.selectFrom('slots').selectAll().execute()).length,
    active: life.activeCount,
  });

  it('carries it out once, counts it once, and frees its slot', async () => {
    const id = await start();
    await life.carryOut('echo', id);
    await life.carryOut('echo', id);
    assert.deepEqual(await left(), { ends: ['done'], counted: 1, slots: 0, active: 0 });
  });

  it('ends it on request, waiting or running, with the reason', async () => {
    const waiting = await start();
    await life.cancel('echo', waiting, new StopReason('cancel', 'not needed'));
    const began = Promise.withResolvers<undefined>();
    kind.work = async (_attempt, { signal }) => {
      began.resolve(undefined);
      await aborted(signal);
      return 'half';
    };
    const id = await start();
    const carried = life.carryOut('echo', id);
    await began.promise;
    await life.carryOut('echo', id);
    await life.cancel('echo', id);
    await carried;
    assert.deepEqual(await left(), { ends: ['not needed', 'half, cancelled'], counted: 2, slots: 0, active: 0 });
    await life.cancel('echo', id);
  });

  it('stores nothing once another attempt owns its slot', async () => {
    kind.work = async ({ row }, { signal }) => {
      const held = { workspaceId, runId: row.id, kind: 'echo', attempt: 2 } as const;
      await store.write((transaction) => takeSlot(transaction, held, new Date()));
      const ended = aborted(signal);
      clock.advance(5000);
      await ended;
      return 'stale';
    };
    await life.carryOut('echo', await start());
    assert.deepEqual(await left(), { ends: [], counted: 0, slots: 1, active: 0 });
  });

  it('ends it without an attempt if its kind gives up', async () => {
    kind.giveUp = new StopReason('crash', 'crashed too often');
    kind.work = () => Promise.reject(new Error('performed all the same'));
    await life.carryOut('echo', await start());
    assert.deepEqual(await left(), { ends: ['crashed too often'], counted: 1, slots: 0, active: 0 });
  });

  it('retries storing its end until that succeeds', async () => {
    kind.failuresOfEnd = 2;
    const carried = life.carryOut('echo', await start());
    let done = false;
    void carried.then(() => {
      done = true;
    });
    assert.ok(await clock.run(() => done, 1e9, 100));
    assert.deepEqual(await left(), { ends: ['done'], counted: 1, slots: 0, active: 0 });
  });

  it('ends with the service: none begins afterwards, and waiting runs end or are left to other processes', async () => {
    const began = Promise.withResolvers<undefined>();
    kind.work = async (_attempt, { signal }) => {
      began.resolve(undefined);
      await aborted(signal);
      return 'half';
    };
    const carried = life.carryOut('echo', await start());
    await began.promise;
    await start();
    await life.stop();
    await carried;
    const ends = store.notices ? ['half, stopped'] : ['half, stopped', 'stopped'];
    assert.deepEqual(await left(), { ends, counted: ends.length, slots: 2 - ends.length, active: 0 });
    const refused = (error: unknown): boolean => error instanceof HumanError && error.code === 'stopping';
    await assert.rejects(start(), refused);
    assert.throws(() => {
      life.assertRunning();
    }, refused);
  });

  it('ends it at the next start if its process died', async () => {
    const id = await start();
    const held = { workspaceId, runId: id, kind: 'echo', attempt: 1 } as const;
    await store.write((transaction) => takeSlot(transaction, held, new Date()));
    if (!store.notices) {
      await life.recover();
      assert.deepEqual(await left(), { ends: ['lost'], counted: 1, slots: 0, active: 0 });
      return;
    }
    await store.write((transaction) =>
      transaction
        .updateTable('slots')
        .set({ expires_at: new Date(Date.now() - 61_000) })
        .execute(),
    );
    await life.recover();
    while ((await left()).slots > 0) clock.advance(1000);
    await life.stop();
    assert.deepEqual(await left(), { ends: ['lost'], counted: 1, slots: 0, active: 0 });
  });
});
