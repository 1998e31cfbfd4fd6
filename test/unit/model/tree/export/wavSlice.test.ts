import assert from 'node:assert/strict';
import { wavSlice } from '../../../../../src/model/tree/export/cassette.ts';
import { readWav, writeWav } from '../../../../../src/speech/wav.ts';

const ramp = Int16Array.from({ length: 1600 }, (_, index) => index);

describe('model: an excerpt of a recording', () => {
  it('keeps the format of the WAV and the samples between the times', () => {
    for (const [sampleRate, perMs] of [
      [8000, 8],
      [16_000, 16],
    ] as const) {
      const part = wavSlice(writeWav({ sampleRate, channels: [ramp, ramp.toReversed()] }), 10, 30);
      assert.ok(part);
      const { sampleRate: rate, channels } = readWav(part);
      assert.equal(rate, sampleRate);
      assert.deepEqual(
        channels.map((channel) => [...channel]),
        [[...ramp.slice(10 * perMs, 30 * perMs)], [...ramp.toReversed().slice(10 * perMs, 30 * perMs)]],
      );
    }
  });

  it('comes after silence on request', () => {
    const part = wavSlice(writeWav({ sampleRate: 8000, channels: [ramp] }), 10, 20, 5);
    assert.deepEqual(
      [...(readWav(part ?? new Uint8Array()).channels[0] ?? [])],
      [...new Array<number>(40).fill(0), ...ramp.slice(80, 160)],
    );
  });

  it('ends with the recording, even if its header claims more', () => {
    const wav = writeWav({ sampleRate: 8000, channels: [ramp] });
    assert.deepEqual(readWav(wavSlice(wav, -60, 9999) ?? new Uint8Array()).channels[0], ramp);
    assert.equal(readWav(wavSlice(wav.slice(0, 44 + 160), 0, 100) ?? new Uint8Array()).channels[0]?.length, 80);
  });

  it('returns undefined for an empty or invalid WAV', () => {
    const wav = writeWav({ sampleRate: 8000, channels: [ramp] });
    for (const bytes of [
      new Uint8Array(),
      new TextEncoder().encode('RIFF....WAVEdata'),
      wav.slice(0, 30),
      new TextEncoder().encode('{"message":"gone"}'),
    ])
      assert.equal(wavSlice(bytes, 0, 100), undefined);
    assert.equal(wavSlice(wav, 50, 50), undefined);
    assert.equal(wavSlice(wav, 5000, 6000), undefined);
  });
});
