import assert from 'node:assert/strict';
import { cutsAround, mostLost, voicedFrames } from '../../../src/speech/lostSpeech.ts';

/** Frames of 20 ms: speech of the first length in milliseconds, then quiet, and so on. */
const frames = (...lengthsMs: readonly number[]): boolean[] =>
  lengthsMs.flatMap((ms, index) => new Array<boolean>(ms / 20).fill(index % 2 === 0));
/** Five phrases of 1.2 s with pauses of 0.3 s, 0.5 s after the third. */
const fivePhrases = frames(1200, 300, 1200, 300, 1200, 500, 1200, 300, 1200);
const word = (text: string, startMs: number, endMs: number): { text: string; startMs: number; endMs: number } => ({
  text,
  startMs,
  endMs,
});
const phrase = (startMs: number): { text: string; startMs: number; endMs: number }[] => [
  word('payments', startMs, startMs + 600),
  word('choose', startMs + 600, startMs + 900),
  word('four', startMs + 900, startMs + 1200),
];
const starts = [0, 1500, 3000, 4700, 6200];
const cutsOf = (text: string, words: ReturnType<typeof phrase>, voiced = fivePhrases): readonly number[] =>
  cutsAround(voiced, mostLost(voiced, text, words));

describe('lost speech', () => {
  it('cuts nothing if all speech has words', () => {
    assert.deepEqual(cutsOf('…', starts.flatMap(phrase)), []);
  });

  it('cuts at the pauses around phrases that have no words', () => {
    assert.deepEqual(cutsOf('…', [0, 1500, 6200].flatMap(phrase)), [2850, 6050]);
  });

  it('cuts before phrases at the end that have no words', () => {
    assert.deepEqual(cutsOf('…', [0, 1500, 3000].flatMap(phrase)), [4450]);
  });

  it('cuts at the longest pause if one word stands for everything', () => {
    assert.deepEqual(cutsOf('10.', [word('10', 200, 7400)]), [4450]);
    assert.deepEqual(cutsOf('10.', []), [4450]);
  });

  it('counts the text if the words have no times', () => {
    assert.deepEqual(cutsOf('payments choose four '.repeat(5), []), []);
  });

  it('counts a number without a length for the speech after it', () => {
    const words = [...phrase(0), word('888-555-0164', 1200, 1200), word('again', 4400, 4700), ...phrase(6200)];
    assert.deepEqual(cutsOf('…', words, frames(1200, 300, 3200, 1500, 1200)), []);
  });

  it('cuts nothing inside speech without a pause', () => {
    assert.deepEqual(cutsOf('10.', [word('10', 0, 6000)], frames(3000, 100, 3000)), []);
  });

  it("doesn't take the noise of a line for a voice", () => {
    const noisy = Int16Array.from({ length: 16_000 }, (_, at) => ((at * 7919) % 200) - 100);
    assert.ok(!voicedFrames(noisy).includes(true));
  });
});
