import assert from 'node:assert/strict';
import { withoutUndefined } from '../../../src/base/withoutUndefined.ts';

describe('base: members without a value', () => {
  it('omits them, but keeps null, false, 0 and empty text', () => {
    const kept = withoutUndefined({ a: null, b: undefined, c: false, d: 0, e: '' });
    assert.deepEqual(Object.entries(kept), [
      ['a', null],
      ['c', false],
      ['d', 0],
      ['e', ''],
    ]);
  });
});
