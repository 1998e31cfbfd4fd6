import assert from 'node:assert/strict';
import type { OpenDialer } from '../../../src/service/runs/sharedDialer.ts';
import { SharedDialer } from '../../../src/service/runs/sharedDialer.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('SharedDialer', () => {
  /** A dialer whose opening a test completes. */
  function slowDialer() {
    const clock = new ManualClock();
    const counts = { opened: 0, closed: 0 };
    const { promise, resolve } = Promise.withResolvers<OpenDialer>();
    const dialer = new SharedDialer(() => {
      counts.opened += 1;
      return promise;
    }, clock);
    const open = (): void => {
      const close = (): Promise<void> => {
        counts.closed += 1;
        return Promise.resolve();
      };
      resolve({ close } as unknown as OpenDialer);
    };
    return { clock, counts, dialer, open };
  }

  it('closes what opens during its close, and leaves no timer that keeps the process running', async () => {
    const { clock, counts, dialer, open } = slowDialer();
    const use = dialer.use(() => Promise.resolve());
    const closing = dialer.close();
    open();
    await Promise.all([use, closing]);
    assert.deepEqual(counts, { opened: 1, closed: 1 });
    assert.equal(clock.pending, 0);
  });

  it('closes five minutes after its last use', async () => {
    const { clock, counts, dialer, open } = slowDialer();
    open();
    await dialer.use(() => Promise.resolve());
    clock.advance(299_999);
    await Promise.resolve();
    assert.equal(counts.closed, 0);
    clock.advance(1);
    await new Promise(setImmediate);
    assert.equal(counts.closed, 1);
    assert.equal(clock.pending, 0);
  });

  it('stays open for the registrations of lines, until the service ends', async () => {
    const { clock, counts, dialer, open } = slowDialer();
    open();
    await dialer.keep();
    assert.equal(clock.pending, 0, 'no timer closes it');
    await dialer.close();
    assert.equal(counts.closed, 1);
  });
});
