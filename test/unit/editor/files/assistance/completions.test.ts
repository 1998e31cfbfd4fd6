import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { suggest } from '../../../../../src/editor/files/assistance/completions.ts';
import type { Suggestion } from '../../../../../src/editor/files/assistance/suggestion.ts';
import { readStates } from '../../../../../src/editor/files/reading/ivrStates.ts';
import { english } from '../../fakes.ts';
import { file, folder, found } from '../fakeFiles.ts';
import { relativePath } from '../../../../../src/editor/files/reading/relativePath.ts';

const templates = path.resolve(import.meta.dirname, '../../../../../media/templates');
const around = {
  ...folder({
    'bank.ivr.json': '{ "name": "Bank", "number": "+12025550101" }',
    'shared/clinic.ivr.json': '{ "name": "Clinic" }',
    'rows.csv': 'branch,city\n1,Boston\n',
    'other.calltest.json': '{ "phoneNumber": "+12025550144", "tags": ["smoke", "bank"], "language": "pl-PL" }',
    'more.mission.json': '{ "tags": ["smoke"] }',
    'prompts/hello.wav': '',
  }),
  routes: { '+4930123456': { uri: 'sip:a@b', line: 'office' }, '+49*': { uri: 'sip:{number}@b' } },
  language: 'en',
  template: (name: string) => readFile(path.join(templates, `${name}.jsonc`), 'utf8'),
};
const offered = async (name: string, marked: string): Promise<Suggestion[]> => {
  const parsed = file(name, marked);
  return suggest(parsed, parsed.offset, around, english);
};
const labels = async (name: string, marked: string): Promise<string[]> =>
  (await offered(name, marked)).map(({ label }) => label);
/** Returns the text after accepting the first suggestion. */
const taken = async (name: string, marked: string): Promise<string> => {
  const [{ text, offset, length } = { text: '', offset: 0, length: 0 }] = await offered(name, marked);
  const plain = marked.replace('¦', '');
  return plain.slice(0, offset) + text + plain.slice(offset + length);
};

describe('completions', () => {
  const ivr = (main: string): string =>
    `{ "start": "main", "states": { "main": ${main}, "bye": { "prompt": "Goodbye.", "end": "hangup" } } }`;

  it('offer the states wherever one is named', async () => {
    for (const place of [
      '{ "next": "¦" }',
      '{ "next": ¦ }',
      '{ "keys": { "1": "b¦" } }',
      '{ "speech": { "cards": "¦" } }',
      '{ "collect": { "next": "¦" } }',
      '{ "collect": { "onReject": "¦" } }',
      '{ "onTimeout": { "next": "¦" } }',
      '{ "onInvalid": { "next": "¦" } }',
      '{ "onExhausted": "¦" }',
    ])
      assert.deepEqual(await labels('a.ivr.json', ivr(place)), ['main', 'bye'], place);
    for (const place of [
      '{ "start": "¦", ',
      '{ "hours": [{ "start": "¦" }], ',
      '{ "faults": { "deadAirState": "¦" }, ',
    ])
      assert.deepEqual(
        await labels('a.ivr.json', ivr('{}').replace('{ ', place).replace('"start": "main", ', '')),
        ['main', 'bye'],
        place,
      );
    for (const place of ['{ "prompt": "¦" }', '{ "end": "¦" }', '{ "keys": "¦" }', '{ "n¦": "" }'])
      assert.deepEqual(await labels('a.ivr.json', ivr(place)), [], place);
  });

  it('replace only what is already typed', async () => {
    assert.equal(
      await taken('a.ivr.json', '{ "states": { "main": { "next": "m¦ain", "pauseMs": 1 } } }'),
      '{ "states": { "main": { "next": "main", "pauseMs": 1 } } }',
    );
    assert.equal(
      await taken('a.ivr.json', '{ "states": { "main": { "next": ¦ } } }'),
      '{ "states": { "main": { "next": "main" } } }',
    );
    assert.equal(
      await taken('a.ivr.json', '{ "states": { "main": {\n"next": "m¦\n"pauseMs": 1 } } }'),
      '{ "states": { "main": {\n"next": "main"\n"pauseMs": 1 } } }',
    );
    const [first] = await offered('a.ivr.json', ivr('{ "next": "¦" }'));
    assert.equal(first?.documentation, '');
  });

  it("offer keys that the menu doesn't have yet", async () => {
    assert.deepEqual((await labels('a.ivr.json', ivr('{ "keys": { "1": "bye", "¦" } }'))).join(''), '234567890*#');
    assert.deepEqual(
      (await labels('a.ivr.json', ivr('{ "keys": { "1¦": "bye", "*": "bye" } }'))).join(''),
      '1234567890#',
    );
  });

  it('offer numbers of the workspace and of routes', async () => {
    assert.deepEqual(await labels('a.mission.json', '{ "phoneNumber": "¦" }'), [
      '+4930123456',
      '+12025550101',
      '+12025550144',
    ]);
    assert.deepEqual(await labels('a.ivr.json', '{ "number": ¦ }'), ['+4930123456', '+12025550101', '+12025550144']);
  });

  it('offer tags by frequency, except those already present', async () => {
    assert.deepEqual(
      (await offered('a.mission.json', '{ "tags": ["¦"] }'))
        .sort((one, other) => (one.sortText! < other.sortText! ? -1 : 1))
        .map(({ label, detail }) => `${label} ${detail ?? ''}`),
      ['smoke 2', 'bank 1'],
    );
    assert.deepEqual(await labels('a.mission.json', '{ "tags": ["smoke", ¦] }'), ['bank']);
  });

  it('offer files in the same folder, and folders to enter', async () => {
    assert.deepEqual(await labels('a.mission.json', '{ "ivr": "¦" }'), [
      'bank.ivr.json',
      'shared/',
      'prompts/',
      'shared/clinic.ivr.json',
    ]);
    assert.deepEqual(await labels('a.mission.json', '{ "ivr": "shared/¦" }'), [
      'shared/clinic.ivr.json',
      'bank.ivr.json',
    ]);
    assert.deepEqual(await labels('a.calltest.json', '{ "rowsFile": "¦" }'), ['shared/', 'rows.csv', 'prompts/']);
    assert.deepEqual(await labels('a.ivr.json', '{ "states": { "a": { "prompt": { "wav": "prompts/¦" } } } }'), [
      'prompts/hello.wav',
    ]);
    assert.deepEqual(await labels('a.calltest.json', '{ "rowsFile": "nowhere/¦" }'), []);
  });

  it('offer columns of the rows, and earlier collected values', async () => {
    const test = (step: string): string =>
      `{ "rowsFile": "rows.csv", "steps": [{ "action": { "type": "collect", "name": "code", "pattern": "x" } }, ${step}, { "action": { "type": "collect", "name": "later", "pattern": "x" } }] }`;
    assert.deepEqual(await labels('a.calltest.json', test('{ "action": { "type": "press", "keys": "1{¦" } }')), [
      '{branch}',
      '{city}',
      '{code}',
    ]);
    assert.deepEqual(await labels('a.calltest.json', test('{ "expectedTranscript": "In {ci¦ty}, yes" }')), [
      '{branch}',
      '{city}',
      '{code}',
    ]);
    assert.equal(
      await taken('a.calltest.json', test('{ "expectedTranscript": "In {ci¦ty}, yes" }')),
      test('{ "expectedTranscript": "In {branch}, yes" }'),
    );
    assert.deepEqual(await labels('a.calltest.json', test('{ "expectedTranscript": "In ¦" }')), []);
    assert.deepEqual(
      await labels('a.calltest.json', '{ "rows": [{ "own": "1" }], "steps": [{ "action": { "text": "{¦" } }] }'),
      ['{own}'],
    );
  });

  it('offer whole steps, valid with their placeholders unchanged', async () => {
    const snippets = await offered('a.calltest.json', '{ "steps": [¦] }');
    assert.deepEqual(
      snippets.map(({ label }) => label.replace('step: ', '')),
      ['dial', 'press', 'say', 'expect', 'collect', 'wait', 'wait', 'hangUp'],
    );
    for (const { text } of snippets) {
      const plain = text.replaceAll(/\$\{\d+:((?:\\.|[^}])*)\}|\$\{\d+\}|\$\d+/g, (_all, preset: string | undefined) =>
        (preset ?? '').replaceAll('\\\\', '\\'),
      );
      assert.ok(plain.split('\n').length >= 4, plain);
      assert.equal(typeof (JSON.parse(plain) as { action: { type: string } }).action.type, 'string', plain);
    }
    assert.deepEqual((await labels('a.calltest.json', '{ "steps": [{ "name": "x", "action": ¦ }] }')).length, 8);
    assert.deepEqual(await labels('a.calltest.json', '{ "steps": [{ "name": "¦" }] }'), []);
  });

  it('offer whole files in an empty file, without problems', async () => {
    for (const [name, wanted] of [
      ['a.calltest.json', ['Scripted test by keypad', 'Scripted test by voice']],
      ['a.mission.json', ['Mission']],
      ['a.ivr.json', ['Practice IVR']],
      ['a.calltree.json', []],
    ] as const) {
      const snippets = await offered(name, '\n¦');
      assert.deepEqual(
        snippets.map(({ label }) => label),
        wanted,
      );
      for (const { text } of snippets) {
        const plain = text.replaceAll(/\\(.)/g, '$1');
        assert.deepEqual(
          (await found(file(name, plain), folder({}))).filter((problem) => problem.startsWith('error')),
          [],
        );
      }
    }
    assert.deepEqual(await labels('a.mission.json', '{¦}'), []);
  });

  it('offer languages, those of the workspace first', async () => {
    assert.deepEqual((await labels('a.calltest.json', '{ "language": "¦" }')).slice(0, 2), ['pl-PL', 'en-US']);
    assert.equal(
      (await offered('a.calltest.json', '{ "steps": [{ "language": "¦" }] }'))[0]?.detail,
      'Polish (Poland)',
    );
  });
});

describe('the path from one file to another', () => {
  it('goes through the folders between them', () => {
    assert.equal(relativePath('file:///w/a/t.calltest.json', 'file:///w/b/x%20y.ivr.json'), '../b/x y.ivr.json');
    assert.equal(relativePath('untitled:/w/a/t.calltest.json', 'file:///w/a/x.ivr.json'), 'x.ivr.json');
    assert.equal(relativePath('vscode-vfs://github/o/t.calltest.json', 'file:///w/x.ivr.json'), undefined);
    assert.equal(relativePath('untitled:t.calltest.json', 'file:///w/x.ivr.json'), undefined);
  });
});

describe('the states of a large practice IVR', () => {
  it('take linear time to parse', () => {
    const states = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `s${String(index)}`,
        { prompt: 'p', keys: { 1: `s${String((index + 1) % 3000)}`, 2: 's0' } },
      ]),
    );
    assert.equal(readStates(file('a.ivr.json', JSON.stringify({ start: 's0', states }))).references.length, 6001);
  });
});
