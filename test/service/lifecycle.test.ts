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
import { sentence } from '../../src/base/sentences.ts';
import { openTestStore } from '../support/testStore.ts';
import { insertWorkspace } from '../support/storedRows.ts';

interface Slot {
  readonly id: string;
  readonly workspace_id: string;
  readonly attempt: number;
}

/** Runs that consist of their slot only, and end as the test decides. */
class SlotRuns implements RunKind<Slot, string> {
  readonly cancelled = new StopReason('cancel', sentence`cancelled`);
  readonly stopped = new StopReason('stop', sentence`stopped`);
  readonly lost = new StopReason('crash', sentence`lost`);
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
    return row && { workspaceId: row.workspace_id, seconds: 7, calls: 1 };
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
    queue = new RunQueue({ store, log: silentLog });
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
    await life.cancel('echo', waiting, new StopReason('cancel', sentence`not needed`));
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
      const held = { runId: row.id, attempt: 2 };
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
    kind.giveUp = new StopReason('crash', sentence`crashed too often`);
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
    assert.throws(() => life.assertRunning(), refused);
  });

  it('ends it at the next start if its process died', async () => {
    const id = await start();
    const held = { runId: id, attempt: 1 };
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

interface SharingRun {
  readonly id: string;
  readonly slotOf: string;
  readonly attempt: number | null;
}

/** Three runs with one slot, in memory, which end as the test decides. */
class SharingRuns implements RunKind<SharingRun, string> {
  readonly handsOver = true;
  readonly cancelled = new StopReason('cancel', sentence`cancelled`);
  readonly stopped = new StopReason('stop', sentence`stopped`);
  readonly lost = new StopReason('crash', sentence`lost`);
  readonly slot = randomUUID();
  readonly ids: readonly [string, string, string] = [randomUUID(), randomUUID(), randomUUID()];
  readonly ends: (string | undefined)[] = [];
  readonly budgets: (number | undefined)[] = [];
  readonly workspaceId: string;
  work: (attempt: Attempt<SharingRun>, control: RunControl) => Promise<string> = (_attempt, { budgetSeconds }) => {
    this.budgets.push(budgetSeconds);
    return Promise.resolve('done');
  };
  #left: readonly SharingRun[] = this.ids.map((id) => ({ id, slotOf: this.slot, attempt: null }));

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }
  open(_db: unknown, id = this.slot): Promise<SharingRun[]> {
    return Promise.resolve(this.#left.filter((run) => [run.id, run.slotOf].includes(id)));
  }
  begin(_transaction: unknown, _slotOf: string, before = 0): Promise<Attempt<SharingRun> | undefined> {
    const [first, ...rest] = this.#left;
    if (!first) return Promise.resolve(undefined);
    const row = { ...first, attempt: 1 };
    this.#left = [row, ...rest];
    return Promise.resolve({
      row,
      workspaceId: this.workspaceId,
      attempt: Math.max(1, before),
      ...(first.attempt !== null && { giveUp: this.lost }),
    });
  }
  endOf({ attempt }: SharingRun, why: StopReason, worked?: string): string {
    return worked ?? `${String(why)}${attempt === null ? ', waiting' : ''}`;
  }
  end(_transaction: unknown, { id }: SharingRun, end: string): Promise<EndedRun> {
    this.#left = this.#left.filter((run) => run.id !== id);
    this.ends[this.ids.indexOf(id)] = end;
    const used = { workspaceId: this.workspaceId, seconds: 7, calls: 1 };
    return Promise.resolve({ ...used, ...(this.#left.length > 0 && { planned: { seconds: 60, calls: 1 } }) });
  }
}

describe('the life cycle of runs that share a slot @engine', function () {
  const workspaceId = randomUUID();
  let store: Store;
  let queue: RunQueue;
  let kind: SharingRuns;
  let life: RunLifecycle<'tests'>;

  beforeEach(async () => {
    store = await openTestStore();
    queue = new RunQueue({ store, log: silentLog });
    kind = new SharingRuns(workspaceId);
    const parts = { store, queue, clock: new ManualClock(), now: () => new Date(), log: silentLog };
    life = new RunLifecycle(parts, { tests: kind });
    await store.write((transaction) =>
      insertWorkspace(transaction, { id: workspaceId, unlimited: true, created_at: new Date() }),
    );
    await life.start('tests', {
      id: kind.slot,
      launcher: { workspaceId, keyId: 'test' },
      prepare: () =>
        Promise.resolve({
          wanted: { calls: 3, seconds: 180, secondsOfRun: 60 },
          insert: () => Promise.resolve(),
        }),
    });
  });
  afterEach(async () => {
    await queue.close();
    await store.close();
  });

  const left = async () => ({
    ends: kind.ends,
    counted: (await store.db.selectFrom('ledger').select('run_id').execute()).length,
    slots: (await store.db.selectFrom('slots').selectAll().execute()).length,
    active: life.activeCount,
  });
  /** Carries them out, and resolves when the first one works, until it is aborted. */
  const begin = async (): Promise<{ readonly carried: Promise<void> }> => {
    const began = Promise.withResolvers<undefined>();
    const { work } = kind;
    kind.work = async (attempt, control) => {
      if (attempt.row.id !== kind.ids[0]) return await work(attempt, control);
      began.resolve(undefined);
      await aborted(control.signal);
      return `half, ${String(control.signal.reason)}`;
    };
    const carried = life.carryOut('tests', kind.slot);
    await began.promise;
    return { carried };
  };

  it('performs them in order, each with the minutes that the earlier ones left', async () => {
    await store.db.updateTable('slots').set({ reserved_seconds: 100 }).execute();
    await life.carryOut('tests', kind.slot);
    assert.deepEqual(kind.budgets, [100, 93, 86]);
    const { ends, counted, slots, active } = await left();
    assert.deepEqual([ends, counted, slots, active], [['done', 'done', 'done'], 3, 0, 0]);
  });

  it('ends one of them, waiting or working, and performs the rest', async () => {
    const { carried } = await begin();
    await life.cancel('tests', kind.ids[1]);
    await life.cancel('tests', kind.ids[0]);
    await carried;
    const { ends, counted, slots, active } = await left();
    assert.deepEqual([ends, counted, slots, active], [['half, cancelled', 'cancelled, waiting', 'done'], 3, 0, 0]);
  });

  it('ends all of them with their slot if none has begun', async () => {
    await life.cancel('tests', kind.slot);
    const waiting = 'cancelled, waiting';
    assert.deepEqual(await left(), {
      ends: [waiting, waiting, waiting],
      counted: 3,
      slots: 0,
      active: 0,
    });
  });

  it('ends all of them with their slot while one works', async () => {
    const { carried } = await begin();
    await life.cancel('tests', kind.slot);
    await carried;
    const { ends, slots } = await left();
    assert.deepEqual([ends, slots], [['half, cancelled', 'cancelled, waiting', 'cancelled, waiting'], 0]);
  });

  it('ends the one that works when the service stops, and the rest if no other process performs them', async () => {
    const { carried } = await begin();
    const settled = assert[store.notices ? 'rejects' : 'doesNotReject'](carried);
    await life.stop();
    await settled;
    const { ends, slots } = await left();
    assert.deepEqual(
      [ends, slots],
      store.notices ? [['half, stopped'], 1] : [['half, stopped', 'stopped, waiting', 'stopped, waiting'], 0],
    );
  });

  it('gives up one that a lost process worked on, and performs the rest', async () => {
    await kind.begin(undefined, kind.slot);
    await life.carryOut('tests', kind.slot);
    const { ends, counted, slots } = await left();
    assert.deepEqual([ends, counted, slots], [['lost', 'done', 'done'], 3, 0]);
  });
});
