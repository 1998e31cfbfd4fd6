import assert from 'node:assert/strict';
import { SpeechError } from '../../../src/speech/ear.ts';
import { readWav, writeWav } from '../../../src/speech/wav.ts';

const tone = Int16Array.from({ length: 400 }, (_, at) => Math.round(8000 * Math.sin(at / 5)));

function companded(format: number, bytes: Uint8Array): Uint8Array {
  const wav = writeWav({ sampleRate: 8000, channels: [new Int16Array(bytes.length / 2)] });
  const view = new DataView(wav.buffer);
  view.setUint16(20, format, true);
  view.setUint16(34, 8, true);
  wav.set(bytes, 44);
  return wav;
}

describe('WAV files', () => {
  it('parse as they were written, mono and stereo', () => {
    for (const channels of [[tone], [tone, tone.map((sample) => -sample)]]) {
      assert.deepEqual(readWav(writeWav({ sampleRate: 16000, channels })), { sampleRate: 16000, channels });
    }
  });

  it('expand µ-law and A-law', () => {
    assert.deepEqual(
      [...(readWav(companded(7, Uint8Array.of(0xff, 0x00, 0x80, 0x7f))).channels[0] ?? [])],
      [0, -32124, 32124, 0],
    );
    assert.deepEqual(
      [...(readWav(companded(6, Uint8Array.of(0xd5, 0x2a, 0xaa, 0x55))).channels[0] ?? [])],
      [8, -32256, 32256, -8],
    );
  });

  it('parse even if truncated', () => {
    const whole = writeWav({ sampleRate: 8000, channels: [tone] });
    assert.deepEqual(readWav(whole.subarray(0, 44 + 200)).channels[0], tone.subarray(0, 100));
  });

  it('in other formats are rejected with the reason', () => {
    const bad = (change: (view: DataView) => void): Uint8Array => {
      const bytes = writeWav({ sampleRate: 8000, channels: [tone] });
      change(new DataView(bytes.buffer));
      return bytes;
    };
    const cases: readonly (readonly [Uint8Array, RegExp])[] = [
      [new TextEncoder().encode('ID3 this is an mp3, not a wav'), /isn.t a WAV/],
      [new Uint8Array(0), /isn.t a WAV/],
      [bad((view) => view.setUint32(24, 44100, true)), /44100/],
      [bad((view) => view.setUint16(34, 24, true)), /24 bits/],
      [bad((view) => view.setUint16(22, 6, true)), /6 channels/],
      [bad((view) => view.setUint32(36, 0, true)), /no audio data/],
    ];
    for (const [bytes, message] of cases) {
      assert.throws(
        () => readWav(bytes),
        (error) => error instanceof SpeechError && message.test(error.message),
      );
    }
  });
});
