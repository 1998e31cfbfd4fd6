import assert from 'node:assert/strict';
import { Reruns } from '../../../../../src/editor/testing/running/reruns.ts';
import { FakeClock, settle } from '../../fakes.ts';

describe('Reruns', () => {
  let clock: FakeClock, reruns: Reruns, begun: string[], end: () => void;

  beforeEach(() => {
    clock = new FakeClock();
    begun = [];
    reruns = new Reruns(clock, (test) => {
      begun.push(test);
      const running = Promise.withResolvers<undefined>();
      end = () => running.resolve(undefined);
      return running.promise;
    });
  });

  it('runs a test once after several changes', async () => {
    reruns.changed('a');
    await clock.pass(600);
    reruns.changed('a');
    await clock.pass(600);
    assert.deepEqual(begun, []);
    await clock.pass(600);
    assert.deepEqual(begun, ['a']);
  });

  it('runs a test that changes during its run once more, and other tests meanwhile', async () => {
    for (const test of ['a', 'a', 'b', 'a']) {
      reruns.changed(test);
      await clock.pass(1_000);
    }
    assert.deepEqual(begun, ['a', 'b']);
  });

  it('runs it after the end of the run', async () => {
    for (const test of ['a', 'a', 'a']) {
      reruns.changed(test);
      await clock.pass(1_000);
    }
    end();
    await settle();
    assert.deepEqual(begun, ['a', 'a']);
    end();
    await settle();
    assert.deepEqual(begun, ['a', 'a']);
  });

  it('runs nothing after it was stopped', async () => {
    for (const test of ['a', 'a']) {
      reruns.changed(test);
      await clock.pass(1_000);
    }
    reruns.changed('b');
    reruns.dispose();
    reruns.changed('c');
    end();
    await clock.pass(5_000);
    assert.deepEqual([begun, clock.pending], [['a'], 0]);
  });
});
