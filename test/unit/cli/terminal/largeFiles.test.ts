import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadBaseline } from '../../../../src/cli/run/baselineFile.ts';
import { readRoutes } from '../../../../src/cli/settings/routes.ts';
import { loadCalltree } from '../../../../src/cli/tree/calltreeFile.ts';
import { loadIvr } from '../../../../src/practice/ivrSource.ts';
import { dialtree } from '../dialtree.ts';

describe('a file of more than 20 MB', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-large-'));
    file = path.join(folder, 'large.txt');
    await writeFile(file, '');
    await truncate(file, 20_000_001);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [kind, read] of [
    ['a practice IVR', loadIvr],
    ['a tree', loadCalltree],
    ['a baseline', loadBaseline],
    ['a dial plan', readRoutes],
  ] as const)
    it(`is rejected as ${kind}`, async () => {
      await assert.rejects(read(file), {
        name: 'HumanError',
        code: 'file_too_large',
        message: `${file} is larger than 20 MB. Split it, or shorten it.`,
      });
    });

  it('is rejected by score and read, even from standard input', async () => {
    for (const { code, stderr } of [
      await dialtree(['score', '--truth', file, '--tree', file]),
      await dialtree(['read', file]),
      await dialtree(['read'], 'x'.repeat(20_000_001)),
    ]) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, /is larger than 20 MB\. Split it, or shorten it\./);
    }
  });
});
