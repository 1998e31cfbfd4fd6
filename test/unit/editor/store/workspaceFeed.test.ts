import assert from 'node:assert/strict';
import type { WorkspaceEvent } from '../../../../src/contract/events.ts';
import { WorkspaceFeed } from '../../../../src/editor/store/workspaceFeed.ts';
import { FakeClient, FakeClock, recordingLogger, settle, uuid } from '../fakes.ts';

describe('WorkspaceFeed', () => {
  let client: FakeClient, clock: FakeClock, feed: WorkspaceFeed, heard: (WorkspaceEvent | undefined)[];
  const change: WorkspaceEvent = { type: 'test.changed', runId: uuid(1) };

  beforeEach(() => {
    client = new FakeClient({});
    clock = new FakeClock();
    feed = new WorkspaceFeed({ client, clock, log: recordingLogger() });
    heard = [];
    feed.onDidChange((event) => heard.push(event));
  });
  afterEach(() => feed.dispose());

  it('keeps one stream for all watchers, and none without watchers', async () => {
    const one = feed.watch(),
      other = feed.watch();
    await settle();
    assert.equal(client.streams, 1);
    heard = [];
    client.emit(change);
    assert.deepEqual(heard, [change]);
    one.dispose();
    one.dispose();
    assert.equal(client.streams, 1);
    other.dispose();
    await settle();
    assert.equal(client.streams, 0);
  });

  it('says that anything may have changed when a stream begins, and while none can be had', async () => {
    feed.watch();
    await settle();
    assert.deepEqual(heard, [undefined]);
    client.breakStreams();
    await settle();
    heard = [];
    await clock.pass(4_999);
    assert.deepEqual(heard, []);
    await clock.pass(1);
    assert.ok(heard.length > 0 && heard.every((event) => event === undefined));
    assert.equal(client.streams, 1);
  });

  it('opens a broken stream at once when it is woken', async () => {
    feed.watch();
    await settle();
    client.breakStreams();
    await settle();
    assert.equal(client.streams, 0);
    feed.wake();
    await settle();
    assert.equal(client.streams, 1);
  });

  it('reads another service after a reset, and reports nothing from the previous one', async () => {
    feed.watch();
    await settle();
    feed.reset();
    await settle();
    heard = [];
    client.emit(change);
    assert.deepEqual(heard, [change]);
    assert.equal(client.streams, 1);
  });
});
