import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { RunResults } from '../../src/contract/testRuns.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const lab = '+12025550101';

describe('service: requests that wait', () => {
  const fixture = new ServiceFixture();
  let calls = new ScriptedCalls();
  let client: DialtreeClient;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let agent: Client;
  beforeEach(async () => {
    calls = new ScriptedCalls();
    service = await fixture.start({ parts: { perform: calls.perform } });
    ({ client } = service);
    agent = await connectAgent(service);
  });
  afterEach(async () => {
    await agent.close();
    await fixture.close();
  });

  const launch = async (): Promise<string> => {
    const { items } = await client.call('runTest', { configId: randomUUID(), test: scriptInput(lab) });
    return items[0]?.id ?? '';
  };
  const structured = (result: unknown): RunResults => (result as { structuredContent: RunResults }).structuredContent;

  it('answer a launch and a reading over REST when the run has ended', async () => {
    const launched = client.call('runTest', { configId: randomUUID(), test: scriptInput(lab), waitSeconds: 45 });
    (await calls.next()).end({ outcome: 'FAIL' });
    const { items } = await launched;
    assert.deepEqual(
      items.map(({ status, outcome }) => [status, outcome]),
      [['completed', 'FAIL']],
    );
    const runId = await launch();
    const reading = client.call('getRunResults', { runId, waitSeconds: 45 });
    (await calls.next()).end();
    assert.equal((await reading).outcome, 'PASS');
  });

  it('answer when a mapping has ended, from its launch to its tree', async () => {
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    const launched = agent.callTool({ name: 'startMapping', arguments: { id, waitSeconds: 45 } });
    const run = await fixture.crawl.next();
    run.found(rootNode(), leafNode('1'));
    run.end();
    const { status } = (await launched).structuredContent as { readonly status: string };
    assert.equal(status, 'idle');
    const tree = await client.call('getMappingTree', { id, waitSeconds: 45 });
    assert.ok('status' in tree && tree.status === 'completed');
  });

  it('stream rising progress to a client that asks for it, without what was heard', async () => {
    const runId = await launch();
    const call = await calls.next();
    const shown: { progress: number; message?: string | undefined }[] = [];
    const reading = agent.callTool({ name: 'getRunResults', arguments: { runId, waitSeconds: 45 } }, undefined, {
      onprogress: (progress) => shown.push(progress),
    });
    while (shown.length < 1) await setImmediate();
    call.heard('Your secret is 4711.');
    call.events.push({ type: 'step', index: 0, result: { name: 'dial', outcome: 'PASS' } });
    while (shown.length < 2) await setImmediate();
    call.end();
    assert.equal(structured(await reading).outcome, 'PASS');
    assert.deepEqual(
      shown.map(({ progress, message }) => [progress, message]),
      [
        [0, '0 steps so far'],
        [1, '1 step so far'],
      ],
    );
  });

  it('end when their client cancels them or leaves, while the run continues', async () => {
    const runId = await launch();
    const call = await calls.next();
    for (const onprogress of [undefined, () => undefined]) {
      const cancelled = new AbortController();
      const reading = agent.callTool({ name: 'getRunResults', arguments: { runId, waitSeconds: 45 } }, undefined, {
        signal: cancelled.signal,
        ...(onprogress && { onprogress }),
      });
      await waiting(1);
      cancelled.abort();
      await assert.rejects(reading);
      await waiting(0);
    }
    const leaving = new AbortController();
    const reading = fetch(`${service.baseUrl}/testing/runs/${runId}?waitSeconds=45`, {
      headers: { 'x-api-key': service.apiKey },
      signal: leaving.signal,
    });
    await waiting(1);
    leaving.abort();
    await assert.rejects(reading);
    await waiting(0);
    assert.equal((await client.call('getRunResults', { runId })).status, 'running');
    call.end();
  });

  it("don't cancel the calls of another client with the same key and request id", async () => {
    const other = await connectAgent(service);
    const runId = await launch();
    const call = await calls.next();
    // Both clients count their requests alike.
    const cancelled = new AbortController();
    const one = agent.callTool({ name: 'getRunResults', arguments: { runId, waitSeconds: 45 } }, undefined, {
      signal: cancelled.signal,
    });
    const theOther = other.callTool({ name: 'getRunResults', arguments: { runId, waitSeconds: 45 } });
    await waiting(2);
    cancelled.abort();
    await assert.rejects(one);
    await waiting(1);
    call.end();
    assert.equal(structured(await theOther).outcome, 'PASS');
    await other.close();
  });

  it('refuse a wait outside its bounds, and place no call', async () => {
    for (const waitSeconds of [-1, 46, 1.5]) {
      const refused = client.call('runTest', { configId: randomUUID(), test: scriptInput(lab), waitSeconds });
      await assert.rejects(refused, { status: 400, code: 'invalid_request' });
    }
    assert.deepEqual((await client.call('listTestRuns', {})).items, []);
  });

  it('end when the service stops', async () => {
    const runId = await launch();
    await calls.next();
    const reading = client.call('getRunResults', { runId, waitSeconds: 45 }).catch((error: unknown) => error);
    await waiting(1);
    await service.close();
    assert.ok(await reading);
  });

  /** Resolves when this many requests are open. */
  const waiting = async (wanted: number): Promise<void> => {
    const metrics = `${service.baseUrl.replace(/\/v1$/, '')}/metrics`;
    // The scrape itself is open, too.
    const open = async (): Promise<number> =>
      Number(/^dialtree_http_requests_open (\d+)/m.exec(await (await fetch(metrics)).text())?.[1]) - 1;
    while ((await open()) !== wanted) await setImmediate();
  };
});
