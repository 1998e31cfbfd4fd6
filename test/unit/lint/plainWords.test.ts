import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RuleTester } from 'oxlint/plugins-dev';
import plugin, { findWords, parseWords } from '../../lint/plainWords.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

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
  it('finds words and phrases in any case, also across a line break', () =>
    assert.deepEqual(wordsIn('Told that it is\nno menu'), ['told', 'is no']));

  it('ignores parts of longer words, exceptions and quoted text', () =>
    assert.deepEqual(
      wordsIn('An untold story that is no longer true: `told`, "is no menu", callers say \'tells\''),
      [],
    ));

  it('finds an opening word only at the beginning', () => {
    assert.deepEqual(wordsIn('What a call costs'), ['What …']);
    assert.deepEqual(wordsIn('Returns What a call costs, whatever the line'), []);
  });

  it('ends with its own table', () => assert.deepEqual(wordsIn('a menu'), []));

  it('throws an error without rows', () => assert.throws(() => parseWords('# Words'), /no table/));
});

const reports = (line: number, word: string) => ({ line, message: new RegExp(`Don't write "${word}"`) });

new RuleTester().run('the lint rule for words', plugin.rules.plain, {
  valid: [],
  invalid: [
    {
      name: 'checks line comments, doc comments and test titles',
      code: [
        '// Nobody knows.',
        '/** Tells the time. */',
        "it.skip('is told the time', () => {});",
        'describe(`${x} told`, () => {});',
        "say('nobody');",
      ].join('\n'),
      errors: [reports(1, 'nobody'), reports(2, 'tells'), reports(3, 'told'), reports(4, 'told')],
    },
    {
      name: 'reads consecutive line comments as one text',
      code: 'const x = 1;\n// This goes\n// on and on.\n',
      errors: [reports(2, 'goes on')],
    },
  ],
});

const beginsWith = (line: number, word: string) => ({
  line,
  message: new RegExp(`Don't begin a test title with "${word}"`),
});

new RuleTester().run('the lint rule for test titles', plugin.rules.titles, {
  valid: ["it('issues a key that is valid', () => {});", "it('has no end', () => {});", "say('is silent');"],
  invalid: [
    {
      name: 'reports titles that begin with a form of "to be"',
      code: [
        "it('is refused', () => {});",
        'it.skip("aren\'t refused", () => {});',
        'it(`were ${x}`, () => {});',
        "describe('has been refused', () => {});",
      ].join('\n'),
      errors: [beginsWith(1, 'is'), beginsWith(2, "aren't"), beginsWith(3, 'were'), beginsWith(4, 'has been')],
    },
  ],
});

describe('a lint exception for words', () => {
  it('applies to the line below it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-lint-'));
    try {
      const config = {
        categories: { correctness: 'off' },
        jsPlugins: [path.join(root, 'test/lint/plainWords.mjs')],
        rules: { 'words/plain': 'error' },
      };
      await writeFile(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
      await writeFile(
        path.join(folder, 'x.ts'),
        '// oxlint-disable-next-line words/plain -- the name of a band\n// Nobody knows.\n\n// Nobody knows.\n',
      );
      const { stdout } = spawnSync(path.join(root, 'node_modules/.bin/oxlint'), ['--format', 'unix'], {
        cwd: folder,
        encoding: 'utf8',
      });
      assert.deepEqual(stdout.match(/^x\.ts:\d+/gm), ['x.ts:4']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
