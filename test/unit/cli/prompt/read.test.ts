import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { menuReadingSchema, type MenuReading } from '../../../../src/contract/menu.ts';
import { dialtree } from '../dialtree.ts';

const menu = 'For sales, press 1. To hear this again, press 9, or stay on the line.';
const readings = (stdout: string): MenuReading[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => menuReadingSchema.parse(JSON.parse(line)));
const keys = ({ options }: MenuReading): string => options.map(({ key }) => key).join('');

describe('dialtree read', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-read-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('reads a text for a person', async () => {
    const { code, stdout } = await dialtree(['read', menu]);
    assert.equal(code, 0);
    assert.equal(stdout, `${menu}\n  1  sales\n  9  hear this again  (repeats this prompt)\n  or stay on the line\n`);
  });

  it('reads a text for a program', async () => {
    const { code, stdout, stderr } = await dialtree(['read', menu, '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(readings(stdout), [
      {
        options: [
          { key: '1', label: 'sales' },
          { key: '9', label: 'hear this again' },
        ],
        speech: [],
        input: null,
        repeatKey: '9',
        stayOnLine: true,
      },
    ]);
  });

  it('shows what is to be entered, and an empty result', async () => {
    assert.match(
      (await dialtree(['read', 'Please enter your eight digit account number followed by the pound key.'])).stdout,
      /^ {2}enter: account number, 8 digits, ended by #$/m,
    );
    assert.match((await dialtree(['read', 'Thank you.'])).stdout, /nothing to press, say or enter/);
  });

  it('answers each line of a file in order, including empty ones', async () => {
    const file = path.join(folder, 'prompts.txt');
    await writeFile(file, 'For sales, press 1.\n\r\nFor parts, press 2.\r\n\nFor both, press 3.\n');
    const { code, stdout } = await dialtree(['read', file, '--json']);
    assert.equal(code, 0);
    assert.deepEqual(readings(stdout).map(keys), ['1', '', '2', '', '3']);
  });

  it('reads several files in order', async () => {
    const files = ['a.txt', 'b.txt'].map((name) => path.join(folder, name));
    for (const [index, file] of files.entries())
      await writeFile(file, `Press ${String(index + 1)} for one.\nPress ${String(index + 3)} for two.`);
    assert.deepEqual(readings((await dialtree(['read', '--json', ...files])).stdout).map(keys), ['1', '3', '2', '4']);
  });

  it('reads standard input', async () => {
    const { code, stdout } = await dialtree(['read', '--json'], 'Press 4 for four.\n\nPress 5 for five.');
    assert.equal(code, 0);
    assert.deepEqual(readings(stdout).map(keys), ['4', '', '5']);
  });

  it('answers an empty standard input with nothing', async () => {
    const { code, stdout } = await dialtree(['read', '--json'], '');
    assert.deepEqual([code, stdout], [0, '']);
  });

  it("reports what it can't read", async () => {
    const missing = path.join(folder, 'missing.txt');
    for (const args of [[missing], [folder]]) {
      const { code, stdout, stderr } = await dialtree(['read', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(stderr.startsWith(`Couldn't read ${args[0] ?? ''}.`), stderr);
    }
  });
});
