import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseIvr } from '../../../../src/practice/ivrSource.ts';
import { dialtree } from '../dialtree.ts';

describe('dialtree cassette', () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-cassette-'));
    const tree = {
      stepId: 'r',
      status: 'explored',
      transcript: 'For sales, press 1.',
      children: [{ stepId: 's', digit: '1', status: 'explored', transcript: 'Goodbye.', end: 'hangup' }],
    };
    await writeFile(
      file('shop.calltree.json'),
      `// The shop as it was.\n${JSON.stringify({ name: 'Shop', phoneNumber: '+12025550101', tree })}`,
    );
    await writeFile(file('broken.calltree.json'), '{ "name": "Shop" }');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("writes a practice IVR that plays the tree, and doesn't overwrite one without --force", async () => {
    const out = file('shop.ivr.json');
    const { code, stdout } = await dialtree(['cassette', file('shop.calltree.json'), '--out', out]);
    assert.equal(code, 0);
    assert.match(stdout, /2 states.*dialtree practice .*shop\.ivr\.json/);
    const { name, number, states } = parseIvr(await readFile(out, 'utf8'), out);
    assert.deepEqual(
      [name, number, states],
      [
        'Shop',
        '+12025550101',
        { main: { prompt: 'For sales, press 1.', keys: { 1: '1' } }, 1: { prompt: 'Goodbye.', end: 'hangup' } },
      ],
    );
    const again = await dialtree(['cassette', file('shop.calltree.json'), '--out', out]);
    assert.deepEqual([again.code, /already exists\. Give another name, or use --force/.test(again.stderr)], [2, true]);
    const forced = await dialtree(['cassette', file('shop.calltree.json'), '--out', out, '--force', '--json']);
    assert.deepEqual([forced.code, JSON.parse(forced.stdout)], [0, { file: out, states: 2 }]);
  });

  it('uses the singular for one state', async () => {
    await writeFile(
      file('one.calltree.json'),
      JSON.stringify({
        name: 'Closed',
        tree: { stepId: 'r', status: 'explored', transcript: 'Goodbye.', end: 'hangup' },
      }),
    );
    const { stdout } = await dialtree(['cassette', file('one.calltree.json'), '--out', file('one.ivr.json')]);
    assert.match(stdout, /one\.ivr\.json: 1 state\. Call/);
  });

  it('reports errors', async () => {
    for (const [args, message] of [
      [['cassette'], /Give one \*\.calltree\.json file/],
      [['cassette', file('shop.calltree.json')], /Give the file to write with --out/],
      [['cassette', file('shop.calltree.json'), '--out', file('x.json')], /Its name must end with \.ivr\.json/],
      [['cassette', file('gone.calltree.json'), '--out', file('x.ivr.json')], /Couldn't read .*gone/],
      [['cassette', file('broken.calltree.json'), '--out', file('x.ivr.json')], /broken\.calltree\.json:1:.*tree/],
      [['cassette', file('shop.calltree.json'), '--out', path.join(folder, 'no', 'x.ivr.json')], /Couldn't write/],
    ] as const) {
      const { code, stderr } = await dialtree([...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
    }
  });
});
