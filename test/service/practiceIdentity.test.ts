import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DialtreeClient } from '../../src/client/client.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

const shop = {
  name: 'Corner Shop',
  start: 'main',
  states: {
    main: { prompt: 'Welcome. For opening hours, press 1.', keys: { '1': 'hours' } },
    hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
  },
};

/** Real calls over SIP, of a service in its own process, to a practice IVR in its own process. */
describe('service: a mapping whose practice IVR ends', function () {
  const fixture = new ServiceFixture();
  const processes: JsonProcess[] = [];
  let blocker: Socket | undefined;
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    blocker?.close();
    await fixture.close();
  });

  const launch = (script: string, ...args: string[]): JsonProcess => {
    const process = new JsonProcess(new URL(`../../src/cli/${script}.ts`, import.meta.url), args);
    processes.push(process);
    return process;
  };
  async function practise(file: string) {
    const child = launch('dialtree', 'practice', file, '--port', '0', '--json');
    const ready = (await child.line('ready')) as { port: number; targets: { uri: string; addresses: string[] }[] };
    const [{ uri, addresses } = { uri: '', addresses: [] }] = ready.targets;
    return { child, port: ready.port, uri, addresses };
  }
  async function serve(data: string) {
    const child = launch(
      'serviceProcess',
      '--data',
      data,
      '--routes',
      '{"+12025550143":"sip:{number}@127.0.0.1:5070"}',
    );
    const { baseUrl, apiKey } = await child.line('ready');
    return { child, client: new DialtreeClient({ baseUrl: String(baseUrl), apiKey: String(apiKey) }) };
  }
  /** Starts a run, and waits until the first menu has this status. */
  async function mapUntil(client: DialtreeClient, id: string, status: 'exploring' | 'explored'): Promise<void> {
    const watch = new EventWatch(client);
    await client.call('startMapping', { id });
    await watch.until(async () => (await stepsOf(client, id))[0]?.status === status);
    await watch.close();
  }
  const stepsOf = async (client: DialtreeClient, id: string) =>
    (await client.call('getMappingTree', { id, format: 'flat' })).steps ?? [];

  async function assertInterrupted(client: DialtreeClient, id: string, file: string): Promise<void> {
    const { currentRun } = await client.waitForRun(id);
    assert.deepEqual([currentRun?.status, currentRun?.endedBy], ['failed', 'stop'], currentRun?.reason);
    assert.match(currentRun?.reason ?? '', /^The practice IVR ended during this run\./);
    assert.doesNotMatch(JSON.stringify(await stepsOf(client, id)), /dead.?air|nothing listens/i);
    const plan = await client.call('planCalls', { mappingId: id });
    assert.deepEqual([plan.refusal?.code, plan.needsConsent], ['practice_stopped', false]);
    const refusal = { status: 400, code: 'practice_stopped', details: { file } };
    await assert.rejects(client.call('startMapping', { id }), refusal);
  }

  /** Starts both, and the mapping, until its first menu has this status. */
  async function begin(status: 'exploring' | 'explored') {
    const data = await fixture.folder();
    const file = join(await fixture.folder(), 'shop.ivr.json');
    await writeFile(file, JSON.stringify(shop));
    const [ivr, service] = await Promise.all([practise(file), serve(data)]);
    const { id } = await service.client.call('createMapping', { phoneNumber: ivr.uri });
    await mapUntil(service.client, id, status);
    return { data, file, ivr, service, id };
  }

  it('keeps what it has heard, and calls the IVR again at the same address without consent', async () => {
    const { file, ivr, service, id } = await begin('explored');
    await ivr.child.kill();
    await assertInterrupted(service.client, id, file);
    assert.deepEqual(
      (await stepsOf(service.client, id)).map(({ status }) => status),
      ['explored', 'skipped'],
    );
    assert.equal((await practise(file)).uri, ivr.uri);
    await mapUntil(service.client, id, 'exploring');
  });

  it('ends as interrupted after a crash of both, and calls the IVR by its old address after it has moved', async () => {
    const { data, file, ivr, service: first, id } = await begin('exploring');
    await Promise.all([first.child.kill(), ivr.child.kill()]);
    const { client } = await serve(data);
    await assertInterrupted(client, id, file);
    blocker = createSocket('udp4');
    blocker.bind(ivr.port, '127.0.0.1');
    await once(blocker, 'listening');
    const moved = await practise(file);
    assert.notEqual(moved.port, ivr.port);
    assert.deepEqual(moved.addresses, [moved.uri, ivr.uri]);
    await client.call('startMapping', { id });
    const { currentRun, phoneNumber } = await client.waitForRun(id);
    assert.deepEqual([currentRun?.status, phoneNumber], ['completed', ivr.uri], currentRun?.reason);
  });
});
