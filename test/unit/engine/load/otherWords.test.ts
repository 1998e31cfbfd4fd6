import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { areExpected } from '../../../../src/engine/load/otherWords.ts';

const expected = 'Thank you for calling Orchard Bank. For your balance, press 1. For opening hours, press 2.';
const same = (text: string, { isWhole = true, isDamaged = false } = {}): boolean =>
  areExpected({ expected, passThreshold: 0.8 }, { text, isWhole, isDamaged });

describe('words of a prompt that sounded different', () => {
  it('match only as a whole', () => {
    assert.equal(same(expected), true);
    assert.equal(same('Thank you for calling Orchard Bank. For your balance'), false);
    assert.equal(same('Our computers are out of order today.'), false);
  });

  it('must be the expected ones where the sound is another, however much of the rest is the same', () => {
    const text = 'Thank you for calling Orchard Bank. We are closed today. For opening hours, press 2.';
    const recognised = new Set([6, 7, 8, 9]);
    const compare = (words: string): boolean =>
      areExpected({ expected, passThreshold: 0.6 }, { text: words, recognised, isWhole: true, isDamaged: false });
    assert.equal(compare(text), false);
    assert.equal(
      compare('Thank you for calling Orchard Bank. For your balances press 1. For opening hours, press 2.'),
      true,
    );
  });

  it('can be the beginning if more was said than was kept', () => {
    assert.equal(same('Thank you for calling Orchard Bank. For your bal', { isWhole: false }), true);
    assert.equal(same('Our computers are out of order to', { isWhole: false }), false);
  });

  it('can have gaps if audio was lost', () => {
    assert.equal(same('Thank you for calling our bank. balance, press 1. opening hours, press'), false);
    assert.equal(
      same('Thank you for calling our bank. balance, press 1. opening hours, press', { isDamaged: true }),
      true,
    );
    assert.equal(same('Our computers are out of order today.', { isDamaged: true }), false);
  });
});
