import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DialtreeClient } from '../../src/client/client.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

/** Speaks long enough for a process to end in the middle. */
const hours = 'We are open from nine to five on every day of the week, and from ten to four on each public holiday.';
const shop = {
  name: 'Corner Shop',
  number: '+12025550143',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome. For opening hours, press 1. For deliveries, press 2.',
      keys: { '1': 'hours', '2': 'goods' },
    },
    hours: { prompt: hours, end: 'hangup' },
    goods: { prompt: 'We deliver flowers on Mondays. Goodbye.', end: 'hangup' },
  },
};

/** Real calls over SIP, of a service in its own process, to a practice IVR in its own process. */
describe('service: a practice IVR that ends and starts again', function () {
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
  /** Starts a run, and waits until a call heard the first menu and another call is active. */
  async function mapHalf(client: DialtreeClient, id: string): Promise<void> {
    const watch = new EventWatch(client);
    await watch.ready;
    await client.call('startMapping', { id });
    await watch.until(async () => {
      const { steps = [] } = await client.call('getMappingTree', { id, format: 'flat' });
      return steps[0]?.status === 'explored' && steps.some(({ status }) => status === 'exploring');
    });
    await watch.close();
  }
  async function assertInterrupted(client: DialtreeClient, id: string): Promise<void> {
    const { currentRun } = await client.waitForRun(id);
    assert.deepEqual([currentRun?.status, currentRun?.endedBy], ['failed', 'stop'], currentRun?.reason);
    assert.match(currentRun?.reason ?? '', /^The practice IVR ended during this run\./);
    const { steps = [] } = await client.call('getMappingTree', { id, format: 'flat' });
    assert.equal(steps[0]?.status, 'explored');
    assert.ok(steps.length >= 3);
    assert.doesNotMatch(JSON.stringify(steps), /dead.air|nothing listens/i);
    const plan = await client.call('planCalls', { mappingId: id });
    assert.deepEqual([plan.refusal?.code, plan.needsConsent], ['practice_stopped', false]);
  }

  it('interrupts its mapping, keeps its address, and continues the same mapping without consent', async () => {
    const data = await fixture.folder();
    const file = join(await fixture.folder(), 'shop.ivr.json');
    await writeFile(file, JSON.stringify(shop));
    const first = await practise(file);
    let service = await serve(data);
    const { id } = await service.client.call('createMapping', { phoneNumber: first.uri, name: shop.name });
    await mapHalf(service.client, id);
    await first.child.kill();
    await assertInterrupted(service.client, id);
    await assert.rejects(service.client.call('startMapping', { id }), {
      status: 400,
      code: 'practice_stopped',
      details: { file },
    });

    const second = await practise(file);
    assert.equal(second.uri, first.uri);
    await mapHalf(service.client, id);
    await service.child.kill();
    await second.child.kill();
    service = await serve(data);
    await assertInterrupted(service.client, id);

    blocker = createSocket('udp4');
    blocker.bind(first.port, '127.0.0.1');
    await once(blocker, 'listening');
    const third = await practise(file);
    assert.notEqual(third.port, first.port);
    assert.deepEqual(third.addresses, [third.uri, first.uri]);
    await service.client.call('startMapping', { id });
    const { currentRun, phoneNumber } = await service.client.waitForRun(id);
    assert.deepEqual([currentRun?.status, phoneNumber], ['completed', first.uri], currentRun?.reason);
    const { steps = [] } = await service.client.call('getMappingTree', { id, format: 'flat' });
    assert.deepEqual(
      steps.map(({ status }) => status),
      ['explored', 'explored', 'explored'],
    );
    assert.deepEqual((await service.client.call('listConsents', {})).items, []);
  });
});
