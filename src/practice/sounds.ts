import type { EndSound } from './session.ts';

const rate = 8000;
const samplesOf = (milliseconds: number): number => Math.round((milliseconds * rate) / 1000);

/** Returns these frequencies (Hz) together: 8 kHz PCM; `level` is relative to full scale. */
export function tones(frequencies: readonly number[], milliseconds: number, level = 0.2): Int16Array {
  const pcm = new Int16Array(samplesOf(milliseconds));
  const ramp = samplesOf(5);
  for (let index = 0; index < pcm.length; index += 1) {
    const edge = Math.min(1, index / ramp, (pcm.length - index) / ramp);
    let sum = 0;
    for (const frequency of frequencies) sum += Math.sin((2 * Math.PI * frequency * index) / rate);
    pcm[index] = Math.round(sum * level * edge * 32_767);
  }
  return pcm;
}

function join(...parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

const silence = (milliseconds: number): Int16Array => new Int16Array(samplesOf(milliseconds));

/**
 * Sixteen seconds of a plain waltz: sustained notes over a moving bass, with harmonics, so that it is music to a
 * listener and to a classifier.
 */
function waltz(): Int16Array {
  const chords = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
    [262, 330, 392],
    [165, 247, 330],
    [175, 220, 349],
    [196, 247, 392],
  ];
  const beatMs = 667;
  const pcm = new Int16Array(samplesOf(beatMs * 3 * chords.length));
  const add = (frequency: number, startMs: number, lengthMs: number, level: number): void => {
    const start = samplesOf(startMs);
    // The last note ends with the period, which is repeated.
    const length = Math.min(samplesOf(lengthMs), pcm.length - start);
    for (let index = 0; index < length; index += 1) {
      const envelope =
        Math.min(1, index / 160) * Math.exp((-1.6 * index) / length) * Math.min(1, (length - index) / 240);
      const phase = (2 * Math.PI * frequency * index) / rate;
      const wave = Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.2 * Math.sin(3 * phase);
      pcm[start + index] = Math.max(
        -32_768,
        Math.min(32_767, (pcm[start + index] ?? 0) + Math.round(wave * envelope * level * 32_767)),
      );
    }
  };
  chords.forEach((chord, bar) => {
    const at = bar * 3 * beatMs;
    add((chord[0] ?? 220) / 2, at, beatMs * 3, 0.16);
    for (const beat of [1, 2]) for (const note of chord) add(note, at + beat * beatMs, beatMs * 1.3, 0.07);
    add((chord[bar % 3] ?? 330) * 2, at, beatMs * 2, 0.1);
    add((chord[(bar + 1) % 3] ?? 330) * 2, at + beatMs * 2, beatMs * 1.4, 0.1);
  });
  return pcm;
}

const once = new Map<EndSound, Int16Array>();

/** One period of a repeating sound, or the whole one: 8 kHz PCM. Tones: ITU-T E.180 (North America), T.30 (fax). */
export function endSoundOf(sound: EndSound): Int16Array {
  const known = once.get(sound);
  if (known) return known;
  const samples = make(sound);
  once.set(sound, samples);
  return samples;
}

function make(sound: EndSound): Int16Array {
  switch (sound) {
    case 'ringback':
      return join(tones([440, 480], 2000), silence(4000));
    case 'busy':
      return join(tones([480, 620], 500), silence(500));
    case 'fax':
      return join(tones([2100], 3000, 0.3), silence(1500));
    case 'beep':
      return tones([1000], 500, 0.3);
    case 'music':
      return waltz();
  }
}
