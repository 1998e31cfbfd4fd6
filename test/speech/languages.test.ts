import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { readWav } from '../../src/speech/wav.ts';
import { humanPrompts, overTelephone, recordedSpeech } from './speechRig.ts';

const french = new URL('../fixtures/speech/french/', import.meta.url);
const greetings = [
  'Welcome to Northwind Energy. For English, press 1. For French, press 2.',
  'Thank you for calling the Lakeside Clinic. This call may be recorded for quality and training purposes.',
  'Good morning. You have reached the water utility of the county. Our offices are closed.',
];
const minMs = 2500;
const whole = (pcm: Int16Array): { startMs: number; endMs: number; fromMs: number } => ({
  startMs: 0,
  endMs: pcm.length / 8,
  fromMs: 0,
});

describe('identification of French and English over G.711 @full', function () {
  let recorded: Awaited<ReturnType<typeof recordedSpeech>>;
  let speech: SpeechEngine;

  before(async () => {
    recorded = await recordedSpeech('languages');
    speech = recorded.speech;
  });
  after(async () => assert.deepEqual(await recorded.close(), []));

  /** The languages identified, and the files without a result. */
  async function heard(
    recordings: readonly { readonly name: string; readonly pcm: Int16Array }[],
  ): Promise<Record<'fr' | 'en' | 'neither', string[]>> {
    const found: Record<'fr' | 'en' | 'neither', string[]> = { fr: [], en: [], neither: [] };
    for (const { name, pcm } of recordings) {
      const [stretch] = await speech.languagesOf([{ ...whole(pcm), pcm: overTelephone(pcm) }]);
      found[stretch?.language ?? 'neither'].push(name);
    }
    return found;
  }

  it('never mistakes French recordings for English, and identifies most', async () => {
    const recordings = await Promise.all(
      (await readdir(french))
        .filter((name) => name.endsWith('.wav'))
        .map(async (name) => ({
          name,
          pcm: readWav(await readFile(new URL(name, french))).channels[0] ?? new Int16Array(0),
        })),
    );
    const found = await heard(recordings);
    assert.ok(recordings.length >= 30, 'the recordings are there');
    assert.deepEqual(found.en, []);
    assert.ok(
      found.fr.length >= recordings.length * 0.7,
      `French in ${String(found.fr.length)} of ${String(recordings.length)}; neither: ${found.neither.join(', ')}`,
    );
  });

  it('never mistakes English recordings for French, and identifies most', async () => {
    const recordings = (await humanPrompts()).filter(({ pcm }, index) => pcm.length / 8 > minMs && index % 6 === 0);
    const found = await heard(recordings);
    assert.ok(recordings.length >= 10, 'the recordings are there');
    assert.deepEqual(found.fr, []);
    assert.ok(
      found.en.length >= recordings.length * 0.8,
      `English in ${String(found.en.length)} of ${String(recordings.length)}; neither: ${found.neither.join(', ')}`,
    );
  });

  for (const voice of ['rms', 'slt', 'awb', 'kal16']) {
    it(`identifies English spoken by ${voice}`, async () => {
      const spoken = await Promise.all(greetings.map(async (name) => ({ name, pcm: await speech.speak(name, voice) })));
      assert.deepEqual((await heard(spoken)).en, greetings);
    });
  }

  it('identifies each part of a call', async () => {
    const first =
      readWav(await readFile(new URL('queue-periodic-announce.wav', french))).channels[0] ?? new Int16Array(0);
    const second = await speech.speak(greetings[0] ?? '');
    const [one, other] = [first.length / 8, (first.length + second.length) / 8];
    const stretches = await speech.languagesOf([
      { startMs: 0, endMs: one, fromMs: 0, pcm: first },
      { startMs: one + 400, endMs: other + 400, fromMs: one + 400, pcm: second },
    ]);
    assert.deepEqual(
      stretches.map(({ language, startMs }) => [language, startMs]),
      [
        ['fr', 0],
        ['en', one + 400],
      ],
    );
  });

  it('identifies each part of a piece whose pause was too noisy to split it', async () => {
    const first =
      readWav(await readFile(new URL('queue-periodic-announce.wav', french))).channels[0] ?? new Int16Array(0);
    const second = await speech.speak('For service in English, press 2.');
    for (const pauseMs of [0, 200, 500]) {
      const pcm = overTelephone(new Int16Array([...first, ...new Int16Array(pauseMs * 8), ...second]));
      const stretches = await speech.languagesOf([{ ...whole(pcm), pcm }]);
      assert.deepEqual(
        stretches.map(({ language }) => language),
        ['fr', 'en'],
        `a pause of ${String(pauseMs)} ms`,
      );
    }
  });

  it('finds no language without speech', async () => {
    const hiss = Int16Array.from({ length: 24_000 }, (_, index) => Math.round(300 * Math.sin(index * index)));
    for (const pcm of [hiss, new Int16Array(8000), new Int16Array(1)]) {
      const [stretch] = await speech.languagesOf([{ ...whole(pcm), pcm }]);
      assert.equal(stretch?.language, undefined);
    }
  });
});
