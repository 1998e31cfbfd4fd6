import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { testIdOf } from '../../../src/runner/testId.ts';

const origin = (url: string): string => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`;
const address = 'https://github.com/example/tests';

describe('the id of a test', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'dialtree-id-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, text = ''): Promise<string> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }
  /** The id of a file in a repository with this configuration. */
  async function idIn(name: string, config: string, file = 'a/b.calltest.json'): Promise<string> {
    await write(`${name}/.git/config`, config);
    return await testIdOf(undefined, path.join(folder, name, file));
  }

  it('comes from the file if the file has one', async () => {
    assert.equal(await testIdOf('11111111-1111-4111-8111-111111111111', 'x'), '11111111-1111-4111-8111-111111111111');
  });

  it('comes from the address of a file that has no path', async () => {
    const id = await testIdOf(undefined, 'untitled:Untitled-1');
    assert.equal(id, '261b06d7-0d8a-5f54-bfce-963abf040b25');
    assert.notEqual(await testIdOf(undefined, 'untitled:Untitled-2'), id);
  });

  it('agrees in all clones, whatever their protocol, user and configuration', async () => {
    const id = await idIn('reference', origin(address));
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const [index, config] of [
      origin(`${address}.git`),
      origin(`${address}.git/`),
      origin('git@github.com:example/tests.git'),
      origin('ssh://git@GitHub.com:22/example/tests'),
      origin('https://user:p@ssword@github.com/example/tests'),
      origin(`${address} ; where it is`),
      origin(`"${address}.git" # where it is`),
      origin(address).replaceAll('\n', '\r\n'),
      `[Remote "origin"] URL=${address}`,
      `[remote "origin"]\nfetch = +refs/heads/[ab]*:refs/remotes/origin/*\nurl = ${address}\nurl = elsewhere`,
      `[remote "other"]\nurl = elsewhere\n[remote "origin"]\npushurl = elsewhere\nurl = ${address}`,
    ].entries())
      assert.equal(await idIn(`clone${String(index)}`, config), id, config);
  });

  it('differs between hosts, repositories and places', async () => {
    const ids = await Promise.all([
      idIn('one', origin(address)),
      idIn('two', origin('https://gitlab.com/example/tests')),
      idIn('three', origin('https://github.com/example/tests2')),
      idIn('four', origin('git@github.com:example@2/tests')),
      idIn('five', origin('git@github.com:other@2/tests')),
      idIn('six', origin(address), 'b/b.calltest.json'),
      idIn('seven', '[remote "other"]\nurl = elsewhere'),
      idIn('eight', ''),
      testIdOf(undefined, path.join(folder, 'none.calltest.json')),
    ]);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('depends on the folder that was cloned, if the origin is one', async () => {
    const id = await idIn('first', '');
    assert.equal(await idIn('clone', origin(path.join(folder, 'first'))), id);
  });

  it('agrees through links, in linked work trees and in submodules', async () => {
    const id = await idIn('main', origin(address));
    const file = await write('main/a/b.calltest.json');
    await symlink(file, path.join(folder, 'link.calltest.json'));
    assert.equal(await testIdOf(undefined, path.join(folder, 'link.calltest.json')), id);

    await write('main/.git/worktrees/tree/commondir', '../..\n');
    await write('tree/.git', `gitdir: ${path.join(folder, 'main/.git/worktrees/tree')}\n`);
    assert.equal(await testIdOf(undefined, path.join(folder, 'tree/a/b.calltest.json')), id);

    await write('outer/.git/modules/inner/config', origin(address));
    await write('outer/inner/.git', 'gitdir: ../.git/modules/inner\n');
    assert.equal(await testIdOf(undefined, path.join(folder, 'outer/inner/a/b.calltest.json')), id);
  });

  it('depends on the outer repository if the inner one is broken', async () => {
    const id = await idIn('outer', origin(address), 'inner/b.calltest.json');
    for (const git of ['', 'gitdir: nowhere\n', 'gitdir: \0\n', 'gitdir: .\n', `gitdir: ${'x'.repeat(10_000)}\n`]) {
      await write('outer/inner/.git', git);
      assert.equal(await testIdOf(undefined, path.join(folder, 'outer/inner/b.calltest.json')), id);
    }
    assert.ok(await testIdOf(undefined, path.join(folder, '\0')));
  });

  it("ignores a configuration that is too large, or isn't a file", async () => {
    const outer = await idIn('outer', origin(address), 'inner/b.calltest.json');
    const file = path.join(folder, 'outer/inner/b.calltest.json');
    await write('outer/inner/.git/config', `${origin('elsewhere/x')}${'#\n'.repeat(1_000_000)}`);
    assert.equal(await testIdOf(undefined, file), outer);
    await rm(path.join(folder, 'outer/inner/.git/config'));
    if (spawnSync('mkfifo', [path.join(folder, 'outer/inner/.git/config')]).status !== 0) return;
    assert.equal(await testIdOf(undefined, file), outer);
  });

  it('costs little, whatever the configuration says', async () => {
    const long = 300_000;
    const before = process.threadCpuUsage();
    for (const [index, config] of [
      '\n'.repeat(long),
      `[remote "origin"]${'\n'.repeat(long)}`,
      `[remote "origin"]\nurl = a${' '.repeat(long)}b`,
      `[remote "origin"]\nurl = https://a/b${'/'.repeat(long)}b`,
      `[remote "origin"]\nurl = a${':'.repeat(long)}\u2028`,
      `[remote "origin"]\nurl = a${' #'.repeat(long / 2)}\u2028`,
      `[remote "origin"`.repeat(long / 16),
      'a@'.repeat(long / 2),
    ].entries())
      await idIn(`long${String(index)}`, config);
    const seconds = process.threadCpuUsage(before).user / 1e6;
    assert.ok(seconds < 2, `${String(seconds)} s`);
  });
});
