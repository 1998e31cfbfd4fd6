import assert from 'node:assert/strict';
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../../../src/base/g711.ts';
import { lineTones } from '../../../src/speech/lineTones.ts';
import { SoundClassifier } from '../../../src/speech/soundClassifier.ts';
import { seededRandom } from '../../support/telephonyLink.ts';

const rate = 8000;
const laws = [(pcm: Int16Array) => decodeUlaw(encodeUlaw(pcm)), (pcm: Int16Array) => decodeAlaw(encodeAlaw(pcm))];

interface Line {
  /** How far the exchange's frequencies are off. */
  readonly factor: number;
  readonly level: number;
  readonly noise: number;
  /** Where in its cadence the tone begins, as a share of it. */
  readonly phase: number;
}

/** The tone after half a second of silence, for two periods and at least 9 s. */
function played({ frequency, cadence }: (typeof lineTones)[number], { factor, level, noise, phase }: Line): Int16Array {
  const [first = 0, second = 0] = frequency.split(/[+*]/).map(Number);
  const periodMs = cadence.reduce((sum, ms) => sum + ms, 0);
  const startMs = Number.isFinite(periodMs) ? phase * periodMs : 0;
  const random = seededRandom(3);
  const isOn = (ms: number): boolean => {
    let rest = Number.isFinite(periodMs) ? (ms + startMs) % periodMs : 0;
    return cadence.findIndex((span) => (rest -= span) < 0) % 2 === 0;
  };
  return new Int16Array((9500 + (Number.isFinite(periodMs) ? 2 * periodMs : 0)) * (rate / 1000)).map((_, at) => {
    const wave = (hz: number): number => Math.sin((2 * Math.PI * hz * at) / rate);
    const pair = frequency.includes('*')
      ? wave(first * factor) * (1 + 0.9 * wave(second)) * 0.7
      : wave(first * factor) + (second > 0 ? wave(second * factor) : 0);
    const ms = at / (rate / 1000) - 500;
    return (ms >= 0 && isOn(ms) ? pair * level : 0) + (random() * 2 - 1) * noise;
  });
}

function heard(pcm: Int16Array): string[] {
  const classifier = new SoundClassifier();
  const sounds = new Set<string>();
  for (let at = 0; at + 256 <= pcm.length; at += 256)
    for (const { sound } of classifier.feed(pcm.subarray(at, at + 256), 0)) sounds.add(sound);
  sounds.delete('silence');
  return [...sounds];
}

const lines: readonly Line[] = [
  { factor: 1, level: 5000, noise: 0, phase: 0 },
  { factor: 0.99, level: 700, noise: 17, phase: 0 },
  { factor: 1.01, level: 5000, noise: 170, phase: 0 },
];

describe('the tones of all countries', () => {
  for (const row of lineTones)
    it(`include ${row.frequency} Hz, ${row.cadence.join('/')} ms (${row.countries}): ${row.tone}`, () => {
      for (const [at, line] of lines.entries())
        for (const law of laws) assert.deepEqual(heard(law(played(row, line))), [row.tone], String(at));
    });

  it('keep their kind if the call begins in the middle of their first burst', () => {
    for (const row of lineTones.filter(({ tone }) => tone !== 'sit'))
      for (const phase of [0.13, 0.37, 0.61, 0.9]) {
        const sounds = heard(played(row, { factor: 1, level: 5000, noise: 10, phase }));
        const tones = sounds.filter((sound) => sound !== 'beep' && sound !== 'shortBeep');
        assert.deepEqual(tones, [row.tone], `${row.frequency} ${row.cadence.join('/')} from ${String(phase)}`);
      }
  });
});
