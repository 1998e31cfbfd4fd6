import assert from 'node:assert/strict';
import { languageStretches } from '../../../src/speech/languages/languageStretches.ts';
import type { Leaning } from '../../../src/speech/languages/languageEar.ts';

type Piece = readonly [seconds: number, perSecond: number];

/** Consecutive pieces with these durations in seconds, each with this leaning per second. */
const partsOf = (...said: readonly Piece[]): Leaning[] => {
  let atMs = 0;
  return said.map(([voicedSeconds, perSecond]) => {
    const startMs = atMs;
    atMs += voicedSeconds * 1000 + 300;
    return { startMs, endMs: atMs - 300, voicedSeconds, towardsFrench: perSecond * voicedSeconds };
  });
};
const inPieces = (...said: readonly Piece[]): Leaning[][] => partsOf(...said).map((part) => [part]);
const languagesOf = (...said: readonly Piece[]): unknown[] =>
  languageStretches(inPieces(...said)).map(({ language }) => language);

describe('stretches of one language', () => {
  it('merge adjacent pieces in one language', () =>
    assert.deepEqual(languageStretches(inPieces([5, 0.06], [3, 0.04], [4, -0.15], [2, -0.12])), [
      { startMs: 0, endMs: 8300, speechSeconds: 8, language: 'fr' },
      { startMs: 8600, endMs: 14_900, speechSeconds: 6, language: 'en' },
    ]));

  it('continue over a short piece that leans slightly the other way', () =>
    assert.deepEqual(languagesOf([4, -0.15], [0.8, 0.01], [4, -0.15]), ['en']));

  it('end at a piece that is clearly another language', () =>
    assert.deepEqual(languagesOf([4, -0.15], [4, 0.06], [4, -0.15]), ['en', 'fr', 'en']));

  it('end within a piece if the evidence there is much stronger', () => {
    const within = (...said: readonly Piece[]): unknown[] =>
      languageStretches([partsOf(...said)]).map(({ language }) => language);
    assert.deepEqual(within([7, 0.09], [2.3, -0.3]), ['fr', 'en']);
    assert.deepEqual(within([4, -0.15], [1.4, 0.04]), ['en']);
  });

  it('have no language if neither is clear, or too little was said', () => {
    assert.deepEqual(languagesOf([10, -0.03]), [undefined]);
    assert.deepEqual(languagesOf([1, 0.2]), [undefined]);
    assert.deepEqual(languagesOf([3, 0.01]), [undefined], 'short and weak');
    assert.deepEqual(languagesOf([0, 0]), [undefined]);
    assert.deepEqual(languagesOf(), []);
  });
});
