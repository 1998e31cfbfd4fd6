import assert from 'node:assert/strict';
import type { ActiveCallEvent } from '../../../../src/engine/call/activeCall.ts';
import { Inbox } from '../../../../src/engine/hearing/inbox.ts';
import { began, ScriptedCallAudio, hungUp, paused } from '../../../support/heardTalk.ts';
import { ManualClock, settle } from '../../../support/manualClock.ts';

type Pause = Extract<ActiveCallEvent, { type: 'speechPause' }>;
const isPause = (event: ActiveCallEvent): event is Pause => event.type === 'speechPause';

describe("engine: a call's events as a queue", () => {
  let heard: ScriptedCallAudio;
  let clock: ManualClock;
  let inbox: Inbox;
  beforeEach(() => {
    heard = new ScriptedCallAudio();
    clock = new ManualClock();
    clock.advance(1000);
    inbox = new Inbox(heard.talk, clock);
  });

  /** Returns a promise's value once it has settled; `open` while it waits. */
  function watch<Value>(promise: Promise<Value>): () => Promise<Value | 'open'> {
    let value: Value | 'open' = 'open';
    void promise.then((settled) => (value = settled));
    return async () => {
      await settle();
      return value;
    };
  }

  it('returns events in order of arrival', async () => {
    heard.tell(began(1), paused(2), began(3));
    assert.deepEqual([await inbox.next(100), inbox.take(), await inbox.next(0)], [began(1), paused(2), began(3)]);
    assert.equal(inbox.take(), undefined);
    assert.equal(clock.pending, 0);
  });

  it('waits for the next event only if none is there', async () => {
    const next = watch(inbox.next(1));
    assert.equal(await next(), 'open');
    heard.tell(began(1));
    assert.deepEqual(await next(), began(1));
    assert.equal(clock.pending, 0);
    heard.tell(began(2));
    assert.deepEqual(await watch(inbox.next(100))(), began(2));
  });

  it('stops waiting when the time is over', async () => {
    assert.equal(await watch(inbox.next(0))(), undefined);
    const next = watch(inbox.next(500));
    clock.advance(499);
    assert.equal(await next(), 'open');
    clock.advance(1);
    assert.equal(await next(), undefined);
    heard.tell(began(1));
    assert.deepEqual(inbox.take(), began(1));
  });

  it('finds an event and leaves the others in their order', async () => {
    heard.tell(began(1), paused(2), began(3), paused(4));
    assert.deepEqual(await inbox.find(isPause, 100), paused(2));
    assert.deepEqual([inbox.take(), inbox.take(), inbox.take()], [began(1), began(3), paused(4)]);
    assert.equal(inbox.take(), undefined);
  });

  it('peeks at an event and leaves it to be read', async () => {
    heard.tell(began(1), paused(2));
    assert.deepEqual(await inbox.peek(isPause, 100), paused(2));
    assert.deepEqual([inbox.take(), inbox.take()], [began(1), paused(2)]);
  });

  it('waits for a matching event while others come', async () => {
    const found = watch(inbox.find(isPause, 500));
    heard.tell(began(1));
    clock.advance(499);
    assert.equal(await found(), 'open');
    heard.tell(paused(2));
    assert.deepEqual(await found(), paused(2));
    assert.deepEqual([inbox.take(), inbox.take()], [began(1), undefined]);
  });

  it('stops looking when the time is over, even if other events keep coming', async () => {
    const found = watch(inbox.find(isPause, 500));
    clock.advance(200);
    heard.tell(began(1));
    assert.equal(await found(), 'open');
    clock.advance(299);
    heard.tell(began(2));
    assert.equal(await found(), 'open');
    clock.advance(1);
    assert.equal(await found(), undefined);
    assert.equal(await watch(inbox.peek(isPause, 0))(), undefined);
    assert.deepEqual([inbox.take(), inbox.take()], [began(1), began(2)]);
  });

  it('stops looking when the call ends, and keeps the end', async () => {
    heard.tell(began(1));
    const found = watch(inbox.find(isPause, 500));
    assert.equal(await found(), 'open');
    heard.tell(hungUp(2));
    assert.equal(await found(), undefined);
    assert.deepEqual([inbox.take(), inbox.take()], [began(1), hungUp(2)]);
  });

  it('forgets everything except the end of the call', () => {
    heard.tell(began(1), paused(2));
    inbox.clear();
    assert.equal(inbox.take(), undefined);
    heard.tell(began(3), hungUp(4));
    inbox.clear();
    assert.deepEqual([inbox.take(), inbox.take()], [hungUp(4), undefined]);
  });

  it('hears nothing after it is closed', () => {
    inbox.close();
    assert.equal(heard.listeners.size, 0);
  });
});
