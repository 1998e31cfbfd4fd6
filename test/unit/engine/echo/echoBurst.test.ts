import assert from 'node:assert/strict';
import { echoBurst, findBurst } from '../../../../src/engine/echo/echoBurst.ts';
import { decodeAlaw, encodeAlaw } from '../../../../src/base/g711.ts';
import { seededRandom } from '../../../support/telephonyLink.ts';

const random = seededRandom(3);
const noise = (length: number, level: number): Int16Array =>
  Int16Array.from({ length }, () => (random() - 0.5) * 2 * level);
const voice = (length: number): Int16Array =>
  Int16Array.from(
    { length },
    (_, i) => 6000 * Math.sin(i / 9 + 3 * Math.sin(i / 700)) * (Math.sin(i / 1900) > 0 ? 1 : 0),
  );
const silence = (length: number): Int16Array => new Int16Array(length);
/** The sound with the burst mixed in from this sample on. */
const mixed = (sound: Int16Array, at: number, gain = 1): Int16Array =>
  sound.map((sample, index) => sample + gain * (echoBurst[index - at] ?? 0));

describe('the search for the burst of an echo test', () => {
  for (const [what, sound] of [
    ['as it was sent', mixed(silence(8000), 1234)],
    ['a hundredth as strong', mixed(silence(8000), 1234, 0.1)],
    ['upside down', mixed(silence(8000), 1234, -0.5)],
    ['through A-law', decodeAlaw(encodeAlaw(mixed(silence(8000), 1234)))],
    ['in the noise of a line', mixed(noise(8000, 2000), 1234)],
    ['while somebody speaks', mixed(voice(8000), 1234)],
  ] as const)
    it(`locates its beginning: ${what}`, () =>
      assert.ok(Math.abs((findBurst(sound) ?? -1000) - 1234) <= 2, String(findBurst(sound))));

  it('locates it at the very beginning and at the end', () => {
    assert.equal(findBurst(echoBurst), 0);
    assert.equal(findBurst(mixed(silence(8000), 8000 - echoBurst.length)), 8000 - echoBurst.length);
  });

  for (const [what, sound] of [
    ['silence', silence(12_000)],
    ['noise', noise(12_000, 9000)],
    ['a voice', voice(12_000)],
    ['the weak echo of a line', mixed(silence(12_000), 1234, 0.03)],
    ['a tone', Int16Array.from({ length: 12_000 }, (_, i) => 8000 * Math.sin(i / 2))],
    ['a beginning of it', mixed(silence(12_000), 0).fill(0, 300)],
    ['what is shorter than it', echoBurst.slice(0, 1000)],
    ['nothing', silence(0)],
  ] as const)
    it(`finds none in ${what}`, () => assert.equal(findBurst(sound), undefined));
});
