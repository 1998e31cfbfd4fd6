import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../../src/client/errors.ts';
import type { PanelSnapshot } from '../../../../../src/contract/panel.ts';
import { MappingTree } from '../../../../../src/editor/panels/trees/mappingTree.ts';
import { MappingStore } from '../../../../../src/editor/store/mappingStore.ts';
import { WorkspaceFeed } from '../../../../../src/editor/store/workspaceFeed.ts';
import { FakePage } from '../../fakePage.ts';
import {
  bankTree,
  english,
  FakeCancels,
  FakeClient,
  FakeClock,
  job,
  recordingLogger,
  run,
  settle,
  uuid,
} from '../../fakes.ts';
import type { RecordingLogger } from '../../fakes.ts';

describe('MappingTree', () => {
  let client: FakeClient,
    clock: FakeClock,
    store: MappingStore,
    host: FakePage<'main'>,
    panel: MappingTree,
    log: RecordingLogger;
  let started: string[], raised: string[], cancelled: string[], transcripts: unknown[], called: unknown[];
  let runs = [run({ runNumber: 2 }), run()];
  let refusal: Error | undefined,
    starts = true;

  beforeEach(async () => {
    runs = [run({ runNumber: 2 }), run()];
    const current = (): ReturnType<typeof job> => {
      const [newest] = runs;
      return job(1, {
        name: 'Harbour Bank',
        ...(newest && { currentRun: newest, status: newest.status === 'running' ? 'running' : 'idle' }),
      });
    };
    refusal = undefined;
    starts = true;
    const answer = (): Promise<boolean> => (refusal ? Promise.reject(refusal) : Promise.resolve(starts));
    client = new FakeClient({
      listMappings: () => ({ items: [current()] }),
      getMapping: () => current(),
      listMappingRuns: () => ({ items: runs }),
      getMappingTree: ({ id, version }) => ({
        jobId: id,
        tree: { ...bankTree, label: `tree of run ${String(version)}` },
      }),
    });
    clock = new FakeClock();
    log = recordingLogger();
    store = new MappingStore({ client, feed: new WorkspaceFeed({ client, clock, log }), clock, log });
    host = new FakePage('main');
    started = [];
    cancelled = [];
    raised = [];
    transcripts = [];
    called = [];
    const parts = {
      connection: new FakeCancels(),
      store,
      client,
      clock,
      log,
      l10n: english,
      start: (id: string) => {
        started.push(id);
        return answer();
      },
      raiseLimit: (id: string) => {
        raised.push(id);
        return Promise.resolve();
      },
      cancel: (id: string) => {
        cancelled.push(id);
        return answer();
      },
      openTranscript: (place: unknown) => {
        transcripts.push(place);
        return Promise.resolve();
      },
      practice: { running: [] },
      generateTests: (place: unknown) => called.push(place),
      callPath: (place: unknown) => {
        called.push(place);
        return Promise.resolve();
      },
    };
    panel = new MappingTree(host, uuid(1), parts);
    await settle();
  });
  afterEach(() => {
    panel.dispose();
    store.dispose();
  });

  const say = (message: unknown): Promise<void> => host.say(message);
  const shown = (): PanelSnapshot => {
    const snapshot = host.of('snapshot').at(-1);
    assert.ok(snapshot);
    return snapshot;
  };

  it('sends nothing before the page is ready, then everything about the newest run', async () => {
    assert.deepEqual(host.posted, []);
    await say({ type: 'ready' });
    assert.equal(host.posted.length, 1);
    assert.equal(shown().version, 2);
    assert.equal(shown().tree.tree?.label, 'tree of run 2');
    assert.deepEqual(
      shown().runs.map(({ runNumber }) => runNumber),
      [2, 1],
    );
    assert.equal(host.title, 'Harbour Bank');
  });

  it('sends at most five snapshots per second, and the last one', async () => {
    await say({ type: 'ready' });
    await clock.pass(200);
    const before = host.posted.length;
    for (let change = 0; change < 40; change += 1) {
      await client.announce({ type: 'mapping.tree', jobId: uuid(1), runId: uuid(102) });
      await clock.pass(25);
    }
    await clock.pass(200);
    const sent = host.posted.length - before;
    assert.ok(sent >= 3 && sent <= 7, `${String(sent)} snapshots in 1.2 s`);
  });

  it('stays with a chosen run, and otherwise follows the newest', async () => {
    await say({ type: 'ready' });
    await say({ type: 'showRun', version: 1 });
    assert.equal(shown().tree.tree?.label, 'tree of run 1');
    runs = [run({ runNumber: 3, status: 'running' }), ...runs];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    await clock.pass(200);
    assert.equal(shown().version, 1);
    assert.equal(shown().runs[0]?.runNumber, 3);
    await say({ type: 'showRun', version: 3 });
    runs = [run({ runNumber: 4, status: 'running' }), ...runs];
    await client.announce({ type: 'mapping.changed', jobId: uuid(1) });
    await clock.pass(200);
    assert.equal(shown().version, 4);
  });

  it('reveals a step once the page contains it', async () => {
    panel.reveal('s3');
    await say({ type: 'ready' });
    assert.deepEqual(
      host.posted.map(({ type }) => type),
      ['snapshot', 'reveal'],
    );
    assert.equal(host.of('reveal')[0]?.stepId, 's3');
  });

  it('reads nothing while it is hidden, and waits until the page is shown again', async () => {
    await say({ type: 'ready' });
    host.show(false);
    await settle();
    assert.equal(client.streams, 0);
    const before = host.posted.length;
    host.show(true);
    await clock.pass(400);
    assert.equal(host.posted.length, before);
    await say({ type: 'ready' });
    assert.equal(host.posted.length, before + 1);
  });

  it('fetches a recording, and requests a new link when the old one has expired', async () => {
    await say({ type: 'ready' });
    await say({ type: 'requestAudio', stepId: 's1' });
    assert.deepEqual(host.of('audio')[0]?.wav, new TextEncoder().encode('http://127.0.0.1:1/audio/s1'));
    const readings = client.count('getMappingTree');
    await say({ type: 'requestAudio', stepId: 's1' });
    assert.equal(client.count('getMappingTree'), readings);
    host.show(false);
    clock.advance(46 * 60_000);
    host.show(true);
    await say({ type: 'ready' });
    await say({ type: 'requestAudio', stepId: 's1' });
    assert.ok(client.count('getMappingTree') > readings);
  });

  it('says if there is no recording', async () => {
    await say({ type: 'ready' });
    await say({ type: 'requestAudio', stepId: 's2' });
    assert.equal(host.of('audio')[0]?.error, 'This step has no recording.');
  });

  it('runs the command of each button', async () => {
    await say({ type: 'ready' });
    await say({ type: 'start' });
    await say({ type: 'cancel' });
    await say({ type: 'raiseLimit' });
    await say({ type: 'openTranscript', stepId: 's2' });
    assert.deepEqual(
      [started, raised, cancelled, transcripts],
      [[uuid(1)], [uuid(1)], [uuid(1)], [{ jobId: uuid(1), runNumber: 2, stepId: 's2' }]],
    );
  });

  it("answers a button's request even if it had no result", async () => {
    await say({ type: 'ready' });
    refusal = new Error('No consent.');
    for (const type of ['start', 'cancel']) {
      const before = host.posted.length;
      await say({ type });
      assert.deepEqual(
        host.posted.slice(before).map((message) => message.type),
        ['snapshot', 'notice'],
      );
    }
    refusal = undefined;
    const before = host.posted.length;
    await say({ type: 'start' });
    assert.equal(host.posted.length, before, 'the run tells of itself');
    starts = false;
    await say({ type: 'start' });
    assert.equal(host.posted.length, before + 1);
  });

  it('calls the path to a step of the shown run', async () => {
    await say({ type: 'ready' });
    await say({ type: 'callPath', stepId: 's2' });
    assert.deepEqual(called, [{ jobId: uuid(1), runNumber: 2, stepId: 's2' }]);
  });

  it('sends the other tree once, and again to a reloaded page', async () => {
    const grow = async (): Promise<PanelSnapshot> => {
      await client.announce({ type: 'mapping.tree', jobId: uuid(1), runId: uuid(102) });
      await clock.pass(200);
      return shown();
    };
    await say({ type: 'ready' });
    let texts = 0;
    panel.compareWith({ title: 'Run 1', tree: bankTree }, () => Promise.resolve((texts += 1)));
    await say({ type: 'openCompared' });
    assert.equal(texts, 1);
    await clock.pass(200);
    assert.deepEqual([shown().base?.title, shown().keepsBase], ['Run 1', undefined]);
    const next = await grow();
    assert.deepEqual([next.base, next.keepsBase, panel.lastSnapshot?.base?.title], [undefined, true, 'Run 1']);
    await say({ type: 'ready' });
    assert.deepEqual([shown().base?.title, shown().keepsBase], ['Run 1', undefined]);
    panel.compareWith({ title: 'Run 0', tree: bankTree }, () => Promise.resolve());
    const other = await grow();
    assert.deepEqual([other.base?.title, other.keepsBase], ['Run 0', undefined]);
    await say({ type: 'stopComparing' });
    assert.deepEqual([shown().base, shown().keepsBase], [undefined, undefined]);
  });

  it('sends the other tree even if it is chosen between a reading and its sending', async () => {
    await say({ type: 'ready' });
    let choose: (() => void) | undefined = () => {
      choose = undefined;
      panel.compareWith({ title: 'Run 1', tree: bankTree }, () => Promise.resolve());
    };
    // The tab gets its title just before the page gets the reading.
    Object.defineProperty(host, 'title', { set: () => choose?.() });
    panel.choose(2);
    await clock.pass(200);
    await clock.pass(200);
    assert.equal(choose, undefined);
    assert.deepEqual([shown().base?.title, shown().keepsBase], ['Run 1', undefined]);
  });

  it('requests a picture from the page, and reports if there is none', async () => {
    await say({ type: 'ready' });
    const drawn = panel.draw('svg');
    await settle();
    assert.deepEqual(host.of('draw'), [{ type: 'draw', format: 'svg' }]);
    await say({ type: 'picture', format: 'png', picture: new Uint8Array(1) });
    await say({ type: 'picture', format: 'svg', picture: '<svg/>' });
    assert.equal(await drawn, '<svg/>');
    const failed = assert.rejects(panel.draw('png'), /too large/);
    await say({ type: 'picture', format: 'png', error: 'The picture is too large.' });
    await failed;
    const silent = panel.draw('png');
    clock.advance(30_000);
    await assert.rejects(silent, /Couldn't draw the tree/);
  });

  it('asks a page that is still loading once it is ready, for the shown run', async () => {
    panel.choose(1);
    const drawn = panel.draw('svg');
    await settle();
    assert.deepEqual(host.of('draw'), []);
    await say({ type: 'ready' });
    assert.deepEqual(host.of('draw'), [{ type: 'draw', format: 'svg' }]);
    assert.equal(shown().version, 1);
    await say({ type: 'picture', format: 'svg', picture: '<svg/>' });
    assert.equal(await drawn, '<svg/>');
  });

  it('keeps its content when the job is deleted, with a notice above it', async () => {
    await say({ type: 'ready' });
    const gone = (): never => {
      throw new NotFoundError('There is no mapping job with this id.', { status: 404 });
    };
    client.answers = {
      listMappings: () => ({ items: [] }),
      getMapping: gone,
      listMappingRuns: gone,
      getMappingTree: gone,
    };
    await client.announce({ type: 'mapping.deleted', jobId: uuid(1) });
    await clock.pass(200);
    assert.equal(host.of('notice').at(-1)?.message, 'This mapping or run no longer exists.');
    assert.equal(shown().name, 'Harbour Bank');
  });
});
