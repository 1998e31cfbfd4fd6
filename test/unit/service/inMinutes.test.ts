import assert from 'node:assert/strict';
import { inMinutes } from '../../../src/service/basics/inMinutes.ts';

describe('a wait in minutes', () => {
  it('rounds up, with singular and plural', () =>
    assert.deepEqual([0, 1, 60, 61, 3600].map(inMinutes), [
      '1 minute',
      '1 minute',
      '1 minute',
      '2 minutes',
      '60 minutes',
    ]));
});
