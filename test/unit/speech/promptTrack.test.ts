import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frameDistance, frameWeight, SoundFrames } from '../../../src/speech/fingerprint.ts';
import { stretchDistance } from '../../../src/speech/promptTrack.ts';

/** Frames with ten bands each, some of them quiet. */
const anyFrames = (count: number): fc.Arbitrary<SoundFrames> =>
  fc
    .tuple(
      fc.array(fc.integer({ min: -40, max: 40 }), { minLength: count * 10, maxLength: count * 10 }),
      fc.array(fc.integer({ min: -60, max: 0 }), { minLength: count, maxLength: count }),
    )
    .map(([shapes, levels]) => {
      const frames = new SoundFrames(count);
      frames.shapes.set(shapes.map((quarters) => quarters / 4));
      frames.levels.set(levels);
      return frames;
    });

describe('stretchDistance', () => {
  it('gives the exact distance below its limit, and at least the limit otherwise', () => {
    const outcomes = { below: 0, limited: 0 };
    const anyStart = fc.integer({ min: -10, max: 30 });
    const anyGain = fc.integer({ min: -12, max: 12 });
    const anyLimit = fc.integer({ min: 1, max: 60 }).map((quarters) => quarters / 4);
    fc.assert(
      fc.property(anyFrames(20), anyFrames(50), anyStart, anyGain, anyLimit, (frames, stream, start, gain, limit) => {
        const heard = { frames: stream, indexOf: (step: number) => (step >= 0 && step < stream.length ? step : -1) };
        let sum = 0;
        let weights = 0;
        for (let k = 0; k < frames.length; k += 1) {
          const index = start + 2 * k;
          if (index < 0 || index >= stream.length) continue;
          const weight = frameWeight(frames.levels[k] ?? 0, (stream.levels[index] ?? 0) - gain);
          sum += weight * frameDistance(frames, k, stream, index, gain);
          weights += weight;
        }
        const plain = weights === 0 ? Infinity : sum / weights;
        const reference = { leadMs: 0, frames };
        assert.equal(stretchDistance(reference, heard, start, 0, frames.length, gain), plain);
        // Also at the distance itself, where a rounding error would matter.
        for (const each of [limit, plain, plain + 1e-12]) {
          const limited = stretchDistance(reference, heard, start, 0, frames.length, gain, each);
          if (plain < each) assert.equal(limited, plain);
          else assert.ok(limited >= each, `${limited} < ${each}`);
          outcomes[plain < each ? 'below' : 'limited'] += 1;
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(outcomes.below > 300 && outcomes.limited > 300, JSON.stringify(outcomes));
  });
});
