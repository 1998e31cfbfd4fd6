import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../src/service/basics/log.ts';
import { EventBus } from '../../src/service/store/events.ts';
import { Recordings } from '../../src/service/runs/recordings.ts';
import { Retention } from '../../src/service/runs/retention.ts';
import { ManualClock } from '../support/manualClock.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { openTestStore } from '../support/testStore.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { insertLoadTest, insertWorkspace, testRunRow } from '../support/storedRows.ts';
import { silentSecond } from '../support/silentAudio.ts';

const lab = '+12025550101';
const dayMs = 86_400_000;
const pcm = new Int16Array(800);

describe('service: retention of recordings @engine', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('deletes expired recordings of tests and mappings when it starts, and keeps what was heard', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const calls = new ScriptedCalls();
    const dataDir = await fixture.folder();
    const start = () => fixture.start({ dataDir, parts: { perform: calls.perform, now: () => now } });
    const service = await start();
    const { client } = service;
    await client.call('updateWorkspaceSettings', { recordingDays: 30 });
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    const crawl = await fixture.crawl.next();
    crawl.found(rootNode(), leafNode('1'));
    crawl.events.push({ type: 'audio', nodeId: 'root', pcm });
    crawl.end();
    await client.waitForRun(id);
    const configId = (await client.call('createTestConfig', scriptInput(lab))).id;
    const run = async (): Promise<string> => {
      const [launched] = (await client.call('runTest', { configId })).items;
      const call = await calls.next();
      call.events.push({ type: 'audio', audio: silentSecond });
      call.end({ transcript: [{ speaker: 'them', text: 'Hello' }] });
      await client.waitForTestRun(launched!.id);
      return launched!.id;
    };
    const old = await run();
    now = new Date(now.getTime() + 10 * dayMs);
    const young = await run();
    const address = (await client.call('getRunResults', { runId: old })).audioUrl ?? '';
    assert.ok(address !== '' && (await client.call('getMappingTree', { id })).tree?.audioUrl !== undefined);
    await service.close();

    now = new Date(now.getTime() + 20 * dayMs);
    const unchanged = await start();
    assert.ok(
      (await unchanged.client.call('getRunResults', { runId: old })).audioUrl !== undefined,
      'after exactly so many days it is kept',
    );
    await unchanged.close();
    now = new Date(now.getTime() + 1000);
    const again = await start();
    const watch = new EventWatch(again.client);
    const results = (runId: string) => again.client.call('getRunResults', { runId });
    await watch.until(
      async () =>
        (await results(old)).audioUrl === undefined &&
        (await again.client.call('getMappingTree', { id })).tree?.audioUrl === undefined,
    );
    await watch.close();
    assert.deepEqual(
      [
        (await results(old)).transcript?.[0]?.text,
        (await again.client.call('getMappingTree', { id })).tree?.children?.length,
      ],
      ['Hello', 1],
    );
    assert.ok((await results(young)).audioUrl !== undefined);
    assert.deepEqual(
      [old, young].map((runId) => existsSync(join(dataDir, 'recordings', runId, 'call.wav'))),
      [false, true],
    );
    assert.equal(
      (await fetch(`${again.baseUrl}${new URL(address).pathname.replace('/v1', '')}${new URL(address).search}`)).status,
      403,
      'its address is over anyway',
    );
    await again.client.call('updateWorkspaceSettings', { recordingDays: null });
    now = new Date(now.getTime() + 1000 * dayMs);
    await again.close();
    const kept = await start();
    assert.ok(
      (await kept.client.call('getRunResults', { runId: young })).audioUrl !== undefined,
      'nothing is said, and all is kept',
    );
  });

  it("continues past runs whose recordings can't be deleted, and tries those again", async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const store = await openTestStore(() => now);
    const stuck = new Set<string>();
    class Stubborn extends Recordings {
      override async remove(runId: string): Promise<void> {
        if (stuck.has(runId)) throw new Error('EACCES');
        await super.remove(runId);
      }
    }
    const retention = new Retention({
      store,
      recordings: new Stubborn(await fixture.folder()),
      events: new EventBus(),
      clock: new ManualClock(),
      now: () => now,
      log: silentLog,
    });
    try {
      for (const workspaceId of [randomUUID(), randomUUID()]) {
        const runs = Array.from({ length: 210 }, () => randomUUID());
        // More than one batch, and part of the next.
        for (const id of runs.slice(0, 120)) stuck.add(id);
        await store.write(async (transaction) => {
          await insertWorkspace(transaction, { id: workspaceId, created_at: now });
          await transaction
            .insertInto('workspace_settings')
            .values({ workspace_id: workspaceId, settings: JSON.stringify({ recordingDays: 1 }), updated_at: now })
            .execute();
          await transaction
            .insertInto('test_runs')
            .values(
              runs.map((id, index) =>
                testRunRow({
                  id,
                  workspace_id: workspaceId,
                  run_type: 'standard',
                  outcome: 'PASS',
                  started_at: now,
                  completed_at: new Date(now.getTime() + index),
                  result: JSON.stringify({ steps: [], recorded: true }),
                }),
              ),
            )
            .execute();
        });
      }
      const left = async (): Promise<string[]> =>
        (await store.db.selectFrom('test_runs').select(['id', 'result']).execute())
          .filter(({ result }) => result.recorded === true)
          .map(({ id }) => id)
          .sort();
      now = new Date(now.getTime() + dayMs + 1000);
      assert.equal(await retention.sweep(), 2 * 90);
      assert.deepEqual(await left(), [...stuck].sort());
      stuck.clear();
      assert.equal(await retention.sweep(), 2 * 120);
      assert.deepEqual(await left(), []);
    } finally {
      await retention.stop();
      await store.close();
    }
  });

  it('deletes recordings that no run names, a day after they were written', async () => {
    let now = new Date();
    const store = await openTestStore(() => now);
    const folder = await fixture.folder();
    const recordings = new Recordings(folder);
    const retention = new Retention({
      store,
      recordings,
      events: new EventBus(),
      clock: new ManualClock(),
      now: () => now,
      log: silentLog,
    });
    const [workspaceId, recorded, unrecorded, running, nobodys, load] = Array.from({ length: 6 }, () =>
      randomUUID(),
    ) as [string, string, string, string, string, string];
    try {
      await store.write(async (transaction) => {
        await insertWorkspace(transaction, { id: workspaceId, created_at: now });
        await transaction
          .insertInto('test_runs')
          .values(
            [recorded, unrecorded, running].map((id) =>
              testRunRow({
                id,
                workspace_id: workspaceId,
                outcome: id === running ? null : 'ERROR',
                started_at: now,
                completed_at: id === running ? null : now,
                result: JSON.stringify({ steps: [], ...(id === recorded && { recorded: true }) }),
              }),
            ),
          )
          .execute();
        await insertLoadTest(transaction, {
          id: load,
          workspace_id: workspaceId,
          recordings: JSON.stringify({ bytes: 1644, calls: [{ call: 1, stepMs: 0 }], references: [] }),
          started_at: now,
          completed_at: now,
        });
      });
      // A hundred others, so that there is more than one batch.
      const strangers = Array.from({ length: 120 }, () => randomUUID());
      for (const id of [recorded, unrecorded, running, nobodys, load, ...strangers, 'notes'])
        await recordings.write(id, 'call', pcm);
      assert.equal(await retention.sweep(), 0, 'a run may still be about to name it');
      now = new Date(now.getTime() + dayMs + 60_000);
      assert.equal(await retention.sweep(), 122);
      assert.deepEqual(
        [recorded, unrecorded, running, nobodys, load, strangers[0] ?? '', 'notes'].map((id) =>
          existsSync(join(folder, id)),
        ),
        [true, false, true, false, true, false, true],
      );
      await store.write((transaction) =>
        transaction
          .insertInto('workspace_settings')
          .values({ workspace_id: workspaceId, settings: JSON.stringify({ recordingDays: 1 }), updated_at: now })
          .execute(),
      );
      await retention.sweep();
      assert.deepEqual(
        [
          await store.db.selectFrom('load_tests').select(['id', 'recordings']).execute(),
          existsSync(join(folder, load)),
        ],
        [[{ id: load, recordings: null }], false],
        'those of a load test expire too',
      );
    } finally {
      await retention.stop();
      await store.close();
    }
  });

  it('checks again every hour, up to a hundred runs at a time, and in each workspace by its own retention period', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const clock = new ManualClock();
    const events = new EventBus();
    const store = await openTestStore(() => now);
    const folder = await fixture.folder();
    const recordings = new Recordings(folder);
    const alone: number[] = [];
    const retention = new Retention({
      store: {
        ...store,
        alone: (work) => {
          alone.push(1);
          return store.alone(work);
        },
      },
      recordings,
      events,
      clock,
      now: () => now,
      log: silentLog,
    });
    try {
      const [strict, lax, silent] = [randomUUID(), randomUUID(), randomUUID()];
      const ids = new Map<string, string[]>();
      for (const [workspaceId, days] of [
        [strict, 1],
        [lax, 7],
        [silent, undefined],
      ] as const) {
        const runs = Array.from({ length: workspaceId === strict ? 230 : 2 }, () => randomUUID());
        ids.set(workspaceId, runs);
        await store.write(async (transaction) => {
          await insertWorkspace(transaction, { id: workspaceId, created_at: now });
          if (days !== undefined)
            await transaction
              .insertInto('workspace_settings')
              .values({ workspace_id: workspaceId, settings: JSON.stringify({ recordingDays: days }), updated_at: now })
              .execute();
          await transaction
            .insertInto('test_runs')
            .values(
              runs.map((id) =>
                testRunRow({
                  id,
                  workspace_id: workspaceId,
                  run_type: 'standard',
                  outcome: 'PASS',
                  started_at: now,
                  completed_at: now,
                  result: JSON.stringify({ steps: [], recorded: true }),
                }),
              ),
            )
            .execute();
        });
        for (const id of runs.slice(0, 2)) await recordings.write(id, 'call', pcm);
      }
      const left = async (workspaceId: string): Promise<number> =>
        (
          await store.db.selectFrom('test_runs').select('result').where('workspace_id', '=', workspaceId).execute()
        ).filter(({ result }) => result.recorded === true).length;
      const leftOfAll = () => Promise.all([strict, lax, silent].map(left));
      assert.equal(await retention.sweep(), 0);
      now = new Date(now.getTime() + dayMs + 1);
      alone.length = 0;
      assert.equal(await retention.sweep(), 230);
      assert.deepEqual([await leftOfAll(), alone.length], [[0, 2, 2], 3 + 1 + 1 + 3]);
      const files = (workspaceId: string): boolean[] =>
        (ids.get(workspaceId) ?? []).slice(0, 2).map((id) => existsSync(join(folder, id)));
      assert.deepEqual(
        [files(strict), files(lax), files(silent)],
        [
          [false, false],
          [true, true],
          [true, true],
        ],
      );

      retention.start();
      now = new Date(now.getTime() + 7 * dayMs);
      const told = new Promise<void>((resolve) => {
        let count = 0;
        events.listen(lax, () => {
          count += 1;
          if (count === 2) resolve();
        });
      });
      clock.advance(3_599_999);
      assert.deepEqual(await leftOfAll(), [0, 2, 2], 'not before');
      clock.advance(1);
      await told;
      assert.deepEqual(await leftOfAll(), [0, 0, 2]);
    } finally {
      await retention.stop();
      await store.close();
    }
  });
});
