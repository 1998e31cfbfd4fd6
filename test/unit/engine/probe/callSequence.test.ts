import assert from 'node:assert/strict';
import type { CallAudio } from '../../../../src/engine/call/callAudio.ts';
import { CallSequence } from '../../../../src/engine/probe/callSequence.ts';

/** Counts from `first` on one side, and down from `-first` on the other one. */
const counting = (first: number, length: number): CallAudio => ({
  length,
  read: (from, to) => {
    assert.ok(from >= 0 && from < to && to <= length, 'within the call');
    const them = Int16Array.from({ length: to - from }, (_, index) => first + from + index);
    return { us: them.map((sample) => -sample), them };
  },
});

describe('the calls of one run', () => {
  it('have one recording, which can be read in parts across calls', async () => {
    const calls = new CallSequence([]);
    for (const audio of [counting(0, 80), counting(80, 0), counting(80, 160), counting(240, 8)]) {
      calls.nextCall();
      calls.push({ type: 'audio', audio });
    }
    assert.equal(calls.nextCall(), 31);
    calls.tellAudio();
    calls.close();
    const recordings: CallAudio[] = [];
    for await (const event of calls) if (event.type === 'audio') recordings.push(event.audio);
    const [audio, ...others] = recordings;
    assert(audio && others.length === 0);
    assert.equal(audio.length, 248);
    for (const [from, to] of [
      [0, 248],
      [79, 81],
      [80, 240],
      [100, 101],
      [239, 248],
      [10, 10],
    ] as const) {
      const { us, them } = audio.read(from, to);
      const expected = Array.from({ length: to - from }, (_, index) => from + index);
      assert.deepEqual([...them], expected);
      assert.deepEqual(
        [...us].map((sample) => -sample || 0),
        expected,
      );
    }
  });
});
