import assert from 'node:assert/strict';
import { InbandDetector } from '../../../../src/telephony/dtmf/inbandDetector.ts';
import { DIGITS, dtmfTone } from '../../../../src/telephony/dtmf/tones.ts';
import { decodeUlaw, encodeUlaw } from '../../../../src/base/g711.ts';
import { seededRandom } from '../../../support/telephonyLink.ts';

const RATE = 8000;

function joined(...parts: Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
const silence = (ms: number): Int16Array => new Int16Array((ms * RATE) / 1000);

/** Through G.711 and in frames of 20 ms, as a leg receives it. */
function detect(pcm: Int16Array): string {
  const detector = new InbandDetector();
  const wire = decodeUlaw(encodeUlaw(joined(pcm, silence(100))));
  let digits = '';
  for (let at = 0; at < wire.length; at += 160)
    for (const { digit } of detector.push(wire.subarray(at, at + 160))) digits += digit;
  return digits;
}

function mix(pcm: Int16Array, gain: number, noise = 0, seed = 1): Int16Array {
  const random = seededRandom(seed);
  return pcm.map((sample) => Math.max(-32768, Math.min(32767, sample * gain + (random() * 2 - 1) * noise)));
}

/** Two sines of given frequency and amplitude. */
function pair(low: number, high: number, lowAmplitude: number, highAmplitude: number, ms = 100): Int16Array {
  return silence(ms).map(
    (_, i) =>
      lowAmplitude * Math.sin((2 * Math.PI * low * i) / RATE) +
      highAmplitude * Math.sin((2 * Math.PI * high * i) / RATE),
  );
}

/**
 * Vowels and glides: a glottal pulse train with drifting pitch through three drifting formants, in syllables with
 * pauses and bursts of noise.
 */
function speechLike(seconds: number, seed: number): Int16Array {
  const random = seededRandom(seed);
  const pcm = new Int16Array(seconds * RATE);
  const base = 80 + random() * 180;
  let phase = 0,
    pitch = base;
  const state = [0, 0, 0, 0, 0, 0];
  let formants = [500, 1500, 2500],
    goals = formants,
    voiced = 1,
    noise = 0,
    level = 0,
    syllableEnd = 0;
  for (let i = 0; i < pcm.length; i++) {
    if (i >= syllableEnd) {
      syllableEnd = i + (0.06 + random() * 0.25) * RATE;
      goals = [250 + random() * 650, 800 + random() * 1500, 2100 + random() * 1000];
      const kind = random();
      voiced = kind < 0.7 ? 1 : 0;
      noise = kind > 0.85 ? 1 : 0;
    }
    formants = formants.map((formant, k) => formant + ((goals[k] as number) - formant) * 0.003);
    pitch += (base * (0.8 + 0.5 * Math.sin(i / 9000)) - pitch) * 0.001;
    level += (voiced + noise > 0 ? 1 - level : -level) * 0.005;
    phase += pitch / RATE;
    let source = noise * (random() * 2 - 1) * 0.3;
    if (phase >= 1) {
      phase -= 1;
      source += voiced;
    }
    let sample = source;
    for (let k = 0; k < 3; k++) {
      const radius = Math.exp((-Math.PI * (60 + 40 * k)) / RATE);
      const out =
        sample +
        2 * radius * Math.cos((2 * Math.PI * (formants[k] as number)) / RATE) * (state[2 * k] as number) -
        radius * radius * (state[2 * k + 1] as number);
      state[2 * k + 1] = state[2 * k] as number;
      state[2 * k] = out;
      sample = out * 0.25;
    }
    pcm[i] = Math.max(-32000, Math.min(32000, sample * level * 60_000));
  }
  return pcm;
}

describe('the in-band DTMF detector', () => {
  it('detects all sixteen digits at each length, level and alignment', () => {
    for (const [i, digit] of Array.from(DIGITS).entries()) {
      for (const ms of [50, 100, 400])
        for (const gain of [0.05, 0.4, 1])
          for (const offset of [3, 7.5]) {
            assert.equal(
              detect(joined(silence(20 + offset), mix(dtmfTone(digit, ms), gain, 0, i), silence(50))),
              digit,
              `${digit} ${String(ms)} ms, gain ${String(gain)}`,
            );
          }
    }
  });

  it('detects digits of 40 ms with gaps of 40 ms, wherever they begin, with noise and twist', () => {
    const keys = Array.from(DIGITS).map((digit) => joined(dtmfTone(digit, 40), silence(40)));
    for (let offset = 0; offset < 40; offset += 1)
      assert.equal(detect(mix(joined(silence(20 + offset), ...keys), 0.5, 300, offset)), DIGITS, String(offset));
    for (const twistDb of [-6, 3])
      assert.equal(detect(pair(770, 1336, 4000, 4000 * 10 ** (twistDb / 20), 40)), '5', `${String(twistDb)} dB`);
  });

  it('detects digits in noise at −15 dB, and repeated digits', () => {
    for (const digit of DIGITS)
      assert.equal(
        detect(
          mix(joined(silence(50), dtmfTone(digit, 100), silence(100), dtmfTone(digit, 100), silence(100)), 1, 2100, 5),
        ),
        digit + digit,
        digit,
      );
  });

  it('measures the length', () => {
    const [found] = new InbandDetector().push(joined(silence(33), dtmfTone('5', 200), silence(100)));
    assert.ok(found && Math.abs(found.durationMs - 200) <= 15);
  });

  it('bridges a concealed packet and splits at a gap of 40 ms', () => {
    const tone = dtmfTone('7', 120);
    tone.fill(0, 480, 560);
    assert.equal(detect(joined(silence(40), tone, silence(60))), '7');
    assert.equal(detect(joined(silence(40), dtmfTone('7', 60), silence(40), dtmfTone('7', 60), silence(60))), '77');
  });

  it('accepts the twist of ITU-T Q.24 and no more, and rejects wrong frequencies, single tones and short ones', () => {
    assert.equal(detect(pair(770, 1336, 8000, 8000 * 10 ** (3 / 20))), '5');
    assert.equal(detect(pair(770, 1336, 8000, 8000 * 10 ** (-7 / 20))), '5');
    assert.equal(detect(pair(770, 1336, 4000, 4000 * 10 ** (8 / 20))), '');
    assert.equal(detect(pair(770, 1336, 8000, 8000 * 10 ** (-12 / 20))), '');
    assert.equal(detect(pair(770 * 1.015, 1336 * 0.985, 6000, 6000)), '5');
    assert.equal(detect(pair(350, 440, 6000, 6000)), '');
    assert.equal(detect(pair(770, 1800, 6000, 6000)), '');
    assert.equal(detect(pair(770, 770, 6000, 6000)), '');
    assert.equal(detect(joined(silence(40), dtmfTone('5', 25), silence(40))), '');
  });

  it('ignores a harmonic voice on the digit’s frequencies', () => {
    const voice = pair(697, 1209, 5000, 5000, 200).map(
      (sample, i) => sample + 2500 * Math.sin((2 * Math.PI * 2418 * i) / RATE),
    );
    assert.equal(detect(voice), '');
  });

  it('detects nothing in a minute of noise, loud or quiet', () => {
    for (const level of [500, 8000]) assert.equal(detect(mix(silence(30_000), 1, level, level)), '');
  });

  it('detects nothing in ten minutes of speech-like sound (talk-off)', function () {
    for (let speaker = 0; speaker < 10; speaker++)
      assert.equal(detect(speechLike(60, speaker + 1)), '', `speaker ${String(speaker)}`);
  });
});
