import assert from 'node:assert/strict';
import { Cutter } from '../../../../src/engine/call/cutter.ts';

const frameMs = 20;
/** A frame of noise at this level. */
const frame = (level: number): Int16Array =>
  Int16Array.from({ length: frameMs * 8 }, (_, index) => (index % 2 === 0 ? level : -level));

/**
 * Returns when the cut is due after a key at `keyMs`, if the line has this level over time; undefined if it never is.
 */
function cutAt(levelAt: (ms: number) => number, keyMs: number): number | undefined {
  const cutter = new Cutter();
  for (let ms = 0; ms < keyMs + 2000; ms += frameMs) {
    if (ms === keyMs) cutter.arm(ms);
    const cutMs = cutter.cutAt(frame(levelAt(ms)), ms);
    if (cutMs !== undefined) return cutMs;
  }
  return undefined;
}

describe('engine: the cut between two prompts at a key', () => {
  const speech = 3000;
  /** Speech with a pause every second; a key stops it, and the next prompt begins 100 ms later. */
  const prompts =
    (noise: number, stopMs: number) =>
    (ms: number): number =>
      ms % 1000 < 100 || (ms >= stopMs && ms < stopMs + 100) ? noise : speech;

  it('falls on the first quiet moment after the key', () => assert.equal(cutAt(prompts(20, 2300), 2200), 2340));

  it('stays the same on a noisy line', () => assert.equal(cutAt(prompts(400, 2300), 2200), 2340));

  it('stays the same if packets were lost before', () => {
    const levels = prompts(400, 2300);
    assert.equal(
      cutAt((ms) => (ms === 1500 ? 0 : levels(ms)), 2200),
      2340,
    );
  });

  it('falls 700 ms after the key at the latest', () =>
    assert.equal(
      cutAt((ms) => (ms < 200 ? 100 : speech), 2200),
      2900,
    ));
});
