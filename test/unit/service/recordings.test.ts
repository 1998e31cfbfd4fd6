import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Recordings } from '../../../src/service/runs/recordings.ts';

describe('recordings', () => {
  it('stay in the folder of their run, with any step name', async () => {
    const base = await mkdtemp(join(tmpdir(), 'dialtree-recordings-'));
    try {
      const recordings = new Recordings(join(base, 'recordings'));
      const steps = ['1.2', '../other/1', '../../../escaped', '/etc/passwd', 'a/b', '..', ''];
      for (const step of steps) await recordings.write('run', step, new Int16Array(8));
      for (const step of steps) await ((await recordings.open('run', step)) ?? assert.fail(step)).file.close();
      assert.deepEqual([await readdir(base), await readdir(join(base, 'recordings'))], [['recordings'], ['run']]);
      const files = await readdir(join(base, 'recordings', 'run'));
      assert.equal(files.length, steps.length);
      for (const name of files) assert.match(name, /^[\w-]+\.wav$/);
    } finally {
      await rm(base, { recursive: true });
    }
  });
});
