import assert from 'node:assert/strict';
import { DialtreeClient } from '../../src/client/client.ts';
import { HumanError } from '../../src/contract/errors.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { openEmbeddedStore } from '../../src/service/store/embeddedStore.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import { patienceMs } from '../support/patience.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

const stopping = (error: unknown): boolean =>
  error instanceof HumanError && error.code === 'stopping' && error.status === 503;

describe('service: stopped mid-run', function () {
  const fixture = new ServiceFixture();
  const processes: JsonProcess[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await fixture.close();
  });

  const launch = (dataDir: string): JsonProcess => {
    const child = new JsonProcess(new URL('../support/serviceChild.ts', import.meta.url), [dataDir, 'stubborn']);
    processes.push(child);
    return child;
  };

  it('settles each run, exits with 0, and leaves the folder to a service that starts meanwhile, ten times @full', async () => {
    const dataDir = await fixture.folder();
    let child = launch(dataDir);
    for (let round = 0; round < 10; round += 1) {
      const ready = await child.line('ready');
      assert.deepEqual([ready['owner'], ready['pid']], [true, child.child.pid], child.errors.slice(-2000));
      const client = new DialtreeClient({ baseUrl: String(ready['baseUrl']), apiKey: String(ready['apiKey']) });
      const { items } = await client.call('listMappings', {});
      assert.equal(items.length, round);
      for (const { id } of items) {
        const job = await client.call('getMapping', { id });
        assert.equal(job.currentRun?.status, 'failed');
        assert.match(job.currentRun.reason ?? '', /service was stopped/);
        const { steps } = await client.call('getMappingTree', { id, format: 'flat' });
        assert.ok(
          steps && steps.length > 4 && steps.every(({ status }) => status !== 'exploring' && status !== 'pending'),
          JSON.stringify(steps?.map(({ status }) => status)),
        );
      }
      const { id } = await client.call('createMapping', { phoneNumber: 'sip:practice@127.0.0.1:5070' });
      const watch = new EventWatch(client);
      await watch.ready;
      await client.call('startMapping', { id });
      await watch.until(
        async () => ((await client.call('getMappingTree', { id, format: 'flat' })).steps?.length ?? 0) > 4,
      );
      await watch.close();

      const toldMs = performance.now();
      child.child.kill('SIGTERM');
      await child.line('stopping');
      const next = launch(dataDir);
      assert.equal(await child.exited, 0, child.errors.slice(-2000));
      assert.ok(performance.now() - toldMs < patienceMs);
      assert.equal(child.errors.slice(-2000), '', 'nothing is left to fail');
      child = next;
    }
    await child.line('ready');
    assert.equal(await child.kill('SIGTERM'), 0);
  });

  it('accepts no run that begins while it stops', async () => {
    const dataDir = await fixture.folder();
    let closing: Promise<void> | undefined;
    let close: (() => Promise<void>) | undefined;
    // Called before each transaction of a run, to stop the service at that point.
    const freeBytes = async (): Promise<number> => {
      closing ??= close?.();
      for (let turn = 0; turn < 5; turn += 1)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      return 1e12;
    };
    const service = await fixture.start({ dataDir, parts: { freeBytes } });
    const { id } = await service.client.call('createMapping', { phoneNumber: 'sip:practice@127.0.0.1:5070' });
    close = service.close;
    await assert.rejects(service.client.call('startMapping', { id }), { status: 503, code: 'stopping' });
    await closing;
    const again = await fixture.start({ dataDir });
    assert.equal((await again.client.call('getMapping', { id })).currentRun, undefined);
  });

  it('rejects each late write to the store, and finishes those under way', async () => {
    const folder = new DataFolder(await fixture.folder());
    const open = async () =>
      openEmbeddedStore({
        folder,
        assetsDir: (await serviceAssets()).assetsDir,
        log: silentLog,
        now: () => new Date(),
      });
    const store = await open();
    const settings = () => store.db.selectFrom('settings').select('name').where('name', '=', 'late');
    let finish = (): void => undefined;
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const underWay = store.write(async (transaction) => {
      begun();
      await finished;
      await transaction.insertInto('settings').values({ name: 'late', value: 'stored' }).execute();
    });
    await hasBegun;
    const closing = store.close();
    const late = store.writeUnguarded(async (transaction) => {
      await transaction.deleteFrom('settings').execute();
    });
    const refused = assert.rejects(late, stopping);
    finish();
    await Promise.all([underWay, refused, closing]);
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(
        store.write(async (transaction) => {
          await transaction.deleteFrom('settings').execute();
        }),
        stopping,
      );
      await assert.rejects(settings().execute(), stopping);
    }
    const again = await open();
    try {
      assert.deepEqual(await again.db.selectFrom('settings').select('value').where('name', '=', 'late').execute(), [
        { value: 'stored' },
      ]);
    } finally {
      await again.close();
    }
  });
});
