import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { RunResults } from '../../src/contract/testRuns.ts';
import { openReceivePoint } from '../../src/engine/probe/receivePoint.ts';
import type { ReceiveOptions } from '../../src/engine/probe/receivePoint.ts';
import { placePracticeCall } from '../../src/practice/caller.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import type { OpenDialer } from '../../src/service/runs/sharedDialer.ts';
import { createPerformer } from '../../src/service/testing/performPlan.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import { endOf, until } from '../support/legEvents.ts';
import { quietSpeech } from '../support/quietSpeech.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';

/** A number of the public network, without consent and without a route: the caller's. */
const theirs = '+442079460000';
const callerOf = (id: string, kind: 'pass' | 'fail'): string =>
  fileURLToPath(new URL(`../fixtures/compliance/${id}.${kind}.ivr.json`, import.meta.url));

/** A service that takes calls over real SIP, with this speech. */
const receiving = (
  options: ReceiveOptions,
): { readonly openDialer: () => Promise<OpenDialer>; readonly perform: ReturnType<typeof createPerformer> } => ({
  openDialer: () =>
    Promise.resolve({
      dialer: { dial: () => Promise.reject(new Error('nothing is dialled')) },
      receive: () => openReceivePoint(options),
      register: () => assert.fail('no line registers'),
      close: () => Promise.resolve(),
    }),
  perform: createPerformer(),
});

const watches = new Set<EventWatch>();
/** They reconnect forever, even if their test failed. */
const closeWatches = async (): Promise<void> => {
  const open = [...watches];
  watches.clear();
  await Promise.all(open.map((watch) => watch.close()));
};
function watchOf(client: DialtreeClient): EventWatch {
  const watch = new EventWatch(client);
  watches.add(watch);
  return watch;
}

/** A launched run, its address, and its end. */
class Awaited {
  readonly address: string;
  readonly runId: string;
  readonly #client: DialtreeClient;
  readonly #watch: EventWatch;

  constructor(client: DialtreeClient, watch: EventWatch, runId: string, address: string) {
    this.#client = client;
    this.#watch = watch;
    this.runId = runId;
    this.address = address;
  }

  static async launch(client: DialtreeClient, catalogueTestId: string): Promise<Awaited> {
    const watch = watchOf(client);
    await watch.ready;
    const launched = await client.call('runComplianceTest', { phoneNumber: theirs, catalogueTestId });
    assert.deepEqual([launched.status, launched.phoneNumber], ['running', theirs]);
    let results: RunResults | undefined;
    await watch.until(async () => {
      results = await client.call('getRunResults', { runId: launched.id });
      return results.awaitsCallAt !== undefined || results.status === 'completed';
    });
    assert.ok(results?.awaitsCallAt, results?.reason);
    return new Awaited(client, watch, launched.id, results.awaitsCallAt);
  }

  async ended(): Promise<RunResults> {
    let results: RunResults | undefined;
    await this.#watch.until(async () => {
      results = await this.#client.call('getRunResults', { runId: this.runId });
      return results.status === 'completed';
    });
    assert.ok(results);
    assert.equal(results.awaitsCallAt, undefined, 'the address is told only while it is open');
    return results;
  }
}

describe('service: probes that wait for an incoming call, with real speech', function () {
  const fixture = new ServiceFixture();
  let speech: SpeechEngine;
  before(async () => {
    speech = createSpeechEngine({
      assetsDir: fileURLToPath(new URL('../../.assets/speech', import.meta.url)),
      workerUrl: new URL('../../src/speech/worker.ts', import.meta.url),
    });
    await speech.warm();
  });
  afterEach(async () => {
    await closeWatches();
    await fixture.close();
  });
  after(() => speech.close());

  // The others differ only in their words, so they run in virtual time.
  const cases = ['ai-voice-adad', 'tsr-abandon'].flatMap(
    (id) =>
      [
        [id, 'pass', 'PASS'],
        [id, 'fail', 'FAIL'],
      ] as const,
  );
  for (const [index, [id, kind, outcome]] of cases.entries()) {
    const tag = index === 0 ? '' : ' @full';
    it(`${id}: answers, listens, and finds that it ${kind === 'pass' ? 'passes' : 'fails'}${tag}`, async () => {
      const { client } = await fixture.start({ parts: receiving({ speech }) });
      const run = await Awaited.launch(client, id);
      assert.match(run.address, /^sip:probe-[0-9a-f]{32}@127\.0\.0\.1:\d+$/);
      await placePracticeCall(run.address, await loadIvr(callerOf(id, kind)), { speech });
      const results = await run.ended();
      assert.equal(results.outcome, outcome, JSON.stringify(results, null, 1));
      assert.equal(results.transcript?.[0]?.text, 'Hello?');
      const shown = results.steps.filter((step) => step.outcome === outcome);
      assert.ok(shown.length > 0);
      for (const step of shown)
        assert.ok((step.transcript ?? '') !== '' && step.startMs !== undefined, JSON.stringify(step));
      assert.ok(results.audioUrl);
      assert.match(results.hangUp?.sentence ?? '', /hung up/);
      assert.equal(results.postDialMs, undefined);
    });
  }
});

describe('service: probes that wait for an incoming call', function () {
  const fixture = new ServiceFixture();
  const agents: SipAgent[] = [];
  afterEach(async () => {
    await closeWatches();
    await Promise.all(agents.splice(0).map((agent) => agent.close()));
    await fixture.close();
  });
  async function caller(): Promise<SipAgent> {
    const agent = await startSipAgent({ host: '127.0.0.1' });
    agents.push(agent);
    return agent;
  }
  const quiet = (options: Partial<ReceiveOptions> = {}) => ({
    parts: receiving({ speech: quietSpeech(), ringMs: 0, ...options }),
  });

  it('show the address immediately, need neither route nor consent, and withdraw the address when the call comes', async () => {
    const { client } = await fixture.start({ ...quiet(), routes: {} });
    await assert.rejects(
      client.call('runComplianceTest', { phoneNumber: theirs, catalogueTestId: 'ai-disclose-start' }),
      { code: 'no_route' },
    );
    const run = await Awaited.launch(client, 'tsr-abandon');
    assert.equal((await client.call('listTestRuns', { runType: 'compliance' })).items[0]?.status, 'running');
    const agent = await caller();
    const wrong = agent.call(run.address.replace(/probe-\w+/, 'probe-0'));
    assert.equal((await endOf(wrong)).status, 404);
    const leg = agent.call(run.address);
    await until(leg, 'answered');
    const again = agent.call(run.address);
    assert.equal((await endOf(again)).kind, 'busy');
    await watchOf(client).until(
      async () => (await client.call('getRunResults', { runId: run.runId })).awaitsCallAt === undefined,
    );
    const atOnce = endOf(leg);
    await leg.hangup();
    assert.equal((await atOnce).kind, 'hangup');
    const results = await run.ended();
    assert.equal(results.hangUp?.by, 'them');
    assert.equal(results.transcript?.[0]?.text, 'Hello?');
    assert.ok(results.audioUrl !== undefined && (results.callSeconds ?? 0) > 0);
    const late = agent.call(run.address);
    assert.equal((await endOf(late)).kind, 'unreachable', 'the port is closed');
  });

  it('end as inconclusive if no call comes in time, and say what to do', async () => {
    const { client } = await fixture.start(quiet({ waitSeconds: 2 }));
    const results = await (await Awaited.launch(client, 'tcpa-id')).ended();
    assert.deepEqual(
      [results.outcome, results.callSeconds, results.steps.map(({ outcome }) => outcome)],
      ['INCONCLUSIVE', 0, ['INCONCLUSIVE', 'INCONCLUSIVE']],
    );
    assert.match(
      results.reason ?? '',
      /No call came to sip:probe-\w+@127\.0\.0\.1:\d+ within 2 s\. Run the probe again/,
    );
  });
});
