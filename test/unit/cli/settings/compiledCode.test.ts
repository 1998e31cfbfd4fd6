import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepCompiled } from '../../../../src/cli/settings/compiledCode.ts';

describe('compiled code', () => {
  let data: string;
  const keptIn: string[] = [];
  const keep = (...args: readonly string[]): string[] => {
    keepCompiled(args, (folder) => keptIn.push(folder));
    return keptIn.splice(0);
  };
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'dialtree-compiled-'));
    await writeFile(join(data, 'api-key'), 'key');
  });
  afterEach(async () => {
    await rm(data, { recursive: true });
  });

  it('goes into a private folder of the data folder', async () => {
    assert.deepEqual(keep('--port', '0', '--data', data), [join(data, 'compiled')]);
    if (process.platform !== 'win32') assert.equal((await stat(join(data, 'compiled'))).mode & 0o777, 0o700);
  });

  it('needs a local data folder of an earlier start', async () => {
    assert.deepEqual(keep(), []);
    assert.deepEqual(keep('--data'), []);
    assert.deepEqual(keep('--data', join(data, 'missing')), []);
    await rm(join(data, 'api-key'));
    assert.deepEqual(keep('--data', data), []);
    assert.deepEqual(await readdir(data), []);
  });

  it('stays out of folders that other users can change', async function () {
    if (process.platform === 'win32') this.skip();
    await chmod(data, 0o770);
    assert.deepEqual(keep('--data', data), []);
    await chmod(data, 0o700);
    await symlink(tmpdir(), join(data, 'compiled'));
    assert.deepEqual(keep('--data', data), []);
  });

  it('disappears once it takes up too much space', async () => {
    keep('--data', data);
    const old = join(data, 'compiled', 'old');
    await writeFile(old, Buffer.alloc(15_000_000));
    keep('--data', data);
    assert.deepEqual(await readdir(join(data, 'compiled')), ['old']);
    await writeFile(old, Buffer.alloc(17_000_000));
    assert.deepEqual(keep('--data', data), [join(data, 'compiled')]);
    assert.deepEqual(await readdir(join(data, 'compiled')), []);
  });
});
