import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DialtreeClient } from '../../src/client/client.ts';
import { ServiceFixture, EventWatch } from '../support/serviceFixture.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

describe('service: killed mid-run', function () {
  const fixture = new ServiceFixture();
  const processes: JsonProcess[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await fixture.close();
  });

  async function launch(dataDir: string, plan: 'hang' | 'finish') {
    const child = new JsonProcess(new URL('../support/serviceChild.ts', import.meta.url), [dataDir, plan]);
    processes.push(child);
    const { baseUrl, apiKey, owner } = await child.line('ready');
    assert.equal(owner, true);
    return { child, client: new DialtreeClient({ baseUrl: String(baseUrl), apiKey: String(apiKey) }) };
  }

  /** Lets a run find a root and three leaves and begin a fourth, then kills the process. */
  async function interrupt(dataDir: string): Promise<string> {
    const { child, client } = await launch(dataDir, 'hang');
    const { id } = await client.call('createMapping', { phoneNumber: 'sip:practice@127.0.0.1:5070' });
    const watch = new EventWatch(client);
    await watch.ready;
    await client.call('startMapping', { id });
    await watch.until(async () => (await client.call('getMappingTree', { id, format: 'flat' })).steps?.length === 5);
    assert.equal(await child.kill(), null);
    await watch.close();
    return id;
  }

  it('loses no finished node, and continues from there at the next start', async () => {
    const dataDir = await fixture.folder();
    const id = await interrupt(dataDir);
    const { child, client } = await launch(dataDir, 'finish');
    const { resume } = await child.line('crawl');
    assert.deepEqual(resume, [
      { id: 'root', status: 'explored', fingerprint: [1, 2, 3, 250] },
      { id: 'leaf-1', status: 'explored' },
      { id: 'leaf-2', status: 'explored' },
      { id: 'leaf-3', status: 'explored' },
      { id: 'leaf-4', status: 'pending' },
    ]);
    const job = await client.waitForRun(id);
    assert.equal(job.currentRun?.status, 'completed');
    assert.equal(job.currentRun.runNumber, 1);
    assert.equal(job.stats?.callsPlaced, 5, 'calls before and after the crash');
    const { steps } = await client.call('getMappingTree', { id, format: 'flat' });
    assert.deepEqual(
      steps?.map((step) => [step.stepId, step.status, step.audioUrl !== undefined]),
      [
        ['root', 'explored', false],
        ['leaf-1', 'explored', true],
        ['leaf-2', 'explored', true],
        ['leaf-3', 'explored', true],
        ['leaf-4', 'explored', false],
      ],
    );
    assert.equal(await child.kill('SIGTERM'), 0);
  });

  it('keeps what a test heard before the service was killed', async () => {
    const dataDir = await fixture.folder();
    const { child, client } = await launch(dataDir, 'hang');
    const { id: configId } = await client.call('createTestConfig', {
      name: 'hold',
      phoneNumber: '+12025550101',
      steps: [
        { name: 'call', action: { type: 'dial' } },
        { name: 'wait', action: { type: 'wait', seconds: 60 } },
      ],
    });
    const watch = new EventWatch(client);
    await watch.ready;
    const [run] = (await client.call('runTest', { configId })).items;
    const runId = run?.id ?? '';
    await watch.until(async () => (await client.call('getRunResults', { runId })).transcript?.length === 1);
    await child.kill();
    await watch.close();
    const again = await launch(dataDir, 'hang');
    const results = await again.client.waitForTestRun(runId);
    assert.deepEqual([results.outcome, results.transcript?.map(({ text }) => text)], ['ERROR', ['Please hold.']]);
    assert.match(results.reason ?? '', /ended unexpectedly/);
    assert.equal(await again.child.kill('SIGTERM'), 0);
  });

  it('ends a guided run, and carries out none of its steps again', async () => {
    const dataDir = await fixture.folder();
    const { child, client } = await launch(dataDir, 'hang');
    const watch = new EventWatch(client);
    await watch.ready;
    const launched = await client.call('runTest', {
      configId: randomUUID(),
      test: scriptInput('+12025550101'),
      guided: true,
    });
    const runId = launched.items[0]?.id ?? '';
    await watch.until(async () => (await client.call('getRunResults', { runId })).transcript?.length === 1);
    const step = { name: 'pay', action: { type: 'press' as const, keys: '1' } };
    await client.call('guideTestRun', { runId, step });
    await child.kill();
    await watch.close();
    const again = await launch(dataDir, 'hang');
    const { outcome, endedBy, steps } = await again.client.waitForTestRun(runId);
    assert.deepEqual([outcome, endedBy, steps], ['ERROR', 'crash', []]);
    await assert.rejects(again.client.call('guideTestRun', { runId, step }), { status: 409, code: 'already_ended' });
    assert.equal(await again.child.kill('SIGTERM'), 0);
  });

  it('gives up a run after two resumptions, with its reason, and keeps what it found @full', async () => {
    const dataDir = await fixture.folder();
    const id = await interrupt(dataDir);
    for (let resumption = 0; resumption < 2; resumption += 1) {
      const { child } = await launch(dataDir, 'hang');
      await child.line('crawl');
      await child.kill();
    }
    const { client } = await launch(dataDir, 'finish');
    const job = await client.waitForRun(id);
    assert.equal(job.currentRun?.status, 'failed');
    assert.match(job.currentRun.reason ?? '', /ended unexpectedly/);
    const { steps } = await client.call('getMappingTree', { id, format: 'flat' });
    assert.deepEqual(
      steps?.map((step) => step.status),
      ['explored', 'explored', 'explored', 'explored', 'skipped'],
    );
  });

  it('has one owner per folder; later processes get its address, and take over once it has gone', async () => {
    const dataDir = await fixture.folder();
    const { child, client } = await launch(dataDir, 'hang');
    const second = await fixture.start({ dataDir });
    assert.equal(second.owner, false);
    const { id } = await second.client.call('createMapping', { phoneNumber: '+12025550101' });
    await second.close();
    assert.equal((await client.call('getMapping', { id })).id, id);
    await child.kill();
    const third = await fixture.start({ dataDir });
    assert.equal(third.owner, true);
    assert.equal(third.apiKey, second.apiKey);
    assert.equal((await third.client.call('getMapping', { id })).id, id);
  });
});
