import assert from 'node:assert/strict';
import { decodeUlaw } from '../../../../src/base/g711.ts';
import type { ActiveCall, Spoken } from '../../../../src/engine/call/activeCall.ts';
import { ExampleTapes, examplesOfStep, type ExampleTape } from '../../../../src/engine/load/exampleTape.ts';
import type { LoadScript } from '../../../../src/engine/load/loadCaller.ts';

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
const script: LoadScript = { steps: [], reference: { prompts: [], spoken: new Map(), callSeconds: 0 } };

describe('ExampleTape', () => {
  it('keeps the last minute of a call, and finds the step in it', () => {
    const tape = new ExampleTapes().open();
    assert.equal(tape.length, 0);
    listen(tape, 100);
    tape.append(second(101).subarray(0, 80));
    const { us, them, stepMs } = tape.example(90_000);
    assert.deepEqual([them.length, us.length, stepMs], [59 * 8000 + 80, 59 * 8000 + 80, 90_000 - 41_000]);
    assert.equal(secondsIn(them)[0], 42);
    assert.equal(secondsIn(them).at(-1), 101);
    assert.equal(tape.example(1000).stepMs, 0, 'a step that began before');
  });

  it('puts the words of the caller where they were said, up to the end of the call', async () => {
    const tape = new ExampleTapes().open();
    const spoken: Spoken[] = [
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

  it('shares the memory of a thread among its calls, and gives back what ended calls had', () => {
    const tapes = new ExampleTapes();
    const all = Array.from({ length: 500 }, () => tapes.open());
    const [first, ...others] = all as [ExampleTape, ...ExampleTape[]];
    listen(first, 60);
    assert.equal(first.length, 16 * 8000);
    for (const tape of others) tape.close();
    others[0]?.close();
    listen(first, 70, 61);
    assert.equal(first.length, 60 * 8000);
    first.close();
    listen(first, 1);
    assert.equal(first.length, 0);
  });

  it('drops what a call has more than its share as soon as others begin', () => {
    const tapes = new ExampleTapes();
    const tape = tapes.open();
    listen(tape, 60);
    for (let call = 1; call < 400; call += 1) tapes.open();
    listen(tape, 1, 61);
    assert.equal(tape.length, 20 * 8000);
    assert.deepEqual(
      secondsIn(tape.example(0).them),
      Array.from({ length: 20 }, (_, index) => index + 42),
    );
  });
});

describe('ExampleTapes', () => {
  it('passes on ten examples of each step of each script', () => {
    const tapes = new ExampleTapes();
    const other = { ...script };
    for (const [one, step] of [
      [script, 0],
      [script, 1],
      [other, 0],
    ] as const) {
      for (let call = 0; call < examplesOfStep; call += 1) assert.equal(tapes.claim(one, step), true);
      assert.equal(tapes.claim(one, step), false);
    }
  });
});
