import assert from 'node:assert/strict';
import { pattern, patternWith, source, words } from '../../../src/base/rows.ts';

describe('multi-line text helpers', () => {
  it('remove line breaks and indentation, and nothing else', () =>
    assert.equal(
      source`
        \b(?:
          press|say [ ]
          |dial
        )\b
      `,
      String.raw`\b(?:press|say [ ]|dial)\b`,
    ));

  it('compile a pattern once per call site', () => {
    const patterns = [1, 2].map(
      () => pattern`
        one
        |two`,
    );
    assert.equal(patterns[0], patterns[1]);
    assert.equal(patterns[0]?.source, 'one|two');
    assert.notEqual(pattern`one`, pattern`one`);
  });

  it('insert parts into a pattern with flags, and keep no state between calls', () => {
    const found = (number: string): string[] =>
      [
        ...'Press ONE or one'.matchAll(patternWith('gi')`
          \b${number}\b
        `),
      ].map(([match]) => match);
    assert.deepEqual(found('one'), ['ONE', 'one']);
    assert.deepEqual(found('or'), ['or']);
    const both = [1, 2].map(() => patternWith('g')`one`);
    assert.equal(both[0]?.test('one'), true);
    assert.equal(both[1]?.lastIndex, 0);
  });

  it('split words at spaces and line breaks', () =>
    assert.deepEqual(
      words`
        one two
        three
      `,
      ['one', 'two', 'three'],
    ));
});
