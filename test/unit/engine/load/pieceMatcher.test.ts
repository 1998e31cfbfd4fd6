import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PieceMatcher } from '../../../../src/engine/load/pieceMatcher.ts';
import { fingerprintOf } from '../../../../src/speech/fingerprint.ts';
import { distinctSound as sound } from '../../../support/distinctSound.ts';

const pause = new Int16Array(240 * 8);
const piece = (...seeds: readonly number[]): Int16Array =>
  Int16Array.from(seeds.flatMap((seed, index) => [...(index === 0 ? [] : pause), ...sound(seed)]));
const hear = (prompts: readonly Int16Array[], ...pieces: readonly Int16Array[]) => {
  const matcher = new PieceMatcher(prompts.map((pcm) => fingerprintOf(pcm)));
  return pieces.map((pcm) =>
    matcher
      .hear(pcm)
      ?.map(
        ({ index, fromMs, toMs }) =>
          `${String(index)}: ${fromMs === 0 ? 'start' : 'later'} to ${toMs === Infinity ? 'end' : 'pause'}`,
      )
      .join(', '),
  );
};

describe('pieces of a call', () => {
  it('can contain a whole prompt', () =>
    assert.deepEqual(hear([piece(1), piece(2)], piece(2), piece(1), piece(9)), [
      '1: start to end',
      '0: start to end',
      undefined,
    ]));

  it('can contain several prompts', () =>
    assert.deepEqual(hear([piece(1), piece(2), piece(3)], piece(1, 2), piece(1, 2, 3), piece(1, 9)), [
      '0: start to end, 1: start to end',
      '0: start to end, 1: start to end, 2: start to end',
      undefined,
    ]));

  it('can contain a part of a prompt, in order', () => {
    const prompts = [piece(1, 2, 3)];
    assert.deepEqual(hear(prompts, piece(1), piece(2), piece(3)), [
      '0: start to pause',
      '0: later to pause',
      '0: later to end',
    ]);
    assert.deepEqual(hear(prompts, piece(1), piece(2, 3)), ['0: start to pause', '0: later to end']);
    assert.deepEqual(hear(prompts, piece(3), piece(1), piece(9), piece(2)), [
      undefined,
      '0: start to pause',
      undefined,
      '0: later to pause',
    ]);
  });

  it('can contain the rest of a prompt and the next one', () =>
    assert.deepEqual(hear([piece(1, 2), piece(3)], piece(1), piece(2, 3)), [
      '0: start to pause',
      '0: later to end, 1: start to end',
    ]));

  it("don't contain a prompt that follows something else", () =>
    assert.deepEqual(hear([piece(1), piece(2)], piece(9, 2)), [undefined]));
});
