import assert from 'node:assert/strict';
import { UniqueNames } from '../../../../src/model/tree/uniqueNames.ts';

describe('unique names', () => {
  it('are what is wanted where it is free, else numbered', () => {
    const names = new UniqueNames('root');
    assert.deepEqual(
      ['a', 'a', 'a (2)', 'a', 'root', 'b'].map((name) => names.take(name)),
      ['a', 'a (2)', 'a (2) (2)', 'a (3)', 'root (2)', 'b'],
    );
    assert.equal(names.take('b', 'root > b'), 'root > b (2)');
  });

  it('are found at once where all want the same', () => {
    const names = new UniqueNames();
    // Trying all numbers anew for each would take longer than this test may.
    const given = Array.from({ length: 50_000 }, () => names.take('same'));
    assert.deepEqual([new Set(given).size, given.at(-1)], [50_000, 'same (50000)']);
  });
});
