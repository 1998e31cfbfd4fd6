import assert from 'node:assert/strict';
import { waveLayout } from '../../../src/base/riff.ts';
import { writeWav } from '../../../src/speech/wav.ts';

const wav = writeWav({ sampleRate: 8000, channels: [Int16Array.of(1, 2, 3)] });

describe('the layout of a WAV file', () => {
  it('gives the format and the position of the samples', () =>
    assert.deepEqual(waveLayout(wav), {
      format: { code: 1, channels: 1, sampleRate: 8000, bits: 16, bytesPerSecond: 16_000, blockAlign: 2 },
      data: { at: 44, length: 6 },
    }));

  it('skips other chunks, odd ones with their padding', () => {
    const note = Uint8Array.of(...new TextEncoder().encode('note'), 3, 0, 0, 0, 65, 66, 67, 0);
    const longer = new Uint8Array([...wav.subarray(0, 12), ...note, ...wav.subarray(12)]);
    assert.deepEqual(waveLayout(longer)?.data, { at: 44 + note.length, length: 6 });
  });

  it('cuts the sample range to the length of the file', () =>
    assert.deepEqual(waveLayout(wav.subarray(0, 47))?.data, { at: 44, length: 3 }));

  it('names the missing part of a truncated file', () => {
    assert.equal(waveLayout(wav.subarray(0, 11)), undefined);
    assert.deepEqual(waveLayout(wav.subarray(0, 20)), {});
    assert.deepEqual(Object.keys(waveLayout(wav.subarray(0, 40)) ?? {}), ['format']);
  });

  it('includes the code within an extensible format', () => {
    const body = new Uint8Array(40);
    const view = new DataView(body.buffer);
    view.setUint16(0, 0xfffe, true);
    view.setUint16(14, 8, true);
    view.setUint16(24, 7, true);
    const chunk = new Uint8Array([...new TextEncoder().encode('fmt '), 40, 0, 0, 0, ...body]);
    const { format } = waveLayout(new Uint8Array([...wav.subarray(0, 12), ...chunk, ...wav.subarray(36)])) ?? {};
    assert.deepEqual([format?.code, format?.bits], [7, 8]);
  });
});
