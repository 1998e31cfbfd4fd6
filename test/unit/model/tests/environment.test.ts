import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { problemText } from '../../../../src/model/files/fileProblem.ts';
import type { EnvironmentChoice, ReadBeside } from '../../../../src/model/tests/environment.ts';
import { readTestFile, type TestFile } from '../../../../src/model/tests/testFile.ts';

const beside =
  (files: Readonly<Record<string, string>>): ReadBeside =>
  (path) => {
    const text = files[path];
    if (path.startsWith('../../../')) throw new HumanError('outside', { status: 400, code: 'outside' });
    return text === undefined
      ? Promise.reject(new HumanError('no file', { status: 400, code: 'no_file' }))
      : Promise.resolve({ text, file: path });
  };
const choice = (name?: string, secrets: Readonly<Record<string, string>> = {}): EnvironmentChoice => ({
  name,
  secretOf: (secret) => Promise.resolve(secrets[secret]),
});
const environments = JSON.stringify({
  environments: {
    dev: { numbers: { bank: 'ivr/bank.ivr.json' }, variables: { bank: 'Harbour Bank', key: '1' } },
    live: { numbers: { bank: '+12025550101' }, line: 'office', variables: { bank: 'The Bank', key: 'x' } },
  },
  default: 'dev',
});
const test = (steps: object[], rest: object = {}): string =>
  JSON.stringify({ name: 'n', phoneNumber: '${env:bank}', steps, ...rest });
const press = (keys: string): object => ({ name: 'Key', action: { type: 'press', keys } });
const read = (
  text: string,
  chosen = choice(),
  files: Readonly<Record<string, string>> = { '../dialtree.env.json': environments },
  file = 'a.calltest.json',
) => readTestFile(text, file, beside(files), chosen);
async function fine(...given: Parameters<typeof read>): Promise<TestFile> {
  const file = await read(...given);
  assert.ok('test' in file, JSON.stringify(file));
  return file;
}
async function problems(...given: Parameters<typeof read>): Promise<string[]> {
  const file = await read(...given);
  return 'problems' in file ? file.problems.map(problemText) : [];
}

describe('an environment of tests', () => {
  it('gives practice IVRs by their path from its file, and variables', async () => {
    const { test: found, launch } = await fine(
      test([{ ...press('{key}'), expectedTranscript: '{bank}, {row}' }], { rows: [{ row: '1' }] }),
    );
    assert.deepEqual([found.ivr, found.phoneNumber, launch], ['../ivr/bank.ivr.json', undefined, undefined]);
    assert.ok('rows' in found);
    const [step] = found.steps;
    assert.deepEqual([step?.action, step?.expectedTranscript], [{ type: 'press', keys: '1' }, 'Harbour Bank, {row}']);
  });

  it('gives numbers with their line if a person chooses it', async () => {
    const { test: found, launch } = await fine(test([press('1')]), choice('live'));
    assert.deepEqual([found.phoneNumber, 'ivr' in found, launch], ['+12025550101', false, { line: 'office' }]);
  });

  it('leaves columns of rows and collected values as they are', async () => {
    const files = { 'dialtree.env.json': environments, 'r.csv': 'key\n7\n' };
    const file = await fine(test([press('{key}')], { rowsFile: 'r.csv' }), choice(), files);
    assert.ok(file.kind === 'calltest');
    assert.deepEqual(file.test.steps[0]?.action, { type: 'press', keys: '{key}' });
  });

  it('applies to missions and probes too', async () => {
    const mission = JSON.stringify({
      name: 'n',
      phoneNumber: '${env:bank}',
      mission: 'Call {bank}.',
      acceptance: 'Done',
    });
    const { test: found } = await fine(mission, choice('live'), undefined, 'a.mission.json');
    assert.ok('mission' in found);
    assert.equal(found.mission, 'Call The Bank.');
  });

  it('makes a step with a secret secret, and keeps the value out of the test', async () => {
    const file = await fine(test([press('${secret:PIN}#')]), choice('dev', { PIN: '4711' }));
    assert.ok(file.kind === 'calltest');
    assert.deepEqual([file.test.steps[0]?.secret, file.launch], [true, { secrets: { PIN: '4711' } }]);
    assert.doesNotMatch(JSON.stringify(file.test), /4711/);
  });

  const only = (environment: object) => ({ 'dialtree.env.json': JSON.stringify({ environments: { a: environment } }) });
  const calling = (phoneNumber: string): string => test([press('1')], { phoneNumber });
  const pin = press('${secret:PIN}');
  const given = choice('dev', { PIN: '4711' });
  for (const [what, expected, text = test([press('1')]), chosen = choice(), files] of [
    [
      'no file',
      'There is no dialtree.env.json in the folder of this file or above it. Add one.',
      undefined,
      undefined,
      {},
    ],
    ['an unknown environment', 'has no environment "lve". Did you mean "live"?', undefined, choice('lve')],
    [
      'an unknown environment of a variable',
      'steps.1.action.keys: dialtree.env.json has no environment "x". It has "dev", "live".',
      test([press('{key}')], { phoneNumber: '+12025550101' }),
      choice('x'),
    ],
    ['no choice', 'Choose an environment of dialtree.env.json: "a".', undefined, undefined, only({})],
    ['an unknown number', 'The environment "dev" has no number "bnk". Did you mean "bank"?', calling('${env:bnk}')],
    ['a name of Object', 'has no number "toString"', calling('${env:toString}')],
    [
      'a number elsewhere',
      'name: ${env:NAME} can stand only for a whole number',
      test([press('1')], { name: '${env:bank}' }),
    ],
    ['a value that is no key', 'steps.1.action.keys: Keys are 0-9', test([press('{key}')]), choice('live')],
    [
      'a broken file',
      'dialtree.env.json:1:23: environments.a: The member "number" isn\'t allowed here. Did you mean "numbers"?',
      undefined,
      undefined,
      only({ number: {} }),
    ],
    [
      'a wrong number',
      'dialtree.env.json:1:41: environments.a.numbers.bank: Give an E.164 number',
      undefined,
      choice('a'),
      only({ numbers: { bank: '12' } }),
    ],
    ['a secret without a value', 'steps.1.action.keys: The secret "PIN" has no value.', test([pin])],
    [
      'a secret that is no key',
      'The secret "PIN" contains characters other than keys',
      test([pin]),
      choice('dev', { PIN: 'hidden' }),
    ],
    [
      'a secret in a number',
      'phoneNumber: ${secret:NAME} can stand only in the keys and texts',
      calling('${secret:PIN}'),
      given,
    ],
    [
      'a secret in words to expect',
      'expectedTranscript: ${secret:NAME} can stand only',
      test([{ ...press('1'), expectedTranscript: '${secret:PIN}' }]),
      given,
    ],
  ] as [string, string, (string | undefined)?, (EnvironmentChoice | undefined)?, Record<string, string>?][])
    it(`has one problem at its line: ${what}`, async () => {
      const [found = '', ...more] = await problems(text, chosen, files);
      assert.ok(found.startsWith('a.calltest.json:1:') && found.includes(expected), found);
      assert.deepEqual(more, []);
      assert.doesNotMatch(found, /4711|hidden/);
    });
});
