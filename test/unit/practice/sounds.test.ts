import assert from 'node:assert/strict';
import { endSoundOf } from '../../../src/practice/sounds.ts';
import type { EndSound } from '../../../src/practice/session.ts';
import type { SoundClass } from '../../../src/speech/ear.ts';
import { SoundClassifier } from '../../../src/speech/soundClassifier.ts';

const frame = 256;

/**
 * Returns the classes of which our own classifier is sure, in the first `seconds` of the sound repeated as on a line.
 */
function heardIn(sound: EndSound, seconds: number): Set<SoundClass> {
  const period = endSoundOf(sound);
  const pcm = new Int16Array(seconds * 8000);
  for (let at = 0; at < (sound === 'beep' ? 1 : pcm.length); at += period.length)
    pcm.set(period.subarray(0, pcm.length - at), at);
  const classifier = new SoundClassifier();
  const heard = new Set<SoundClass>();
  for (let at = 0; at + frame <= pcm.length; at += frame)
    for (const event of classifier.feed(pcm.subarray(at, at + frame), 0)) heard.add(event.sound);
  heard.delete('silence');
  return heard;
}

describe('the sounds of a practice line', () => {
  for (const [sound, sureOf] of [
    ['ringback', 'ringback'],
    ['busy', 'busy'],
    ['fax', 'fax'],
    ['beep', 'beep'],
    ['music', 'music'],
  ] as const) {
    it(`include ${sound}, which is classified only as ${sureOf}`, () =>
      assert.deepEqual([...heardIn(sound, 14)], [sureOf]));
  }

  it('reach a good level and never clip', () => {
    for (const sound of ['ringback', 'busy', 'fax', 'beep', 'music'] as const) {
      const loudest = endSoundOf(sound).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
      assert.ok(loudest > 3000 && loudest < 32_767, `${sound} peaks at ${String(loudest)}`);
    }
  });

  it('fade to silence at both ends of each period, so that they repeat without a click', () => {
    for (const sound of ['ringback', 'busy', 'fax', 'beep', 'music'] as const) {
      const pcm = endSoundOf(sound);
      assert.ok(Math.abs(pcm[0] ?? 0) < 400 && Math.abs(pcm.at(-1) ?? 0) < 400, sound);
    }
  });
});
