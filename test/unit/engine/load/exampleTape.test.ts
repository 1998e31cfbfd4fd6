import assert from 'node:assert/strict';
import { decodeUlaw } from '../../../../src/base/g711.ts';
import type { ActiveCall, CallerWords } from '../../../../src/engine/call/activeCall.ts';
import { ExampleTapes, type ExampleTape } from '../../../../src/engine/load/exampleTape.ts';

/** Each second has its own µ-law code, its number. */
const second = (number: number): Int16Array => decodeUlaw(new Uint8Array(8000).fill(number));
const frames = (pcm: Int16Array): Int16Array[] =>
  Array.from({ length: pcm.length / 160 }, (_, index) => pcm.subarray(index * 160, index * 160 + 160));

function listen(tape: ExampleTape, seconds: number, first = 1): void {
  for (let number = first; number < first + seconds; number += 1)
    for (const frame of frames(second(number))) tape.append(frame);
}
/** The seconds that are heard in it, in order. */
const secondsIn = (bytes: Uint8Array): number[] => [...new Set(bytes)];

describe('ExampleTape', () => {
  it('keeps the last minute of a call, and finds the step in it', () => {
    const tape = new ExampleTapes().open() ?? assert.fail();
    assert.equal(tape.length, 0);
    listen(tape, 100);
    tape.append(second(101).subarray(0, 80));
    const { us, them, stepMs } = tape.example(90_000);
    assert.deepEqual([them.length, us.length, stepMs], [60 * 8000 - 80, 60 * 8000 - 80, 90_000 - 40_020]);
    assert.equal(secondsIn(them)[0], 41);
    assert.equal(secondsIn(them).at(-1), 101);
    assert.equal(tape.example(1000).stepMs, 0, 'a step that began before');
  });

  it('puts the words of the caller where they were said, up to the end of the call', async () => {
    const tape = new ExampleTapes().open() ?? assert.fail();
    const spoken: CallerWords[] = [
      { text: 'before', startMs: 500, pcm: second(50) },
      { text: 'inside', startMs: 31_000, pcm: second(60) },
      { text: 'cut off', startMs: 89_750, pcm: second(70) },
    ];
    await tape
      .over({ dial: () => Promise.resolve({ spoken: () => spoken } as unknown as ActiveCall) })
      .dial('sip:ivr@10.0.0.1', new AbortController().signal);
    listen(tape, 90);
    const us = decodeUlaw(tape.example(0).us);
    const loudAt = [...us.keys()].filter((at) => us[at] !== 0);
    assert.deepEqual([loudAt[0], loudAt[7999], loudAt[8000]], [8000, 15_999, 59_750 * 8]);
    assert.deepEqual([loudAt.length, loudAt.at(-1)], [10_000, 60 * 8000 - 1]);
  });

  it('hears a hundred calls at a time', () => {
    const tapes = new ExampleTapes();
    const open = Array.from({ length: 101 }, () => tapes.open());
    assert.deepEqual([open.indexOf(undefined), open.filter((tape) => tape).length], [100, 100]);
    open[0]?.close();
    assert.ok(tapes.open());
    assert.equal(tapes.open(), undefined);
  });

  it('ends with the fifth example', () => {
    const tapes = new ExampleTapes();
    const claimed = Array.from({ length: 6 }, () => tapes.claim());
    assert.deepEqual(claimed, [true, true, true, true, true, false]);
    assert.equal(tapes.open(), undefined);
  });
});
