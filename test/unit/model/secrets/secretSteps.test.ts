import assert from 'node:assert/strict';
import { secretColumns, secretTexts } from '../../../../src/model/secrets/secretSteps.ts';

const steps = [
  { action: { type: 'press', keys: '1{branch}' } },
  { secret: true, action: { type: 'press', keys: '{card}#{pin}' } },
  { secret: true, action: { type: 'say', text: 'it is {word}' } },
  { secret: true, action: { type: 'collect', name: 'code', pattern: '\\d+' } },
];

describe('secret steps', () => {
  it("provide their keys and words, and other steps don't", () =>
    assert.deepEqual(secretTexts(steps), ['{card}#{pin}', 'it is {word}']));

  it('make the columns secret whose values they use', () =>
    assert.deepEqual([...secretColumns(steps)], ['card', 'pin', 'word']));
});
