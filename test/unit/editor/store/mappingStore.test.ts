import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/client/errors.ts';
import { MappingStore } from '../../../../src/editor/store/mappingStore.ts';
import { WorkspaceFeed } from '../../../../src/editor/store/workspaceFeed.ts';
import { bankTree, FakeClient, FakeClock, job, recordingLogger, run, settle, uuid } from '../fakes.ts';

describe('MappingStore', () => {
  let client: FakeClient, clock: FakeClock, feed: WorkspaceFeed, store: MappingStore;
  let jobs = [job(1, { currentRun: run() }), job(2)];

  beforeEach(() => {
    jobs = [job(1, { currentRun: run() }), job(2)];
    client = new FakeClient({
      listMappings: () => ({ items: jobs }),
      getMapping: ({ id }) => {
        const found = jobs.find((one) => one.id === id);
        if (!found) throw new NotFoundError('gone', { status: 404 });
        return found;
      },
      listMappingRuns: ({ id }) => ({ items: jobs.find((one) => one.id === id)?.currentRun ? [run()] : [] }),
      getMappingTree: ({ id }) => ({ jobId: id, tree: bankTree }),
    });
    clock = new FakeClock();
    const log = recordingLogger();
    feed = new WorkspaceFeed({ client, clock, log });
    store = new MappingStore({ client, feed, clock, log });
  });
  afterEach(() => store.dispose());

  const watch = async (): Promise<void> => {
    store.watch();
    await settle();
  };
  const names = (): string[] => store.jobs.map((snapshot) => snapshot.job.name);

  it('follows the pages to the last', async () => {
    client.answers.listMappings = ({ cursor }) =>
      cursor === undefined ? { items: [job(1)], nextCursor: 'x' } : { items: [job(2)] };
    await store.refresh();
    assert.deepEqual(names(), ['Job 1', 'Job 2']);
  });

  it('stops listening with its last watcher, unless a run is active', async () => {
    const one = store.watch(),
      other = store.watch();
    await settle();
    one.dispose();
    one.dispose();
    assert.equal(client.streams, 1);
    jobs = [job(1, { status: 'running', currentRun: run({ status: 'running' }) })];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    other.dispose();
    assert.equal(client.streams, 1, 'it must hear of the end of the run');
    jobs = [job(1, { currentRun: run() })];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    assert.equal(client.streams, 0);
  });

  it('reads again only what an event names, for many events together', async () => {
    await watch();
    client.calls.length = 0;
    jobs = [job(1, { name: 'Renamed' }), job(2)];
    for (let event = 0; event < 50; event += 1) client.emit({ type: 'mapping.changed', jobId: uuid(1) });
    await settle();
    assert.deepEqual(names(), ['Renamed', 'Job 2']);
    assert.equal(client.count('listMappings'), 0);
    assert.ok(client.count('getMapping') <= 2, `${String(client.count('getMapping'))} readings for one burst`);
  });

  it('shows the same figures of the active run in a job and in its list of runs', async () => {
    const begun = run({ status: 'running' });
    store.accept(job(1, { status: 'running', currentRun: begun }));
    await store.loadRuns(uuid(1));
    const grown = run({ status: 'running', inFlightCount: 7 });
    store.accept(job(1, { status: 'running', currentRun: grown }));
    const { job: read, runs } = store.job(uuid(1)) ?? assert.fail('no job');
    assert.deepEqual([read.currentRun, runs?.[0]], [grown, grown]);
  });

  it('makes new snapshots and leaves the old ones unchanged', async () => {
    await watch();
    const before = store.job(uuid(1));
    jobs = [job(1, { name: 'Renamed' }), job(2)];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    assert.equal(before?.job.name, 'Job 1');
    assert.notEqual(store.job(uuid(1)), before);
  });

  it("puts another client's new job first, and drops a deleted one", async () => {
    await watch();
    jobs = [job(3), ...jobs];
    await client.announce({ type: 'mapping.changed', jobId: uuid(3) });
    assert.deepEqual(names(), ['Job 3', 'Job 1', 'Job 2']);
    client.emit({ type: 'mapping.deleted', jobId: uuid(1) });
    assert.deepEqual(names(), ['Job 3', 'Job 2']);
  });

  it('drops a job that turns out to be gone', async () => {
    await watch();
    jobs = [job(2)];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    assert.deepEqual(names(), ['Job 2']);
  });

  it('reads runs and trees on request, once', async () => {
    await watch();
    await store.loadTree(uuid(1), 1);
    const snapshot = await store.loadTree(uuid(1), 1);
    assert.equal(snapshot.trees.get(1)?.response.tree, bankTree);
    assert.equal(client.count('getMappingTree'), 1);
    await store.loadTree(uuid(1), 1, { fresh: true });
    assert.equal(client.count('getMappingTree'), 2);
  });

  it('keeps the shown trees and the five most recently requested', async () => {
    jobs = Array.from({ length: 12 }, (_, index) => job(index + 1, { currentRun: run() }));
    await store.refresh();
    const shown = store.showTree(uuid(2), 1);
    for (const { id } of jobs) await store.loadTree(id, 1);
    const kept = (): number[] =>
      jobs.flatMap(({ id }, index) => (store.job(id)?.trees.has(1) === true ? [index + 1] : []));
    assert.deepEqual(kept(), [2, 8, 9, 10, 11, 12]);
    // A request for an existing one makes it the most recent.
    await store.loadTree(uuid(8), 1);
    const changes: unknown[] = [];
    store.onDidChange((change) => changes.push(change));
    await store.loadTree(uuid(1), 1);
    assert.deepEqual(kept(), [1, 2, 8, 10, 11, 12]);
    assert.deepEqual(changes, [{ jobId: uuid(1) }, { jobId: uuid(9) }]);
    shown.dispose();
    shown.dispose();
    assert.deepEqual(kept(), [1, 8, 10, 11, 12]);
    const before = client.calls.length;
    assert.ok((await store.loadTree(uuid(2), 1)).trees.get(1)?.response.tree);
    assert.equal(client.calls.length, before + 1);
  });

  it('reads a shown tree again when it grew, and no other', async () => {
    await watch();
    await client.announce({ type: 'mapping.tree', jobId: uuid(1), runId: uuid(101) });
    assert.equal(client.count('getMappingTree'), 0);
    await store.loadTree(uuid(1), 1);
    await client.announce({ type: 'mapping.tree', jobId: uuid(1), runId: uuid(101) });
    assert.equal(client.count('getMappingTree'), 2);
  });

  it('reads the tree once more when its run has ended', async () => {
    jobs = [job(1, { status: 'running', currentRun: run({ status: 'running' }) })];
    await watch();
    await store.loadTree(uuid(1), 1);
    jobs = [job(1, { currentRun: run() })];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    assert.equal(client.count('getMappingTree'), 2);
  });

  it('polls every five seconds if there are no events', async () => {
    client.hasEvents = false;
    await watch();
    const first = client.count('listMappings');
    await clock.pass(4_999);
    assert.equal(client.count('listMappings'), first);
    jobs = [job(4)];
    await clock.pass(1);
    assert.deepEqual(names(), ['Job 4']);
  });

  it('survives failing reads, and reports them to their requesters', async () => {
    await watch();
    client.answers.listMappings = () => {
      throw new Error('down');
    };
    await assert.rejects(store.refresh(), /down/);
    assert.deepEqual(names(), ['Job 1', 'Job 2']);
  });

  it('reads again what it could not read, though no event names it once more', async () => {
    await watch();
    await store.loadRuns(uuid(1));
    const read = client.answers.getMapping;
    client.answers.getMapping = () => {
      throw new Error('too many requests');
    };
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    if (read) client.answers.getMapping = read;
    jobs = [job(1, { name: 'Renamed', currentRun: run() }), job(2)];
    await clock.pass(5_000);
    assert.ok(names().includes('Renamed'));
  });

  it('forgets everything of another service, also what is still being read', async () => {
    let answer: (page: { items: typeof jobs }) => void = () => undefined;
    client.answers.listMappings = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const reading = store.refresh();
    await settle();
    store.reset();
    answer({ items: jobs });
    await reading;
    assert.deepEqual(names(), []);
    assert.equal(store.listed, false);
  });
});
