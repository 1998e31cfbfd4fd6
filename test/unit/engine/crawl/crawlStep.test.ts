import assert from 'node:assert/strict';
import { nodeOf } from '../../../../src/engine/crawl/crawlStep.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

const transcript = 'Please enter your four digit PIN.';
const words = ['Please', 'enter', 'your', 'four', 'digit', 'PIN.'].map((text, at) => ({
  text,
  startMs: at * 200,
  endMs: at * 200 + 180,
}));

describe('a step that asks for digits', () => {
  it('gives the time of its question from the start of the audio, including the silence before the prompt', () => {
    const { inputRequired, promptStartMs } = nodeOf({
      id: 'a',
      label: 'PIN',
      depth: 1,
      status: 'explored',
      attempts: 1,
      transcript,
      words,
      reading: readMenu(transcript),
      promptStartMs: 704,
      promptEndMs: 1904,
    });
    assert.deepEqual([promptStartMs, inputRequired?.type, inputRequired?.startTimeMs], [704, 'pin', 904]);
  });
});
