import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languageStretches } from '../../../src/speech/languages/languageStretches.ts';
import type { LeaningPiece } from '../../../src/speech/languages/languageStretches.ts';

type Piece = readonly [seconds: number, perSecond: number];

/** Pieces of these seconds, one behind the other, each leaning so far a second. */
const pieces = (...said: readonly Piece[]): LeaningPiece[] => {
  let atMs = 0;
  return said.map(([voicedSeconds, perSecond]) => {
    const startMs = atMs;
    atMs += voicedSeconds * 1000 + 300;
    return { startMs, endMs: atMs - 300, voicedSeconds, towardsFrench: perSecond * voicedSeconds };
  });
};
const languagesOf = (...said: readonly Piece[]): unknown[] =>
  languageStretches(pieces(...said)).map(({ language }) => language);

describe('stretches of a language', () => {
  it('join what stays in one language', () => {
    assert.deepEqual(languageStretches(pieces([5, 0.06], [3, 0.04], [4, -0.15], [2, -0.12])), [
      { startMs: 0, endMs: 8300, speechSeconds: 8, language: 'fr' },
      { startMs: 8600, endMs: 14_900, speechSeconds: 6, language: 'en' },
    ]);
  });

  it('do not break at a short piece that leans the other way a little', () => {
    assert.deepEqual(languagesOf([4, -0.15], [0.8, 0.01], [4, -0.15]), ['en']);
  });

  it('break at a piece that is clearly another language', () => {
    assert.deepEqual(languagesOf([4, -0.15], [4, 0.06], [4, -0.15]), ['en', 'fr', 'en']);
  });

  it('have none where neither is clear, or too little was said', () => {
    assert.deepEqual(languagesOf([10, -0.03]), [undefined]);
    assert.deepEqual(languagesOf([1, 0.2]), [undefined]);
    assert.deepEqual(languagesOf([3, 0.01]), [undefined], 'short and weak');
    assert.deepEqual(languagesOf([0, 0]), [undefined]);
    assert.deepEqual(languagesOf(), []);
  });
});
