import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { DialtreeClient } from '../../src/client/client.ts';
import { serverLimits } from '../../src/contract/limits.ts';
import { eventually } from '../support/eventually.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls, type ScriptedCall } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

/** A call whose sound counts its own milliseconds. */
class CountingCall {
  ms = 0;
  isOver = false;
  now(): number {
    return this.ms;
  }
  read(fromMs: number, toMs: number): Int16Array<ArrayBuffer> {
    return Int16Array.from({ length: (toMs - fromMs) * 8 }, (_none, at) => fromMs + Math.floor(at / 8));
  }
}

describe('service: live sound', () => {
  const fixture = new ServiceFixture();
  let client: DialtreeClient, runId: string, call: ScriptedCall, sound: CountingCall;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  afterEach(() => fixture.close());
  beforeEach(async () => {
    const calls = new ScriptedCalls();
    service = await fixture.start({ parts: { perform: calls.perform } });
    ({ client } = service);
    const test = scriptInput('+12025550101');
    runId = (await client.call('runTest', { configId: randomUUID(), test })).items[0]?.id ?? '';
    call = await calls.next();
    sound = new CountingCall();
  });
  const next = async (heard: AsyncGenerator<Int16Array>): Promise<number[] | undefined> => {
    const { done, value } = await heard.next();
    return done === true ? undefined : [...new Set(value)];
  };

  it('lasts from the answer to the end of the call, for a key that can read the run', async () => {
    const [one, two] = [client.sound(runId), client.sound(runId)];
    const firsts = [next(one), next(two)];
    call.options.onSound?.(sound);
    // Both begin at what is heard then, so the sound continues until they have begun.
    const timer = setInterval(() => (sound.ms += 40), 20);
    const [begun] = (await Promise.all(firsts)).map((part) => part?.[0] ?? -1);
    assert.ok((begun ?? -1) >= 0);
    const counted = [...((await next(one)) ?? []), ...((await next(one)) ?? [])];
    clearInterval(timer);
    assert.ok(counted.length >= 80 && new Set(counted).size === counted.length, 'whole samples, each once');
    sound.isOver = true;
    for (const heard of [one, two]) while ((await next(heard)) !== undefined);

    const response = await fetch(`${service.baseUrl}/testing/runs/${runId}/sound`, {
      headers: { 'x-api-key': service.apiKey },
    });
    assert.equal(response.headers.get('content-type'), 'audio/L16;rate=8000;channels=1');
    assert.equal(await response.text(), '');
    const stranger = service.clientOf((await client.call('registerWorkspace', {})).apiKey);
    await assert.rejects(stranger.sound(runId).next(), { status: 404 });
    const { apiKey } = await client.call('createApiKey', { name: 'maps only', scopes: ['mapping:read'] });
    await assert.rejects(service.clientOf(apiKey).sound(runId).next(), { status: 403, code: 'missing_scope' });
    call.end();
    await eventually(client, async () => (await client.call('getRunResults', { runId })).status === 'completed');
    await assert.rejects(client.sound(runId).next(), { status: 409, code: 'not_on_call' });
  });

  it('has up to five listeners, and ends for one that leaves or whose key is revoked', async () => {
    const open = (apiKey: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`${service.baseUrl}/testing/runs/${runId}/sound`, {
        headers: { 'x-api-key': apiKey },
        ...(signal && { signal }),
      });
    const leaving = new AbortController();
    const { apiKey, id } = await client.call('createApiKey', { name: 'listens', scopes: ['testing:read'] });
    const revoked = await open(apiKey);
    await open(service.apiKey, leaving.signal);
    const headers = { 'x-api-key': service.apiKey };
    await fetch(`${service.baseUrl}/testing/runs/${runId}/sound`, { method: 'HEAD', headers });
    for (let listeners = 2; listeners < serverLimits.sound.perRun; listeners += 1) await open(service.apiKey);
    await assert.rejects(client.sound(runId).next(), { status: 429, code: 'too_many_streams' });
    leaving.abort();
    await eventually(client, async () => (await open(service.apiKey)).ok);
    await client.call('revokeApiKey', { id });
    assert.equal(await revoked.text(), '');
  });
});
