import assert from 'node:assert/strict';
import { Linter } from 'eslint';
import { findWords, parseWords, plainWords } from '../../lint/plainWords.mjs';

const table = `
## Words in comments and test titles

| word | use instead | except |
|---|---|---|
| \`told\`, \`tells\` | says, reports | |
| \`is no\` | isn't a | \`is no longer\` |
| \`What …\` | a verb or a noun | |

## Other

| \`menu\` | nothing | |
`;

const wordsIn = (text: string): string[] => findWords(text, parseWords(table)).map(({ word }) => word);

describe('the list of words', () => {
  it('finds words and phrases in any case, also across a line break', () => {
    assert.deepEqual(wordsIn('Told that it is\nno menu'), ['told', 'is no']);
  });

  it('ignores parts of longer words, exceptions and quoted text', () => {
    assert.deepEqual(
      wordsIn('An untold story that is no longer true: `told`, "is no menu", callers say \'tells\''),
      [],
    );
  });

  it('finds an opening word only at the beginning', () => {
    assert.deepEqual(wordsIn('What a call costs'), ['What …']);
    assert.deepEqual(wordsIn('Returns What a call costs, whatever the line'), []);
  });

  it('ends with its own table', () => {
    assert.deepEqual(wordsIn('a menu'), []);
  });

  it('throws an error without rows', () => {
    assert.throws(() => parseWords('# Words'), /no table/);
  });
});

describe('the lint rule for words', () => {
  const messages = (code: string): string[] =>
    new Linter()
      .verify(code, [{ plugins: { words: { rules: { plain: plainWords } } }, rules: { 'words/plain': 'error' } }])
      .map(({ line, message }) => `${String(line)} ${/"(.*?)"/.exec(message)?.[1] ?? message}`);

  it('checks line comments, doc comments and test titles', () => {
    const code = [
      '// Nobody knows.',
      '/** Tells the time. */',
      "it.skip('is told the time', () => {});",
      'describe(`${x} told`, () => {});',
      "say('nobody');",
    ].join('\n');
    assert.deepEqual(messages(code), ['1 nobody', '2 tells', '3 told', '4 told']);
  });

  it('reads consecutive line comments as one text', () => {
    assert.deepEqual(messages('const x = 1;\n// This goes\n// on and on.\n'), ['2 goes on']);
  });

  it('accepts an exception that is written beside the line', () => {
    assert.deepEqual(messages('// eslint-disable-next-line words/plain -- the name of a band\n// Nobody knows.\n'), []);
  });
});
