import assert from 'node:assert/strict';
import { withoutUndefined } from '../../../src/base/withoutUndefined.ts';

describe('base: members without a value', () => {
  it('disappear, but null, false, 0 and empty text stay', () => {
    const kept = withoutUndefined({ a: null, b: undefined, c: false, d: 0, e: '' });
    assert.deepEqual(Object.entries(kept), [
      ['a', null],
      ['c', false],
      ['d', 0],
      ['e', ''],
    ]);
  });
});
