import assert from 'node:assert/strict';
import { LineTraffic } from '../../../../src/service/lines/lineTraffic.ts';
import type { LoadShare } from '../../../../src/service/lines/lineTraffic.ts';
import { ManualClock, settle } from '../../../support/manualClock.ts';

describe("a line's traffic", () => {
  let clock: ManualClock;
  let begun: { readonly name: string; readonly at: number; readonly release: () => void }[];
  beforeEach(() => {
    clock = new ManualClock();
    begun = [];
  });

  const take = (traffic: LineTraffic, name: string, signal = new AbortController().signal): Promise<void> =>
    traffic.take(signal).then((release) => {
      begun.push({ name, at: clock.now(), release });
    });
  const takeMany = async (traffic: LineTraffic, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) void take(traffic, String(n));
    await settle();
  };
  const release = (name: string): void => {
    begun.find((call) => call.name === name)?.release();
  };
  const names = (): string => begun.map(({ name }) => name).join(' ');

  it('begins calls immediately without a limit', async () => {
    await takeMany(new LineTraffic({}, clock), 100);
    assert.equal(begun.length, 100);
    assert.equal(clock.pending, 0);
  });

  it('begins calls evenly at its pace, under simultaneous requests', async () => {
    await takeMany(new LineTraffic({ callsPerSecond: 4 }, clock), 9);
    assert.ok(await clock.run(() => begun.length === 9, 10_000));
    assert.deepEqual(
      begun.map(({ at }) => at),
      [0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000],
    );
    assert.equal(clock.pending, 0);
  });

  it('saves up no pace while idle', async () => {
    const traffic = new LineTraffic({ callsPerSecond: 1 }, clock);
    clock.advance(60_000);
    await takeMany(traffic, 3);
    assert.ok(await clock.run(() => begun.length === 3, 10_000));
    assert.deepEqual(
      begun.map(({ at }) => at),
      [60_000, 61_000, 62_000],
    );
  });

  it('respects the limit of simultaneous calls, and admits the longest waiting first', async () => {
    const traffic = new LineTraffic({ concurrentCalls: 2 }, clock);
    await takeMany(traffic, 4);
    assert.deepEqual([names(), traffic.calls], ['0 1', 2]);
    release('1');
    release('1');
    await settle();
    assert.deepEqual([names(), traffic.calls], ['0 1 2', 2]);
    release('0');
    release('2');
    await settle();
    assert.deepEqual([names(), traffic.calls], ['0 1 2 3', 1]);
  });

  it('forgets a caller that gives up waiting, and admits the next one', async () => {
    const traffic = new LineTraffic({ concurrentCalls: 1 }, clock);
    const [gone, late] = [new AbortController(), new AbortController()];
    late.abort();
    await take(traffic, 'a');
    const waiting = take(traffic, 'b', gone.signal);
    void take(traffic, 'c');
    await assert.rejects(take(traffic, 'd', late.signal), { name: 'DialError' });
    gone.abort();
    await assert.rejects(waiting, { name: 'DialError' });
    release('a');
    await settle();
    assert.deepEqual([names(), traffic.calls], ['a c', 1]);
    gone.abort();
  });

  it('reserves calls and pace for a load test, and gives others the rest', async () => {
    const traffic = new LineTraffic({ concurrentCalls: 10, callsPerSecond: 4 }, clock);
    const signal = new AbortController().signal;
    let share: LoadShare | undefined;
    void traffic.share(8, 2, signal).then((given) => {
      share = given;
    });
    await settle();
    assert.equal(traffic.calls, 0, 'nothing is called yet');
    share?.setCalls(5);
    await takeMany(traffic, 4);
    assert.ok(!(await clock.run(() => begun.length > 2, 3000)));
    // Two per second remain, and two calls.
    assert.deepEqual([begun.map(({ at }) => at), traffic.calls], [[0, 500], 7]);
    share?.begun();
    share?.release();
    share?.release();
    await settle();
    assert.ok(await clock.run(() => begun.length === 4, 3000));
    assert.equal(traffic.calls, 4);
    assert.equal((begun[3]?.at ?? 0) - (begun[2]?.at ?? 0), 250, 'the whole pace is back');
  });

  it('makes others wait while a load test uses the whole pace, until its calls have begun', async () => {
    const traffic = new LineTraffic({ callsPerSecond: 2 }, clock);
    const share = await traffic.share(3, 2, new AbortController().signal);
    await takeMany(traffic, 1);
    assert.ok(!(await clock.run(() => begun.length > 0, 10_000)));
    share.begun();
    await settle();
    assert.equal(begun.length, 1);
  });

  it('makes a load test wait for free calls, and later requests for the load test', async () => {
    const traffic = new LineTraffic({ concurrentCalls: 3 }, clock);
    await take(traffic, 'a');
    let shared = false;
    void traffic.share(3, 50, new AbortController().signal).then(() => {
      shared = true;
    });
    void take(traffic, 'b');
    await settle();
    assert.deepEqual([shared, names()], [false, 'a']);
    release('a');
    await settle();
    assert.deepEqual([shared, names()], [true, 'a']);
  });
});
