import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../../src/contract/tree.ts';
import { spanOfStep } from '../../../../../src/editor/files/navigation/stepDefinition.ts';
import { parseFile } from '../../../../../src/editor/folders/parsedFile.ts';

describe('the definition of a step', () => {
  const text = JSON.stringify({
    name: 'Shop',
    start: 'welcome',
    states: {
      welcome: { prompt: 'Welcome.', next: 'main' },
      main: { prompt: 'For orders, press 1.', keys: { 1: 'orders' }, speech: { Returns: 'returns' } },
      orders: { prompt: 'Your number?', collect: { max: 4, next: 'bye' } },
      returns: { prompt: 'Returns.', end: 'human' },
      bye: { prompt: 'Bye.', end: 'hangup' },
      loop: { prompt: 'Loop.', next: 'loop' },
    },
  });
  const stateOf = (content: string, ...steps: TreeNode[]): string => {
    const { offset, length } = spanOfStep(parseFile('ivr', 'file:///shop.ivr.json', content), [{}, ...steps]);
    return content.slice(offset, offset + length);
  };

  it('leads to the state that its path reaches', () => {
    assert.equal(stateOf(text), 'main');
    assert.equal(stateOf(text, { digit: '1' }), 'orders');
    assert.equal(stateOf(text, { digit: '1' }, { digit: '1234' }), 'bye');
    assert.equal(stateOf(text, { voicePrompt: 'returns' }), 'returns');
  });

  it('leads to the last state on the path if the file has changed, and to the beginning of a file without states', () => {
    assert.equal(stateOf(text, { digit: '9' }, { digit: '1' }), 'main');
    assert.equal(stateOf('{', { digit: '1' }), '');
    assert.equal(stateOf(text.replace('"start":"welcome"', '"start":"loop"'), { digit: '1' }), 'loop');
  });
});
