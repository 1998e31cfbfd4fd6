import assert from 'node:assert/strict';
import type { SpeechEngine, Word } from '../../src/speech/ear.ts';
import { fingerprintOf } from '../../src/speech/fingerprint.ts';
import { KeySounds, type PromptHeard } from '../../src/speech/keys/keySounds.ts';
import { overTelephone, recordedSpeech } from './speechRig.ts';

const voices = ['rms', 'awb', 'kal16'];
const taught = [
  'To hear your balance, press 1. For lost cards, press 2. For branches, press 3. To go back, press star.',
  'For new loans, press 1. For mortgages, press 2. For all other questions, press 0. For the list, press star.',
];
const announcements = [
  'To start over, please wait. The start of this park is one of two, for three stars.',
  'We are open from two to four, and the front part opens at one.',
];

/** Replaces the last words of what was heard, with the same time. */
function misheard(heard: PromptHeard, count: number, shown: string): PromptHeard {
  const words = heard.words.slice(0, -count);
  const [from, to] = [heard.words.at(-count), heard.words.at(-1)];
  assert.ok(from && to);
  const said: Word[] = shown.split(' ').map((text, at, all) => ({
    text,
    startMs: from.startMs + ((to.endMs - from.startMs) * at) / all.length,
    endMs: from.startMs + ((to.endMs - from.startMs) * (at + 1)) / all.length,
  }));
  const text = `${heard.text.split(' ').slice(0, -count).join(' ')} ${shown}.`;
  return { ...heard, text, words: [...words, ...said] };
}

describe('keys by their sound in one voice', function () {
  let recorded: Awaited<ReturnType<typeof recordedSpeech>>;
  let speech: SpeechEngine;

  before(async () => {
    recorded = await recordedSpeech('key-sounds');
    speech = recorded.speech;
  });
  after(async () => assert.deepEqual(await recorded.close(), []));

  const hear = async (text: string, voice: string): Promise<PromptHeard> => {
    const pcm = overTelephone(await speech.speak(text, voice));
    const transcript = await speech.transcribe(pcm, 8000);
    const first = fingerprintOf(pcm);
    // Some words are aligned together.
    const words = transcript.words.flatMap(({ text: said, startMs, endMs }) => {
      const parts = said.split(' ');
      const at = (index: number): number => startMs + ((endMs - startMs) * index) / parts.length;
      return parts.map((part, index) => ({ text: part, startMs: at(index), endMs: at(index + 1) }));
    });
    return { text: transcript.text, words, fingerprint: first };
  };
  const keysOf = (text: string): string[] =>
    [...text.toLowerCase().matchAll(/\bpress (\w+)/g)].map(([, key = '']) => key);

  for (const voice of voices)
    it(`finds keys of the voice ${voice} that were misheard, and none that weren't said`, async () => {
      const lessons = await Promise.all(taught.map((text) => hear(text, voice)));
      const menu = await hear('For opening hours, press 2. For the main menu, press star.', voice);
      const [park, other] = [misheard(menu, 2, 'this park'), misheard(menu, 1, 'or')];
      for (const wrong of [park, other]) {
        const found = new KeySounds().rehear([wrong, ...lessons]);
        assert.deepEqual(
          keysOf(found.get(wrong)?.text ?? ''),
          ['two', 'star'],
          `${wrong.text} ${found.get(wrong)?.text}`,
        );
        assert.equal(found.size, 1);
      }
      const plain = await Promise.all(announcements.map((text) => hear(text, voice)));
      assert.deepEqual([...new KeySounds().rehear([...lessons, ...plain]).values()], []);
    });

  it('finds nothing in the sound of another voice', async () => {
    const lessons = await Promise.all(taught.map((text) => hear(text, 'rms')));
    const menu = misheard(
      await hear('For opening hours, press 2. For the main menu, press star.', 'slt'),
      2,
      'this park',
    );
    assert.equal(new KeySounds().rehear([menu, ...lessons]).size, 0);
  });

  it('counts on where a clause ends with a word that is heard for the next key', async () => {
    const menu = await hear('For arts, press 1. For law and business, 2. For medicine and nursing, 3.', 'rms');
    const wrong = misheard(menu, 1, 'free');
    const found = new KeySounds().rehear([wrong]).get(wrong);
    assert.match(found?.text ?? '', /nursing,? three\.$/);
  });

  it('returns the same again without work, and nothing for prompts without words or sound', async () => {
    const sounds = new KeySounds();
    const lessons = await Promise.all(taught.map((text) => hear(text, 'rms')));
    const wrong = misheard(lessons[0] ?? assert.fail(), 1, 'or');
    assert.equal(sounds.rehear([wrong, ...lessons.slice(1)]).size, 1);
    assert.equal(sounds.rehear([wrong, ...lessons.slice(1)]).size, 0);
    const empty = { text: '', words: [], fingerprint: fingerprintOf(new Int16Array(0)) };
    const foreign = { text: 'Press 1.', words: [], fingerprint: new Uint8Array([9, 9, 9]) };
    assert.equal(sounds.rehear([empty, foreign]).size, 0);
  });
});
