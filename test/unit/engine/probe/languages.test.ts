import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { withoutForeign } from '../../../../src/engine/probe/foreignWords.ts';
import { foreignWords } from '../../../../src/model/heard/foreignWords.ts';
import { SpeechError } from '../../../../src/speech/ear.ts';
import { callProbe, catalogued } from './callProbe.ts';
import type { CallProbeOptions, ProbedEnd } from './callProbe.ts';

const probe = catalogued('qc-french');
const english =
  'Welcome to Northwind Energy. Please listen carefully to the following choices. For service in English, press 1.';
const french =
  'Bonjour. Veuillez écouter attentivement les choix suivants. Pour le service en français, faites le 2, et pour nous joindre le 3.';
const spanish =
  'Para servicio en español, usted puede marcar el número tres ahora, o el cuatro, o bien el cinco, cuando guste.';

/** Prompts in sequence, then music. */
function call(prompts: readonly string[], options?: CallProbeOptions): Promise<ProbedEnd> {
  const states = Object.fromEntries(
    prompts.map((prompt, index) => [
      `p${String(index)}`,
      {
        prompt,
        ...(index === prompts.length - 1 ? { end: 'hold-music' } : { next: `p${String(index + 1)}`, pauseMs: 800 }),
      },
    ]),
  );
  return callProbe(probe, ivrFileSchema.parse({ name: 'languages', start: 'p0', states }), options);
}

describe('French first or equal', () => {
  const cases: readonly (readonly [name: string, prompts: readonly string[], outcome: string, reason: RegExp])[] = [
    ['French alone passes', [french], 'PASS', /^Observed/],
    ['French before English passes', [french, english, english], 'PASS', /^Observed/],
    ['as much French behind English passes', [english, french], 'PASS', /^Observed/],
    ['English alone fails', [english], 'FAIL', /there was more of it: \d+\.\d s of English, 0\.0 s of French/],
    [
      'a word of French behind much English fails',
      [english, english, 'Pour le français, faites le 2.'],
      'FAIL',
      /The other language came first, and there was more of it/,
    ],
    ['too little English tells nothing', ['Thank you.'], 'INCONCLUSIVE', /Too little of the speech is clear/],
    ['another language tells nothing', [spanish], 'INCONCLUSIVE', /isn't clear/],
    [
      'another language before French tells nothing',
      [spanish, french],
      'INCONCLUSIVE',
      /in an unclear language came first/,
    ],
    [
      'as much of another language as of English tells nothing',
      [english, spanish],
      'INCONCLUSIVE',
      /Too little of the speech is clear/,
    ],
  ];
  for (const [name, prompts, outcome, reason] of cases) {
    it(name, async () => {
      const ended = await call(prompts);
      assert.equal(ended.outcome, outcome, ended.reason);
      assert.match(ended.reason ?? '', reason);
    });
  }

  it("shows French as such: the recogniser's guess isn't used as text", async () => {
    const { transcript, steps } = await call([french, english]);
    assert.deepEqual(
      transcript.map(({ text }) => text),
      [foreignWords, english],
    );
    assert.equal(steps[0]?.transcript, foreignWords);
  });

  it("ends with an error that says why if languages can't be identified", async () => {
    const ended = await call([french], {
      line: {
        onCall: (active) => {
          active.languages = () => Promise.reject(new SpeechError('The speech model file mdef is missing.'));
        },
      },
    });
    assert.deepEqual(
      [ended.outcome, ended.steps.map(({ reason }) => reason)],
      ['ERROR', ['The speech model file mdef is missing.']],
    );
  });
});

describe('French recognised as English', () => {
  const word = (text: string, startMs: number): { text: string; startMs: number; endMs: number } => ({
    text,
    startMs,
    endMs: startMs + 300,
  });
  const languages = [
    { startMs: 100, endMs: 1000, speechSeconds: 0.9, language: 'fr' as const },
    { startMs: 1300, endMs: 3000, speechSeconds: 1.7, language: 'en' as const },
  ];
  const words = [word('The', 0), word('seek', 400), word('a', 800), word('For', 1400), word('English', 1700)];
  const utterance = { startMs: 0, endMs: 2000, text: 'The seek a. For English', rawText: '', words };

  it('gives way to a placeholder, and the English beside it stays', () => {
    assert.equal(withoutForeign(utterance, languages), '[French] For English');
    assert.equal(withoutForeign({ ...utterance, words: words.slice(0, 3) }, languages), foreignWords);
    assert.equal(withoutForeign({ ...utterance, words: words.slice(3) }, languages), utterance.text);
  });

  it('gives way as a whole if word times are unknown', () => {
    assert.equal(withoutForeign({ ...utterance, words: [], endMs: 1000 }, languages), foreignWords);
    assert.equal(withoutForeign({ ...utterance, words: [], startMs: 1400 }, languages), utterance.text);
    assert.equal(withoutForeign({ ...utterance, words: [] }, []), utterance.text);
  });
});
