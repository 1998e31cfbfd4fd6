import assert from 'node:assert/strict';
import { secretColumns, secretTexts } from '../../../../src/model/secrets/secretSteps.ts';

const steps = [
  { action: { type: 'press', keys: '1{branch}' } },
  { secret: true, action: { type: 'press', keys: '{card}#{pin}' } },
  { secret: true, action: { type: 'say', text: 'it is {word}' } },
  { secret: true, action: { type: 'collect', name: 'code', pattern: '\\d+' } },
];

describe('secret steps', () => {
  it('give what they press and say, and no others do', () => {
    assert.deepEqual(secretTexts(steps), ['{card}#{pin}', 'it is {word}']);
  });

  it('make the columns secret whose values go into them', () => {
    assert.deepEqual([...secretColumns(steps)], ['card', 'pin', 'word']);
  });
});
