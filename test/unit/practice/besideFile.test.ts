import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { besideFile } from '../../../src/practice/besideFile.ts';
import { loadIvr } from '../../../src/practice/ivrSource.ts';

describe('a file named by another', () => {
  let root: string;
  const at = (...names: string[]): string => path.join(root, ...names);
  before(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'dialtree-beside-')));
    await mkdir(at('repo', 'tests', 'deep'), { recursive: true });
    await mkdir(at('repo', '.git'));
    await mkdir(at('loose', 'tests'), { recursive: true });
    for (const name of ['secret.csv', 'repo/rows.csv', 'loose/rows.csv', 'loose/tests/rows.csv'])
      await writeFile(at(name), 'a\n1\n');
    await symlink(at('secret.csv'), at('repo', 'tests', 'link.csv'));
    await symlink(at('repo', 'rows.csv'), at('repo', 'tests', 'inner.csv'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('can be in the repository of both, in its folder, or in the working folder', async () => {
    const test = at('repo', 'tests', 'a.calltest.json');
    for (const [name, place] of [
      ['../rows.csv', 'repo/rows.csv'],
      ['deep/../inner.csv', 'repo/tests/inner.csv'],
      ['none.csv', 'repo/tests/none.csv'],
    ] as const)
      assert.equal(await besideFile(test, name), at(place));
    assert.equal(
      await besideFile(at('loose', 'tests', 'a.calltest.json'), 'rows.csv'),
      at('loose', 'tests', 'rows.csv'),
    );
    assert.equal(
      await besideFile(at('loose', 'tests', 'a.calltest.json'), '../rows.csv', at('loose')),
      at('loose', 'rows.csv'),
    );
  });

  it("can't come from elsewhere: through its path, an absolute one, or a link", async () => {
    for (const [file, name] of [
      ['repo/tests/a.calltest.json', '../../secret.csv'],
      ['repo/tests/a.calltest.json', at('secret.csv')],
      ['repo/tests/a.calltest.json', 'link.csv'],
      ['repo/tests/a.calltest.json', '../../none.csv'],
      ['loose/tests/a.calltest.json', '../rows.csv'],
      ['loose/tests/a.calltest.json', '..'],
    ] as const)
      await assert.rejects(
        besideFile(at(file), name),
        { status: 400, code: 'outside', message: /is outside the repository/ },
        name,
      );
  });

  it('rejects recordings outside the folder', async () => {
    const ivr = at('repo', 'tests', 'a.ivr.json');
    await writeFile(
      ivr,
      JSON.stringify({
        name: 'A',
        start: 'main',
        states: { main: { prompt: { wav: '../../private.wav', text: 'A' }, end: 'hangup' } },
      }),
    );
    await assert.rejects(loadIvr(ivr), { status: 400, code: 'outside' });
  });
});
