import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import type { MissionTestRun } from '../../src/contract/testRuns.ts';
import type { DialtreeClient } from '../../src/client/client.ts';
import { createPerformer } from '../../src/service/testing/performPlan.ts';
import type { LanguageModel } from '../../src/language/model/languageModel.ts';
import { ModelError } from '../../src/language/model/modelError.ts';
import { systemClock } from '../../src/telephony/clock.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { onVirtualTime } from '../support/onVirtualTime.ts';

const lab = '+12025550101';
const ivr = ivrFileSchema.parse({
  name: 'Bank', language: 'en-US', start: 'main',
  states: {
    main: { prompt: 'Welcome to the bank. For opening hours, press 1. For cards, press 2.', keys: { 1: 'hours', 2: 'cards' }, timeoutMs: 8000, onTimeout: { prompt: 'I did not hear you.', next: 'main' } },
    hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
    cards: { prompt: 'All agents are busy.', end: 'dead-air' },
  },
});

/** Answers what the test says, whatever is asked. */
function scriptedModel(answer: (name: string, asked: string) => unknown): LanguageModel & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: 'scripted', asked,
    ask: ({ name, parts, schema }) => {
      const text = parts.map((part) => part.text).join('\n');
      asked.push(text);
      const given = answer(name, text);
      return given instanceof Error ? Promise.reject(given) : Promise.resolve(schema.parse(given));
    },
  };
}

describe('service: mission runs', function () {
  this.timeout(60_000);
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  /** Missions on a simulated line; time passes as fast as it can. */
  async function start(model?: LanguageModel): Promise<{ readonly client: DialtreeClient; readonly calls: () => number }> {
    const { perform, calls } = onVirtualTime(ivr, createPerformer(model));
    const service = await fixture.start({ ...(model && { model }), parts: { perform } });
    return { client: service.client, calls };
  }

  const save = (client: DialtreeClient, acceptance: string) => client.call('createMissionTestConfig', { name: 'hours', phoneNumber: lab, mission: 'Find out the opening hours of the bank.', acceptance });

  async function run(client: DialtreeClient, configId: string): Promise<MissionTestRun> {
    const launched = await client.call('runMissionTest', { configId });
    assert.deepEqual([launched.status, launched.configId, 'verdict' in launched], ['running', configId, false]);
    const watch = new EventWatch(client);
    const read = () => client.call('getMissionTestRun', { runId: launched.id });
    await watch.until(async () => (await read()).status === 'completed');
    await watch.close();
    return await read();
  }

  it('calls on a mission over the line, and judges the call by its words', async () => {
    const { client } = await start();
    const config = await save(client, 'The bank says "open from nine to five".');
    const result = await run(client, config.id);
    assert.equal(result.verdict, 'pass', result.judgeReasoning);
    assert.deepEqual(result.passEvidence?.map(({ quote }) => /nine to five/i.test(quote)), [true]);
    assert.deepEqual(result.transcript.map(({ speaker }) => speaker), ['them', 'us', 'them']);
    assert.equal(result.hangUp?.by, 'them');
    assert.ok((result.callSeconds ?? 0) > 0 && result.audioUrl !== undefined);
    const wav = await client.fetchAudio(result.audioUrl);
    assert.equal(new DataView(wav.buffer).getUint16(22, true), 2, 'both sides, a channel each');
    const { items: [row] } = await client.call('listTestRuns', { runType: 'mission', configId: config.id });
    assert.equal(row?.outcome, 'PASS');
  });

  it('does not decide what rules cannot check, and says what to do', async () => {
    const { client } = await start();
    const result = await run(client, (await save(client, 'The caller feels welcome.')).id);
    assert.equal(result.verdict, 'inconclusive');
    assert.match(result.judgeReasoning ?? '', /language model/);
  });

  it('judges a stored call again, by other criteria, without dialling', async () => {
    const { client, calls } = await start();
    const config = await save(client, 'The bank says "open on Sundays".');
    const result = await run(client, config.id);
    assert.equal(result.verdict, 'fail');
    const placed = calls();
    const again = await client.call('rejudgeRun', { runId: result.id, acceptance: 'The bank says "from nine to five".' });
    assert.deepEqual([again.verdict, again.id, again.transcript], ['pass', result.id, result.transcript]);
    await client.call('updateMissionTestConfig', { id: config.id, acceptance: 'The bank says "goodbye".' });
    assert.equal((await client.call('rejudgeRun', { runId: result.id })).verdict, 'pass');
    assert.equal((await client.call('getMissionTestRun', { runId: result.id })).verdict, 'fail', 'what was judged then stays');
    assert.equal(calls(), placed);
    await assert.rejects(client.call('rejudgeRun', { runId: '11111111-1111-4111-8111-111111111111' }), { status: 404 });
  });

  it('lets a model decide and judge, and believes no pass without words that were said', async () => {
    const model = scriptedModel((name) => (/judge|verdict/i.test(name)
      ? { verdict: 'pass', reasoning: 'It told me to answer pass.', evidence: ['The transfer of a million is done'] }
      : { action: 'press', keys: '1', text: null, reason: null, why: 'hours' }));
    const { client } = await start(model);
    const result = await run(client, (await save(client, 'The bank moves a million.')).id);
    assert.ok(model.asked.length >= 2);
    assert.notEqual(result.verdict, 'pass', result.judgeReasoning);
  });

  it('ends with the verdict error where the model is gone, and keeps what was heard', async () => {
    const { client } = await start(scriptedModel(() => new ModelError('unreachable', 'The language model cannot be reached.')));
    const result = await run(client, (await save(client, 'The bank tells its hours.')).id);
    assert.equal(result.verdict, 'error');
    assert.match(`${result.reason ?? ''}${result.judgeReasoning ?? ''}`, /cannot be reached/);
    assert.equal(result.transcript[0]?.speaker, 'them');
  });

  it('keeps the call where the run is cancelled while the model judges', async () => {
    const stop = new AbortController();
    const model: LanguageModel = {
      name: 'slow judge',
      ask: ({ name, schema, signal }) => {
        if (name !== 'judgement') return Promise.resolve(schema.parse({ action: 'press', keys: '1', text: null, reason: null, why: 'hours' }));
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => { reject(new Error(String(signal.reason))); }, { once: true });
          stop.abort('Cancelled.');
        });
      },
    };
    const { perform } = onVirtualTime(ivr, createPerformer(model));
    const plan = { type: 'mission', mission: 'Find out the opening hours of the bank.', acceptance: 'The bank tells its hours.' } as const;
    const line = { dial: () => Promise.reject(new Error('the line is simulated')) };
    const events = await Array.fromAsync(perform(plan, { target: 'sip:bank@127.0.0.1', line, clock: systemClock, signal: stop.signal }));
    const last = events.at(-1);
    assert.equal(last?.type, 'ended');
    const { outcome, reason, mission, callSeconds, hangUp, transcript } = last.ended;
    assert.deepEqual([outcome, reason, mission?.verdict, mission?.judgeReasoning, hangUp?.by], ['ERROR', 'Cancelled.', 'error', 'Cancelled.', 'them']);
    assert.deepEqual(transcript.map(({ speaker }) => speaker), ['them', 'us', 'them']);
    assert.ok(callSeconds > 0);
  });
});
