import assert from 'node:assert/strict';
import { UniqueNames } from '../../../../src/model/tree/uniqueNames.ts';

describe('unique names', () => {
  it('keep the requested name if it is free, and number it otherwise', () => {
    const names = new UniqueNames('root');
    assert.deepEqual(
      ['a', 'a', 'a (2)', 'a', 'root', 'b'].map((name) => names.take(name)),
      ['a', 'a (2)', 'a (2) (2)', 'a (3)', 'root (2)', 'b'],
    );
    assert.equal(names.take('b', 'root > b'), 'root > b (2)');
  });

  it('stay fast if all request the same', () => {
    const names = new UniqueNames();
    // Trying all numbers again for each would take longer than this test's time limit.
    const given = Array.from({ length: 50_000 }, () => names.take('same'));
    assert.deepEqual([new Set(given).size, given.at(-1)], [50_000, 'same (50000)']);
  });
});
