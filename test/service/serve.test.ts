import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DialtreeClient } from '../../src/client/client.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

const main = new URL('../../src/cli/serviceProcess.ts', import.meta.url);

describe('dialtree serve', function () {
  this.timeout(60_000);
  const fixture = new ServiceFixture();
  const processes: JsonProcess[] = [];
  const launch = (...args: string[]): JsonProcess => {
    const process = new JsonProcess(main, args);
    processes.push(process);
    return process;
  };
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await fixture.close();
  });

  it('says one line when it is ready, tells a second one where it is, and ends cleanly on SIGTERM', async () => {
    const data = await fixture.folder();
    const { assetsDir } = await serviceAssets();
    const first = launch('--data', data, '--assets', assetsDir, '--routes', '{"+1*":"sip:{number}@127.0.0.1:5070"}');
    const ready = await first.line('ready');
    assert.equal(ready['owner'], true);
    assert.equal(ready['mcpUrl'], String(ready['baseUrl']).replace('/v1', '/mcp'));
    const client = new DialtreeClient({ baseUrl: String(ready['baseUrl']), apiKey: String(ready['apiKey']) });
    await client.call('createMapping', { phoneNumber: '+12025550101' });

    const second = launch('--data', data);
    assert.deepEqual(await second.line('ready'), { ...ready, owner: false });
    assert.equal(await second.exited, 0);

    assert.equal(await first.kill('SIGTERM'), 0);
    for (const line of first.errors.trim().split('\n'))
      assert.equal(typeof JSON.parse(line), 'object', 'only log lines on stderr');
    assert.ok(!first.errors.includes('+12025550101') && !first.errors.includes(String(ready['apiKey'])));
  });

  it('answers bad use with 2 and what cannot be done with 1', async () => {
    const data = await fixture.folder();
    const broken = join(data, 'routes.json');
    writeFileSync(broken, '{');
    for (const [args, words] of [
      [['--nonsense'], /nonsense/],
      [['--port', 'x'], /--port/],
      [['--routes', '{'], /JSON/],
      [['--routes', broken], /JSON/],
      [['--routes', '{"a":1}'], /SIP address/],
      [['--routes', join(data, 'none.json')], /none\.json/],
    ] as const) {
      const process = launch('--data', data, ...args);
      assert.equal(await process.exited, 2, args.join(' '));
      assert.match(process.errors, words);
    }
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    try {
      const { port } = taken.address() as AddressInfo;
      const process = launch('--data', data, '--port', String(port));
      assert.equal(await process.exited, 1);
      assert.match(process.errors, new RegExp(`Port ${String(port)} .* in use`));
    } finally {
      taken.close();
    }
    rmSync(broken);
  });

  it('ends by itself when nobody uses it', async () => {
    const process = launch('--data', await fixture.folder(), '--idle-exit', '1');
    await process.line('ready');
    assert.equal(await process.exited, 0);
  });
});
