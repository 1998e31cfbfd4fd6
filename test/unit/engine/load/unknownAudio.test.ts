import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UnknownAudio } from '../../../../src/engine/load/unknownAudio.ts';

const heard = (startMs: number, endMs: number, value = 1) => ({
  startMs,
  endMs,
  pcm: new Int16Array((endMs - startMs) * 8).fill(value),
});

describe('UnknownAudio', () => {
  it('returns the pieces with the pauses between them', () => {
    const audio = new UnknownAudio();
    assert.equal(audio.audio(), undefined);
    audio.add(heard(1000, 1100, 1));
    audio.add(heard(1300, 1400, 2));
    const pcm = audio.audio();
    assert.equal(pcm?.length, 400 * 8);
    assert.deepEqual([pcm[0], pcm[150 * 8], pcm[350 * 8]], [1, 0, 2]);
  });

  it('forgets what a step passed with', () => {
    const audio = new UnknownAudio();
    audio.add(heard(1000, 2000, 1));
    audio.add(heard(5000, 6000, 2));
    audio.forgetUntil({ endMs: 4000 });
    assert.deepEqual([audio.audio()?.length, audio.audio()?.[0]], [8000, 2]);
  });

  it('keeps a bounded part of an endless prompt, and of pieces that are far apart', () => {
    const audio = new UnknownAudio();
    audio.add(heard(0, 60_000));
    audio.add(heard(61_000, 62_000));
    assert.equal(audio.audio()?.length, 64_000);
    const apart = new UnknownAudio();
    apart.add(heard(0, 1000));
    apart.add(heard(600_000, 601_000));
    assert.equal(apart.audio()?.length, 8000);
  });
});
