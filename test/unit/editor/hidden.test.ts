import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/client/errors.ts';
import { LineList } from '../../../src/editor/lines/lineList.ts';
import { MappingStore } from '../../../src/editor/store/mappingStore.ts';
import { WorkspaceFeed } from '../../../src/editor/store/workspaceFeed.ts';
import { RunsList } from '../../../src/editor/views/runsList.ts';
import { FakeClient, FakeClock, job, recordingLogger, settle } from './fakes.ts';

const silent = (): { dispose(): void } => ({ dispose: () => undefined });

describe('hidden views', () => {
  let client: FakeClient, clock: FakeClock, isDown: boolean;
  let look: () => Promise<void>, lookAway: () => Promise<void>, dispose: () => void;

  beforeEach(() => {
    isDown = false;
    const answer =
      <T>(value: T) =>
      (): T => {
        if (isDown) throw new ConnectionError('The service cannot be reached.', { preFlight: true });
        return value;
      };
    client = new FakeClient({
      listMappings: answer({ items: [job(1)] }),
      listRuns: answer({ items: [] }),
      listLines: answer({ items: [] }),
    });
    clock = new FakeClock();
    const log = recordingLogger();
    const feed = new WorkspaceFeed({ client, clock, log });
    const store = new MappingStore({ client, feed, clock, log });
    const runs = new RunsList({ client, feed, clock, log });
    const connection = {
      call: client.call.bind(client),
      state: { kind: 'ready' } as const,
      mode: 'remote' as const,
      onDidChangeState: silent,
      onDidReplace: silent,
    };
    const lines = new LineList({
      connection,
      lines: () => ({}),
      wrongLines: () => [],
      practice: { onLine: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
      passwords: { read: () => Promise.resolve(undefined) },
      onDidChange: silent,
      clock,
      log,
    });
    let watch = silent();
    look = async () => {
      watch = store.watch();
      runs.follow(true);
      lines.follow(true);
      await settle();
    };
    lookAway = async () => {
      watch.dispose();
      runs.follow(false);
      lines.follow(false);
      await settle();
    };
    dispose = () => {
      for (const one of [lines, runs, store, feed]) one.dispose();
    };
  });
  afterEach(() => dispose());

  /** Returns the number of requests in an hour. */
  async function askedInAnHour(): Promise<number> {
    const before = client.calls.length;
    for (let minute = 0; minute < 60; minute += 1) {
      await clock.pass(60_000);
    }
    return client.calls.length - before;
  }

  it('send no request before they are first shown', async () =>
    assert.deepEqual([await askedInAnHour(), client.streams, clock.pending], [0, 0, 0]));

  it('poll only while visible', async () => {
    await look();
    assert.ok(client.calls.length > 0);
    assert.equal(client.streams, 1);
    client.breakStreams();
    assert.ok((await askedInAnHour()) > 0);
    await lookAway();
    assert.deepEqual([await askedInAnHour(), client.streams, clock.pending], [0, 0, 0]);
  });

  it("don't keep trying an unreachable service", async () => {
    isDown = true;
    client.hasEvents = false;
    await look();
    assert.ok((await askedInAnHour()) > 0);
    await lookAway();
    assert.equal(await askedInAnHour(), 0);
    assert.equal(clock.pending, 0);
  });
});
