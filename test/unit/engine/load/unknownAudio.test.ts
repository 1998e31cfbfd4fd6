import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UnknownAudio, type HeardInstead } from '../../../../src/engine/load/unknownAudio.ts';

const heard = (startMs: number, endMs: number, value = 1) => ({
  startMs,
  endMs,
  pcm: new Int16Array((endMs - startMs) * 8).fill(value),
});
const onlyAudio = (instead: HeardInstead | undefined): Int16Array => {
  const [first, ...others] = instead?.parts ?? [];
  assert.ok(first instanceof Int16Array && others.length === 0);
  return first;
};

describe('UnknownAudio', () => {
  it('returns the pieces with the pauses between them', () => {
    const audio = new UnknownAudio();
    assert.equal(audio.heard(), undefined);
    audio.add(heard(1000, 1100, 1));
    audio.add(heard(1300, 1400, 2));
    const pcm = onlyAudio(audio.heard());
    assert.equal(pcm.length, 400 * 8);
    assert.deepEqual([pcm[0], pcm[150 * 8], pcm[350 * 8]], [1, 0, 2]);
  });

  it('returns the words of known pieces in their places', () => {
    const audio = new UnknownAudio();
    audio.add(heard(0, 500), 'For sales');
    assert.equal(audio.heard(), undefined);
    audio.add(heard(1000, 1100));
    audio.add(heard(1300, 1400));
    audio.add(heard(2000, 2500), 'For support');
    audio.add(heard(3000, 3100));
    assert.deepEqual(
      audio.heard()?.parts.map((part) => (typeof part === 'string' ? part : part.length / 8)),
      ['For sales', 400, 'For support', 100],
    );
    assert.equal(audio.heard()?.isWhole, true);
  });

  it('forgets what a step passed with', () => {
    const audio = new UnknownAudio();
    audio.add(heard(1000, 2000, 1));
    audio.add(heard(5000, 6000, 2));
    audio.forgetUntil({ endMs: 4000 });
    const pcm = onlyAudio(audio.heard());
    assert.deepEqual([pcm.length, pcm[0]], [8000, 2]);
  });

  it('keeps a bounded beginning of an endless prompt, and of pieces that are far apart', () => {
    const audio = new UnknownAudio();
    audio.add(heard(0, 60_000));
    audio.add(heard(61_000, 62_000), 'later');
    assert.equal(onlyAudio(audio.heard()).length, 64_000);
    assert.equal(audio.heard()?.isWhole, false);
    audio.forgetUntil({ endMs: 63_000 });
    audio.add(heard(64_000, 65_000));
    assert.equal(audio.heard()?.isWhole, true);
    const apart = new UnknownAudio();
    apart.add(heard(0, 1000));
    apart.add(heard(600_000, 601_000));
    assert.equal(onlyAudio(apart.heard()).length, 8000);
    assert.equal(apart.heard()?.isWhole, false);
  });
});
