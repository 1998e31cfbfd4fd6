import assert from 'node:assert/strict';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { keysFound, wordErrors } from '../support/wordErrorRate.ts';
import { humanPrompts, overTelephone, recordedSpeech } from './speechRig.ts';

describe('recognition of human prompts over G.711 @full', function () {
  let recorded: Awaited<ReturnType<typeof recordedSpeech>>;
  let speech: SpeechEngine;

  before(async () => {
    recorded = await recordedSpeech('prompts');
    speech = recorded.speech;
  });
  after(async () => assert.deepEqual(await recorded.close(), []));

  it('misses at most 3.5 % of words and finds at least 98 % of keys', async () => {
    const sum = { errors: 0, words: 0, found: 0, keys: 0, invented: 0 };
    const worst: string[] = [];
    for (const { name, said, pcm } of await humanPrompts()) {
      const { text } = await speech.transcribe(overTelephone(pcm), 8000);
      const words = wordErrors(said, text);
      const keys = keysFound(said, text);
      sum.errors += words.errors;
      sum.words += words.words;
      sum.found += keys.found;
      sum.keys += keys.keys;
      sum.invented += keys.invented;
      if (words.errors > 3 || keys.found < keys.keys || keys.invented > 0)
        worst.push(
          `  ${name}: ${words.errors} of ${words.words} words, keys ${keys.found} of ${keys.keys} + ${keys.invented}\n    ${text}`,
        );
    }
    const errorRate = (100 * sum.errors) / sum.words;
    const recall = (100 * sum.found) / sum.keys;
    console.log(
      `    word error rate ${errorRate.toFixed(2)} % of ${sum.words} words, keys ${sum.found} of ${sum.keys} (${recall.toFixed(1)} %), invented ${sum.invented}\n${worst.join('\n')}`,
    );
    assert.ok(sum.words > 2000 && sum.keys > 150, 'the prompts are there');
    assert.ok(errorRate <= 3.5, `word error rate ${errorRate} %`);
    assert.ok(recall >= 98, `key recall ${recall} %`);
    assert.ok(sum.invented <= 1, `${sum.invented} keys invented`);
  });
});
