import assert from 'node:assert/strict';
import { readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerError } from '../../src/client/errors.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { refused } from '../support/refused.ts';

describe('service: damage and full disks', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  for (const [kind, damage] of [
    ['a cut control file', (data: string) => truncate(join(data, 'database', 'global', 'pg_control'), 100)],
    [
      'a log of rubbish @full',
      async (data: string) => {
        for (const name of await readdir(join(data, 'database', 'pg_wal'))) {
          const path = join(data, 'database', 'pg_wal', name);
          if ((await stat(path)).isFile()) await writeFile(path, Buffer.alloc(4096, 0x5a));
        }
      },
    ],
  ] as const) {
    it(`names ${kind} and what to do, and restores the newest export with --repair`, async () => {
      const dataDir = await fixture.folder();
      const first = await fixture.start({ dataDir });
      const { id } = await first.client.call('createMapping', { phoneNumber: '+12025550101' });
      await first.close();
      await damage(dataDir);

      const broken = await fixture.start({ dataDir });
      await assert.rejects(
        broken.client.call('listMappings', {}),
        (error) =>
          error instanceof ServerError &&
          error.code === 'store_damaged' &&
          error.message.includes(join(dataDir, 'database')) &&
          error.message.includes('--repair'),
      );
      assert.equal((await fetch(broken.baseUrl.replace('/v1', '/readyz'))).status, 503);
      await broken.close();
      assert.ok(!(await readdir(dataDir)).some((name) => name.includes('damaged')), 'nothing moves unasked');

      const repaired = await fixture.start({ dataDir, repair: true });
      assert.equal((await repaired.client.call('getMapping', { id })).id, id);
      assert.ok(
        (await readdir(dataDir)).some((name) => name.startsWith('database-damaged-')),
        'the damaged store is kept',
      );
    });
  }

  it('keeps three exports @full', async () => {
    const dataDir = await fixture.folder();
    for (let round = 0; round < 4; round += 1) {
      const service = await fixture.start({ dataDir });
      await service.client.call('createMapping', { phoneNumber: '+12025550101' });
      await service.close();
    }
    assert.equal((await readdir(join(dataDir, 'exports'))).length, 3);
  });

  it('ends a run with its reason when the disk is full, and keeps what was stored', async () => {
    let free = 1e12;
    const service = await fixture.start({
      parts: { crawl: fixture.crawl.crawl, freeBytes: () => Promise.resolve(free) },
    });
    const { id } = await service.client.call('createMapping', { phoneNumber: '+12025550101' });
    await service.client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(rootNode(), leafNode('1'));
    await service.client.waitForRun(id, {
      onChange: (job) => {
        if (job.currentRun?.status !== 'running') return;
        void service.client.call('getMappingTree', { id, format: 'flat' }).then((tree) => {
          if (tree.steps?.length !== 2) return;
          free = 1000;
          run.found(leafNode('2'));
        });
      },
    });
    const job = await service.client.call('getMapping', { id });
    assert.equal(job.currentRun?.status, 'failed');
    assert.match(job.currentRun.reason ?? '', /disk .* is full/);
    assert.equal((await service.client.call('getMappingTree', { id, format: 'flat' })).steps?.length, 2);
    await refused(service.client.call('createMapping', { phoneNumber: '+12025550101' }), 503, 'disk_full');
  });

  it('ends running and waiting runs as failed when it stops', async () => {
    const dataDir = await fixture.folder();
    const first = await fixture.start({ dataDir });
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const { id } = await first.client.call('createMapping', { phoneNumber: '+12025550101' });
      await first.client.call('startMapping', { id });
      ids.push(id);
    }
    (await fixture.crawl.next()).found(rootNode());
    await first.close();
    const second = await fixture.start({ dataDir });
    for (const id of ids) {
      const { currentRun } = await second.client.call('getMapping', { id });
      assert.equal(currentRun?.status, 'failed');
      assert.match(currentRun.reason ?? '', /service was stopped/);
    }
  });
});
