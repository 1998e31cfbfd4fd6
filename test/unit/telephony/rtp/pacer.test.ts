import assert from 'node:assert/strict';
import type { PacerMember } from '../../../../src/telephony/rtp/pacer.ts';
import { Pacer } from '../../../../src/telephony/rtp/pacer.ts';
import { PlayQueue } from '../../../../src/telephony/rtp/playQueue.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const memberOf = (parts: Partial<PacerMember>): PacerMember => ({
  sendTick: () => undefined,
  playTick: () => undefined,
  failed: (error) => {
    throw error;
  },
  ...parts,
});

describe('the pacer', () => {
  function start(): { clock: ManualClock; pacer: Pacer; sends: number[]; order: string[]; pending: (() => void)[] } {
    const clock = new ManualClock();
    const pending: (() => void)[] = [];
    return { clock, pacer: new Pacer(clock, (play) => pending.push(play)), sends: [], order: [], pending };
  }

  it('ticks every 20 ms against absolute deadlines, however late single ticks are', () => {
    const clock = new ManualClock();
    let ticks = 0;
    // Every timer fires 3 ms late, like those of a busy event loop.
    const late = {
      now: () => clock.now(),
      setTimeout: (callback: () => void, ms: number) => clock.setTimeout(callback, ms + 3),
      clearTimeout: (handle: object | number) => clock.clearTimeout(handle),
    };
    const leave = new Pacer(late, (play) => play()).add(memberOf({ sendTick: () => ticks++ }));
    clock.advance(100_000);
    assert.equal(ticks, 4999);
    leave();
    assert.equal(clock.pending, 0);
  });

  it('catches up by up to five ticks and reports their lateness', () => {
    const { clock, sends } = start();
    let stalled = 0;
    const slow = {
      now: () => clock.now() + stalled,
      setTimeout: clock.setTimeout.bind(clock),
      clearTimeout: clock.clearTimeout.bind(clock),
    };
    new Pacer(slow, (play) => play()).add(memberOf({ sendTick: (lateness) => sends.push(lateness) }));
    clock.advance(40);
    stalled = 1000;
    clock.advance(20);
    assert.deepEqual(sends, [0, 0, 1000, 980, 960, 940, 920]);
    clock.advance(40);
    assert.deepEqual(sends.slice(7), [0, 0]);
  });

  it('reports every tick to a watcher, including skipped ones', () => {
    const { clock } = start();
    let stalled = 0;
    const slow = {
      now: () => clock.now() + stalled,
      setTimeout: clock.setTimeout.bind(clock),
      clearTimeout: clock.clearTimeout.bind(clock),
    };
    const pacer = new Pacer(slow, (play) => play());
    pacer.add(
      memberOf({
        sendTick: () => {
          stalled += 3;
        },
      }),
    );
    const told: [number, number][] = [];
    const stop = pacer.watch((lateness, missed) => told.push([lateness, missed]));
    clock.advance(20);
    stalled += 200;
    clock.advance(20);
    // Each tick takes its member 3 ms; the second is delayed by the stall: five ticks are sent, the next ones aren't.
    assert.deepEqual(told, [
      [3, 0],
      [203, 0],
      [186, 0],
      [169, 0],
      [152, 0],
      [135, 0],
      [115, 6],
    ]);
    stop();
    clock.advance(200);
    assert.equal(told.length, 7);
  });

  it('continues for the others if one throws, and reports the error to that one', () => {
    const { clock, pacer, pending } = start();
    const told: string[] = [];
    const member = (name: string, bad: 'send' | 'play' | undefined): PacerMember => ({
      sendTick: () => {
        told.push(`${name} sends`);
        if (bad === 'send') throw new Error('send');
      },
      playTick: () => {
        told.push(`${name} plays`);
        if (bad === 'play') throw new Error('play');
      },
      failed: (error) => {
        told.push(`${name} failed: ${String(error)}`);
      },
    });
    for (const one of [member('a', 'send'), member('b', 'play'), member('c', undefined)]) pacer.add(one);
    clock.advance(20);
    for (const play of pending.splice(0)) play();
    clock.advance(20);
    assert.deepEqual(told, [
      'a sends',
      'a failed: Error: send',
      'b sends',
      'c sends',
      'b plays',
      'b failed: Error: play',
      'c plays',
      'c sends',
    ]);
  });

  it('plays after the sockets were read, once per tick', () => {
    const { clock, pacer, order, pending } = start();
    pacer.add(memberOf({ sendTick: () => order.push('send'), playTick: () => order.push('play') }));
    clock.advance(40);
    assert.deepEqual(order, ['send', 'send']);
    for (const play of pending.splice(0)) play();
    assert.deepEqual(order, ['send', 'send', 'play', 'play']);
  });

  it('runs only while it has members', () => {
    const { clock, pacer } = start();
    const leave = pacer.add(memberOf({}));
    assert.equal(clock.pending, 1);
    leave();
    assert.equal(clock.pending, 0);
    clock.advance(1000);
    let ticks = 0;
    pacer.add(memberOf({ sendTick: () => ticks++ }));
    clock.advance(100);
    assert.equal(ticks, 5);
  });
});

describe('the play queue', () => {
  it('joins arrays without gaps and pads only the end', async () => {
    const queue = new PlayQueue();
    const outcomes = Promise.all([queue.push(new Int16Array(100).fill(1)), queue.push(new Int16Array(100).fill(2))]);
    assert.deepEqual([...(queue.take() ?? [])], [...new Array<number>(100).fill(1), ...new Array<number>(60).fill(2)]);
    assert.deepEqual([...(queue.take() ?? [])], [...new Array<number>(40).fill(2), ...new Array<number>(120).fill(0)]);
    assert.equal(queue.take(), undefined);
    assert.deepEqual(await outcomes, ['played', 'played']);
  });

  it("clears, and rejects what doesn't fit", async () => {
    const queue = new PlayQueue();
    const first = queue.push(new Int16Array(8000 * 60 * 14));
    assert.equal(await queue.push(new Int16Array(8000 * 60 * 2)), 'cleared');
    queue.take();
    queue.clear('cleared');
    assert.equal(await first, 'cleared');
    assert.equal(queue.take(), undefined);
    const next = queue.push(new Int16Array(8000 * 60 * 14));
    queue.clear('ended');
    assert.equal(await next, 'ended');
  });
});
