import assert from 'node:assert/strict';
import { mask } from '../../../src/editor/log.ts';

describe('the log', () => {
  for (const [text, logged] of [
    ['No route leads to +12025550101.', 'No route leads to [redacted].'],
    ['calls +49 (0)30 123-456', 'calls [redacted]'],
    ['sip:+12025550101@trunk.example.com refused', 'sip:[redacted]@trunk.example.com refused'],
    ['key dt_abcd1234_Zz09 refused, and dt_half too', 'key dt_abcd1234_[redacted] refused, and dt_[redacted] too'],
    ['sk-ant-api03-0123456789 refused', 'sk-[redacted] refused'],
    ['Code 486, 3 calls in 12 s', 'Code 486, 3 calls in 12 s'],
    ['at open (service.js:120:15)', 'at open (service.js:120:15)'],
  ] as const) {
    it(`writes “${text}” as “${logged}”`, () => { assert.equal(mask(text), logged); });
  }
});
