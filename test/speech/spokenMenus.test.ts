import assert from 'node:assert/strict';
import type { EarEvent, SpeechEngine } from '../../src/speech/ear.ts';
import { keysFound, spokenWords } from '../support/wordErrorRate.ts';
import { overTelephone, recordedSpeech } from './speechRig.ts';
import { listed } from '../support/listed.ts';

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const labels = listed(`
  billing | sales | technical support | new customers | order status | returns | claims | store hours | directions |
  human resources | payroll | baggage | fraud | all other questions | lost and found | train schedules |
  the help desk | visiting hours | payment plans | policy questions | the box office | electricity
`);

/** Menus of three or four options, half with the label before the key and half after it. */
const menus = Array.from({ length: 20 }, (_, index) => {
  const options = Array.from({ length: 3 + (index % 2) }, (_unused, at) => ({
    key: digits[(index + at * 2 + 1) % 10] ?? '',
    label: labels[(index * 3 + at * 5) % labels.length] ?? '',
  }));
  const sentence = ({ key, label }: (typeof options)[number]): string =>
    index < 10 ? `For ${label}, press ${digits.indexOf(key)}.` : `Press ${digits.indexOf(key)} for ${label}.`;
  return { text: options.map(sentence).join(' '), options };
});

/**
 * Returns the share of letter pairs that two labels have in common: high if one is a slightly misheard version of the
 * other.
 */
function alike(a: string, b: string): number {
  const letterPairs = (text: string): string[] =>
    Array.from(text.replace(/ /g, '').matchAll(/(?=(..?))/g), (match) => match[1] ?? '');
  const [left, right] = [letterPairs(a), letterPairs(b)];
  return (2 * left.filter((pair) => right.includes(pair)).length) / (left.length + right.length);
}

/** Returns the pairs as a reader takes them from the sentences. */
function pairs(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
    const words = spokenWords(sentence).join(' ');
    const labelFirst = /^for (.+) press (\w+)$/.exec(words);
    const keyFirst = /^press (\w+) for (.+)$/.exec(words);
    return labelFirst ? [`${labelFirst[2]}: ${labelFirst[1]}`] : keyFirst ? [`${keyFirst[1]}: ${keyFirst[2]}`] : [];
  });
}

describe('menus spoken by the synthesiser and heard over G.711', function () {
  let recorded: Awaited<ReturnType<typeof recordedSpeech>>;
  let speech: SpeechEngine;

  before(async () => {
    recorded = await recordedSpeech('spoken-menus');
    speech = recorded.speech;
  });
  after(async () => assert.deepEqual(await recorded.close(), []));

  it('returns their keys, each with its label', async () => {
    let right = 0;
    let paired = 0;
    let expected = 0;
    const wrong: string[] = [];
    for (const { text, options } of menus) {
      const heard = (await speech.transcribe(overTelephone(await speech.speak(text)), 8000)).text;
      const found = pairs(heard);
      const keys = keysFound(text, heard);
      assert.equal(keys.found, keys.keys, `every key of "${text}" in "${heard}"`);
      assert.equal(keys.invented, 0, heard);
      expected += options.length;
      const hits = options.filter(({ key, label }) => found.includes(`${key}: ${label}`)).length;
      const closest = (label: string): string | undefined =>
        options.toSorted((a, b) => alike(b.label, label) - alike(a.label, label))[0]?.key;
      paired += options.filter(({ key }) =>
        found.some((pair) => pair.startsWith(`${key}: `) && closest(pair.slice(key.length + 2)) === key),
      ).length;
      right += hits;
      if (hits < options.length) wrong.push(`  ${text}\n  ${heard}`);
    }
    console.log(
      `    of ${expected} options ${paired} have their key by their label, ${right} word for word\n${wrong.join('\n')}`,
    );
    assert.ok(paired / expected >= 0.98, `${paired} of ${expected} paired`);
    assert.ok(right / expected >= 0.95, `${right} of ${expected} word for word`);
  });

  it('returns partial text and word times while they are spoken', async () => {
    const ear = speech.openEar();
    const events: EarEvent[] = [];
    ear.listen((event) => events.push(event));
    const pcm = overTelephone(
      await speech.speak('For billing, press 1. For sales, press 2. To repeat these options, press 9.'),
    );
    for (let at = 0; at < pcm.length; at += 160 * 100) {
      const settled = events.length;
      ear.push(pcm.subarray(at, at + 160 * 100));
      assert.ok(events.length >= settled);
    }
    await ear.flush();
    ear.close();
    const utterance = events.findLast((event) => event.type === 'utterance')?.utterance;
    assert.ok(utterance && utterance.words.length >= 10);
    const starts = utterance.words.map(({ startMs }) => startMs);
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => a - b),
    );
    assert.ok(
      (starts[0] ?? 0) >= utterance.startMs - 250 && (utterance.words.at(-1)?.endMs ?? 0) <= utterance.endMs + 250,
    );
  });

  it('returns no text for silence, tones and noise', async () => {
    const seconds = 6;
    const sounds = {
      silence: () => 0,
      hiss: () => (Math.random() * 2 - 1) * 400,
      ringback: (at: number) =>
        at % 48_000 < 16_000
          ? 4000 * (Math.sin((2 * Math.PI * 440 * at) / 8000) + Math.sin((2 * Math.PI * 480 * at) / 8000))
          : 0,
      dtmf: (at: number) =>
        at % 4000 < 800
          ? 5000 * (Math.sin((2 * Math.PI * 770 * at) / 8000) + Math.sin((2 * Math.PI * 1336 * at) / 8000))
          : 0,
    };
    for (const [name, sample] of Object.entries(sounds)) {
      const { text } = await speech.transcribe(
        overTelephone(Int16Array.from({ length: seconds * 8000 }, (_, at) => sample(at))),
        8000,
      );
      assert.equal(text, '', name);
    }
  });
});
