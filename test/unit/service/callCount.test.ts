import assert from 'node:assert/strict';
import type { ActiveCall, ActiveCallEvent } from '../../../src/engine/call/talk.ts';
import { CallCount } from '../../../src/service/runs/callCount.ts';

/** The parts of a call that counting needs. */
function fakeTalk(ended?: ActiveCall['ended']): { readonly talk: ActiveCall; end(): void; readonly listeners: number } {
  const listeners = new Set<(event: ActiveCallEvent) => void>();
  const talk = {
    ended,
    listen(listener: (event: ActiveCallEvent) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  } as unknown as ActiveCall;
  const tell = (event: object): void => {
    for (const listener of [...listeners]) listener(event as ActiveCallEvent);
  };
  return {
    talk,
    end: () => {
      tell({ type: 'silence' });
      tell({ type: 'ended' });
    },
    get listeners() {
      return listeners.size;
    },
  };
}

describe('the count of calls', () => {
  it('counts answered, active calls only', async () => {
    const count = new CallCount();
    const [first, second, over] = [
      fakeTalk(),
      fakeTalk(),
      fakeTalk({ reason: 'busy' } as unknown as ActiveCall['ended']),
    ];
    const answers = [
      () => Promise.resolve(first.talk),
      () => Promise.reject(new Error('busy')),
      () => Promise.resolve(over.talk),
      () => Promise.resolve(second.talk),
    ];
    let closed = 0;
    const theirs = fakeTalk();
    const point = {
      address: 'sip:probe@127.0.0.1:5060',
      dialer: { dial: () => Promise.resolve(theirs.talk) },
      close: () => Promise.resolve(),
    };
    const opened = await count.over(() =>
      Promise.resolve({
        dialer: { dial: () => answers.shift()?.() ?? Promise.reject(new Error('no more')) },
        recognise: () => Promise.reject(new Error('nothing to recognise')),
        receive: () => Promise.resolve(point),
        close: () => {
          closed += 1;
          return Promise.resolve();
        },
      }),
    )();
    const dial = () => opened.dialer.dial('sip:a@127.0.0.1', new AbortController().signal);
    assert.equal(await dial(), first.talk);
    assert.equal(count.open, 1);
    await assert.rejects(dial(), /busy/);
    assert.equal(await dial(), over.talk);
    assert.equal(count.open, 1);
    await dial();
    assert.equal(count.open, 2);
    first.end();
    first.end();
    assert.deepEqual([count.open, first.listeners], [1, 0], 'an end counts once');
    second.end();
    assert.equal(count.open, 0);
    const received = await opened.receive();
    assert.equal(received.address, point.address);
    await received.dialer.dial('', new AbortController().signal);
    assert.equal(count.open, 1, 'a call of theirs counts too');
    theirs.end();
    assert.equal(count.open, 0);
    await opened.close();
    assert.equal(closed, 1);
  });
});
