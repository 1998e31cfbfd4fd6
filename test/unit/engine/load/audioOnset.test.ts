import assert from 'node:assert/strict';
import { AudioOnset } from '../../../../src/engine/load/audioOnset.ts';
import { seededRandom } from '../../../support/telephonyLink.ts';

type Sample = (index: number) => number;
const random = seededRandom(7);
const noise =
  (level: number): Sample =>
  () =>
    (random() - 0.5) * 2 * level;
const voice: Sample = (i) => 7000 * Math.sin(i / 3);
const quiet: Sample = () => 0;

/**
 * Feeds pieces with these numbers of frames; returns the frame of the onset, and after how many frames it was known.
 */
function onsetOf(...pieces: readonly (readonly [frames: number, sample: Sample])[]): {
  at: number | undefined;
  known: number;
} {
  const onset = new AudioOnset();
  let fed = 0;
  for (const [frames, sample] of pieces) {
    for (let frame = 0; frame < frames; frame += 1) {
      fed += 1;
      const at = onset.push({
        pcm: Int16Array.from({ length: 160 }, (_, i) => sample(fed * 160 + i)),
        concealed: false,
      });
      if (at !== undefined) return { at, known: fed };
    }
  }
  return { at: undefined, known: fed };
}

describe('the onset of audio', () => {
  it('falls on the first frame of a voice after silence', () =>
    assert.deepEqual(onsetOf([10, quiet], [20, voice]), { at: 10, known: 12 }));
  it('falls on the very first frame if the voice begins immediately, known at its first pause', () =>
    assert.deepEqual(onsetOf([30, voice], [1, quiet]), { at: 0, known: 31 }));
  it('ignores the noise of a line, however loud', () => assert.equal(onsetOf([200, noise(600)]).at, undefined));
  it('falls on the voice above the noise of a line', () =>
    assert.equal(onsetOf([25, noise(600)], [20, (i) => voice(i) + noise(600)(i)]).at, 25));
  it('ignores a click', () => assert.equal(onsetOf([5, quiet], [1, voice], [5, quiet], [20, voice]).at, 11));
  it('ignores sounds quieter than a prompt', () =>
    assert.equal(onsetOf([5, quiet], [50, (i) => 100 * Math.sin(i / 3)]).at, undefined));

  it('ignores concealed frames', () => {
    const onset = new AudioOnset();
    const feed = (sample: Sample, concealed: boolean): number | undefined =>
      onset.push({ pcm: Int16Array.from({ length: 160 }, (_, i) => sample(i)), concealed });
    const found = [
      feed(noise(600), false),
      feed(quiet, true),
      feed(noise(600), false),
      feed(noise(600), false),
      feed(noise(600), false),
    ];
    assert.deepEqual(
      found,
      found.map(() => undefined),
    );
  });

  it('gives up after a minute', () => {
    const onset = new AudioOnset();
    const frame = { pcm: new Int16Array(160), concealed: false };
    for (let second = 0; second < 60; second += 1) for (let tick = 0; tick < 50; tick += 1) onset.push(frame);
    assert.equal(onset.done, true);
  });
});
