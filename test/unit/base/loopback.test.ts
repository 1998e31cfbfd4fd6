import assert from 'node:assert/strict';
import { isLoopback } from '../../../src/base/loopback.ts';
import { listed } from '../../support/listed.ts';

describe('a host name', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]'])
    it(`means this machine: ${host}`, () => assert.equal(isLoopback(host), true));

  for (const host of listed(`
     | localhost.example.com | 127.0.0.1.example.com | 1127.0.0.1 | 128.0.0.1 | [::1 | ::2 | 0.0.0.0
  `))
    it(`means another machine: ${host}`, () => assert.equal(isLoopback(host), false));
});
