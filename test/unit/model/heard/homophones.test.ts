import assert from 'node:assert/strict';
import { likeness, soundKey, wordSoundOf } from '../../../../src/model/heard/homophones.ts';

const like = (a: string, b: string): number => likeness(wordSoundOf(a), wordSoundOf(b));

describe('words that sound alike', () => {
  it('have the same key', () => {
    for (const [a, b] of [
      ['check', 'cheque'],
      ['phone', 'fone'],
      ['night', 'nite'],
      ['know', 'no'],
      ['write', 'rite'],
      ['station', 'stashun'],
      ['judge', 'juge'],
      ['cell', 'sell'],
      ['queue', 'kew'],
      ['bin', 'pin'],
      ['thumb', 'thum'],
    ] as const) {
      assert.equal(soundKey(a), soundKey(b), `${a} ${b}`);
    }
  });

  it('have different keys if their consonants differ', () => {
    for (const [a, b] of [
      ['sales', 'tales'],
      ['billing', 'filming'],
      ['account', 'amount'],
      ['open', 'close'],
    ] as const)
      assert.notEqual(soundKey(a), soundKey(b), `${a} ${b}`);
  });

  it('have a symmetric similarity from 0 to 1', () => {
    for (const [a, b, least, most] of [
      ['mail', 'male', 0.95, 1],
      ['representatives', 'representative', 0.8, 1],
      ['inquiry', 'enquiry', 0.95, 1],
      ['catalog', 'catalogue', 0.7, 1],
      ['bill', 'ball', 0.5, 0.9],
      ['sales', 'service', 0, 0],
      ['account', 'card', 0, 0],
      ['cat', 'cut', 0, 0],
    ] as const) {
      assert.ok(like(a, b) >= least && like(a, b) <= most, `${a} ${b} ${like(a, b)}`);
      assert.equal(like(a, b), like(b, a));
    }
  });
});
