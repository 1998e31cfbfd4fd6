import assert from 'node:assert/strict';
import { Coalescer } from '../../../../src/editor/basics/coalescer.ts';
import { settle } from '../fakes.ts';

describe('Coalescer', () => {
  /** Work that ends when the test says so. */
  function work(): {
    coalescer: Coalescer;
    running: () => number;
    most: () => number;
    end: () => void;
    fail: (error: Error) => void;
    begun: () => number;
  } {
    const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
    let begun = 0,
      most = 0;
    const coalescer = new Coalescer(() => {
      begun += 1;
      const done = new Promise<void>((resolve, reject) => {
        open.push({ resolve, reject });
      });
      most = Math.max(most, open.length);
      return done;
    });
    return {
      coalescer,
      running: () => open.length,
      most: () => most,
      end: () => open.shift()?.resolve(),
      fail: (error) => open.shift()?.reject(error),
      begun: () => begun,
    };
  }

  it('joins requests during a run into one further run', async () => {
    const { coalescer, end, begun } = work();
    const first = coalescer.request();
    const second = coalescer.request(),
      third = coalescer.request();
    assert.equal(begun(), 1);
    end();
    await first;
    await settle();
    assert.equal(begun(), 2);
    end();
    await Promise.all([second, third]);
    assert.equal(begun(), 2);
  });

  it('never runs twice simultaneously, even if a request comes between two runs', async () => {
    const { coalescer, end, most } = work();
    const requests = [coalescer.request()];
    requests.push(coalescer.request());
    void requests[0]?.then(() => requests.push(coalescer.request()));
    for (let turn = 0; turn < 5; turn += 1) {
      end();
      await settle();
    }
    await Promise.all(requests);
    assert.equal(most(), 1);
  });

  it('continues after a failure, which only those who waited for that run see', async () => {
    const { coalescer, end, fail } = work();
    const first = coalescer.request(),
      second = coalescer.request();
    fail(new Error('gone'));
    await assert.rejects(first, /gone/);
    await settle();
    end();
    await second;
  });
});
