import assert from 'node:assert/strict';
import { mask } from '../../../src/editor/log.ts';

describe('the log', () => {
  for (const [text, logged] of [
    ['No route leads to +12025550101.', 'No route leads to +•••.'],
    ['calls +49 (0)30 123-456', 'calls +•••'],
    ['sip:+12025550101@trunk.example.com refused', 'sip:•••@trunk.example.com refused'],
    ['key dt_abcd1234_Zz09 refused', 'key dt_••• refused'],
    ['Code 486, 3 calls in 12 s', 'Code 486, 3 calls in 12 s'],
    ['at open (service.js:120:15)', 'at open (service.js:120:15)'],
  ] as const) {
    it(`writes “${text}” as “${logged}”`, () => { assert.equal(mask(text), logged); });
  }
});
