import assert from 'node:assert/strict';
import type { Dialer } from '../../src/engine/call/activeCall.ts';
import type { OpenDialer } from '../../src/service/runs/sharedDialer.ts';

/** What a service dials with: this dialer, which recognises and receives nothing. */
export const fakeDialer = (dialer: Dialer, close = (): Promise<void> => Promise.resolve()): Promise<OpenDialer> =>
  Promise.resolve({
    dialer,
    receive: () => Promise.reject(new Error('no calls come in')),
    register: () => assert.fail('no line registers'),
    close,
  });
