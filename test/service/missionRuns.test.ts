import assert from 'node:assert/strict';
import { scriptedModel } from '../support/scriptedModel.ts';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import type { MissionTestRun } from '../../src/contract/testRuns.ts';
import type { DialtreeClient } from '../../src/client/client.ts';
import { createPerformer } from '../../src/service/testing/performPlan.ts';
import type { LanguageModel } from '../../src/language/model/languageModel.ts';
import { ModelError } from '../../src/language/model/modelError.ts';
import { systemClock } from '../../src/base/clock.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { onVirtualTime } from '../support/onVirtualTime.ts';
import { eventually } from '../support/eventually.ts';
import { refused } from '../support/refused.ts';
import { missionInput } from '../support/savedInputs.ts';

const lab = '+12025550101';
const ivr = ivrFileSchema.parse({
  name: 'Bank',
  language: 'en-US',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the bank. For opening hours, press 1. For cards, press 2.',
      keys: { 1: 'hours', 2: 'cards' },
      timeoutMs: 8000,
      onTimeout: { prompt: 'I did not hear you.', next: 'main' },
    },
    hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
    cards: { prompt: 'All agents are busy.', end: 'dead-air' },
  },
});

const asked = (model: ReturnType<typeof scriptedModel>): string[] =>
  model.asks.map(({ parts }) => parts.map((part) => part.text).join('\n'));

describe('service: mission runs', function () {
  const fixture = new ServiceFixture();
  /** Serves missions without a model. */
  let byRules: Awaited<ReturnType<typeof start>>;
  before(async () => {
    byRules = await start();
  });
  after(() => fixture.close());

  /** Missions on a simulated line, in virtual time. */
  async function start(
    model?: LanguageModel,
  ): Promise<{ readonly client: DialtreeClient; readonly calls: () => number }> {
    const { perform, calls } = onVirtualTime(ivr, createPerformer());
    const service = await fixture.start({ ...(model && { model }), parts: { perform } });
    return { client: service.client, calls };
  }

  const save = (client: DialtreeClient, acceptance: string) =>
    client.call('createMissionTestConfig', missionInput(lab, { acceptance }));

  async function run(client: DialtreeClient, configId: string): Promise<MissionTestRun> {
    const launched = await client.call('runMissionTest', { configId });
    assert.deepEqual([launched.status, launched.configId, 'verdict' in launched], ['running', configId, false]);
    const read = () => client.call('getMissionTestRun', { runId: launched.id });
    await eventually(client, async () => (await read()).status === 'completed');
    return await read();
  }

  it('calls with a mission, and judges the call by its words', async () => {
    const { client } = byRules;
    const config = await save(client, 'The bank says "open from nine to five".');
    const result = await run(client, config.id);
    assert.equal(result.verdict, 'pass', result.judgeReasoning);
    assert.deepEqual(
      result.passEvidence?.map(({ quote }) => /nine to five/i.test(quote)),
      [true],
    );
    assert.deepEqual(
      result.transcript.map(({ speaker }) => speaker),
      ['them', 'us', 'them'],
    );
    assert.equal(result.hangUp?.by, 'them');
    assert.ok((result.callSeconds ?? 0) > 0 && result.audioUrl !== undefined);
    const wav = await client.fetchAudio(result.audioUrl);
    assert.deepEqual(await client.fetchAudioPart(result.audioUrl, 40, 100), {
      wav: wav.slice(40, 140),
      total: wav.length,
    });
    assert.equal(new DataView(wav.buffer).getUint16(22, true), 2, 'both sides, a channel each');
    const [row] = (await client.call('listTestRuns', { runType: 'mission', configId: config.id })).items;
    assert.equal(row?.outcome, 'PASS');
  });

  it('shows the failure in its steps', async () => {
    const { client } = byRules;
    const result = await run(client, (await save(client, 'The bank says "open on Sundays".')).id);
    const { outcome, steps } = await client.call('getRunResults', { runId: result.id });
    assert.equal(outcome, 'FAIL');
    assert.deepEqual(steps.at(-1), {
      name: 'verdict',
      outcome: 'FAIL',
      reason: result.judgeReasoning,
      reasonParts: result.judgeReasoningParts,
    });
    assert.ok(steps.slice(0, -1).every(({ name }) => name === 'us' || name === 'them'));
  });

  it('judges a stored call again, by other criteria, without dialling', async () => {
    const { client, calls } = byRules;
    const config = await save(client, 'The bank says "open on Sundays".');
    const result = await run(client, config.id);
    assert.equal(result.verdict, 'fail');
    const placed = calls();
    const again = await client.call('rejudgeRun', {
      runId: result.id,
      acceptance: 'The bank says "from nine to five".',
    });
    assert.deepEqual([again.verdict, again.id, again.transcript], ['pass', result.id, result.transcript]);
    await client.call('updateMissionTestConfig', { id: config.id, acceptance: 'The bank says "goodbye".' });
    assert.equal((await client.call('rejudgeRun', { runId: result.id })).verdict, 'pass');
    assert.equal(
      (await client.call('getMissionTestRun', { runId: result.id })).verdict,
      'fail',
      'what was judged then stays',
    );
    assert.equal(calls(), placed);
    await assert.rejects(client.call('rejudgeRun', { runId: '11111111-1111-4111-8111-111111111111' }), { status: 404 });
  });

  it('ends with the verdict error if the model is unavailable, and keeps what was heard', async () => {
    const { client } = await start(
      scriptedModel(() => new ModelError('unreachable', 'The language model cannot be reached.')),
    );
    const result = await run(client, (await save(client, 'The bank tells its hours.')).id);
    assert.equal(result.verdict, 'error');
    assert.match(`${result.reason ?? ''}${result.judgeReasoning ?? ''}`, /cannot be reached/);
    assert.equal(result.transcript[0]?.speaker, 'them');
  });

  const pressed = { action: 'press', keys: '1', text: null, reason: null, why: 'hours' };

  it('plans a mission with the parts of its criterion that only a model can judge, if there is no model', async () => {
    const acceptance = 'The agent is polite. The line says "we are open".';
    const mission = missionInput(lab, { acceptance });
    const { id } = await save(byRules.client, acceptance);
    for (const subject of [{ mission }, { missionConfigId: id }]) {
      const { unjudged, asChecks } = await byRules.client.call('planCalls', subject);
      assert.deepEqual(unjudged, ['The agent is polite']);
      assert.deepEqual(asChecks, { checks: [{ kind: 'says', text: 'we are open' }], rest: 'The agent is polite.' });
    }
    const decidable = { mission: { ...mission, acceptance: 'The line says "we are open".' } };
    assert.equal((await byRules.client.call('planCalls', decidable)).unjudged, undefined);
    const { client } = await start(scriptedModel(() => assert.fail('asked')));
    assert.equal((await client.call('planCalls', { mission })).unjudged, undefined);
  });

  it('stores, limits and clears the votes and the turn limit', async () => {
    const { client } = byRules;
    const bounds = { votes: 2, maxTurns: 3, maxSeconds: 60 };
    const config = await client.call('createMissionTestConfig', missionInput(lab, bounds));
    assert.deepEqual(await client.call('getMissionTestConfig', { id: config.id }), { ...config, ...bounds });
    const planned = await client.call('planCalls', { missionConfigId: config.id });
    const {
      votes: _votes,
      maxTurns: _turns,
      maxSeconds: _seconds,
      ...without
    } = await client.call('updateMissionTestConfig', { id: config.id, votes: null, maxTurns: null, maxSeconds: null });
    assert.deepEqual(await client.call('getMissionTestConfig', { id: config.id }), without);
    assert.equal(
      (await client.call('planCalls', { missionConfigId: config.id })).secondsAtMost - planned.secondsAtMost,
      540,
    );
    for (const wrong of [
      { votes: 0 },
      { votes: 10 },
      { maxTurns: 0 },
      { maxTurns: 31 },
      { maxSeconds: 9 },
      { maxSeconds: 601 },
    ]) {
      await refused(client.call('updateMissionTestConfig', { id: config.id, ...wrong }), 400, 'invalid_request');
    }
  });

  it("leaves a call after the mission's turn limit, and doesn't fail it for what had not come by then", async () => {
    const { client } = byRules;
    const mission = {
      name: 'overdraft',
      phoneNumber: lab,
      mission: 'Learn your overdraft limit.',
      acceptance: 'The bank says "your credit line is".',
    };
    for (const [bounds, reason] of [
      [{}, /./],
      [{ maxTurns: 1 }, /used up its 1 turn without/],
      [{ maxSeconds: 10 }, /used up its 10 s/],
    ] as const) {
      const { id } = await client.call('createMissionTestConfig', { ...mission, ...bounds });
      const result = await run(client, id);
      assert.match(result.reason ?? '', reason);
      assert.deepEqual([result.verdict, result.gaveUp, result.hangUp?.by], ['inconclusive', true, 'us'], result.reason);
      assert.equal((await client.call('rejudgeRun', { runId: result.id })).verdict, 'inconclusive');
    }
  });

  it('asks the judge as often as the launch or the mission says, and reports judge, disagreements and evidence', async () => {
    let votes = 0;
    const model = scriptedModel(({ name }) =>
      name === 'judgement'
        ? {
            verdict: (votes += 1) % 3 === 0 ? 'inconclusive' : 'pass',
            reasoning: 'It tells them.',
            evidence: [{ turn: 3, quote: 'open from nine to five' }],
          }
        : pressed,
    );
    const { client } = await start(model);
    const config = await save(client, 'The bank is clear about its hours.');
    await client.call('updateMissionTestConfig', { id: config.id, votes: 5 });
    const launched = await client.call('runMissionTest', { configId: config.id, votes: 3 });
    const read = () => client.call('getMissionTestRun', { runId: launched.id });
    await eventually(client, async () => (await read()).status === 'completed');
    const result = await read();
    assert.deepEqual(
      [result.verdict, result.unstable, result.judgedBy, votes],
      ['pass', true, 'scripted, prompt 3', 3],
    );
    assert.deepEqual(
      result.compliance?.map(({ check, verdict }) => [check, verdict]),
      [['Does not claim to be a person', 'pass']],
    );
    await client.call('rejudgeRun', { runId: result.id });
    assert.equal(votes, 8);
    const [first, again] = [
      asked(model).find((asked) => asked.includes('What the caller was to do')),
      asked(model).at(-1),
    ];
    assert.equal(again, first, 'the judge is told the same again');
  });

  it('stops judging again if the client disconnects', async () => {
    const judging = Promise.withResolvers<AbortSignal>(),
      stopped = Promise.withResolvers<undefined>();
    let again = false;
    const model: LanguageModel = {
      name: 'slow judge',
      ask: ({ name, schema, signal }) => {
        if (name !== 'judgement') return Promise.resolve(schema.parse(pressed));
        if (!again)
          return Promise.resolve(
            schema.parse({
              verdict: 'pass',
              reasoning: 'It tells them.',
              evidence: [{ turn: 3, quote: 'open from nine to five' }],
            }),
          );
        return new Promise((_resolve, reject) => {
          signal?.addEventListener(
            'abort',
            () => {
              stopped.resolve(undefined);
              reject(new Error('stopped'));
            },
            { once: true },
          );
          if (signal) judging.resolve(signal);
        });
      },
    };
    const { client } = await start(model);
    const result = await run(client, (await save(client, 'The bank is clear about its hours.')).id);
    again = true;
    const gone = new AbortController();
    const asked = assert.rejects(client.call('rejudgeRun', { runId: result.id }, { signal: gone.signal }));
    await judging.promise;
    gone.abort(new Error('nobody waits'));
    await asked;
    await stopped.promise;
  });

  it('keeps the call if the run is cancelled while the model judges', async () => {
    const stop = new AbortController();
    const model: LanguageModel = {
      name: 'slow judge',
      ask: ({ name, schema, signal }) => {
        if (name !== 'judgement')
          return Promise.resolve(schema.parse({ action: 'press', keys: '1', text: null, reason: null, why: 'hours' }));
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error(String(signal.reason))), { once: true });
          stop.abort('Cancelled.');
        });
      },
    };
    const { perform } = onVirtualTime(ivr, createPerformer());
    const plan = {
      type: 'mission',
      mission: 'Find out the opening hours of the bank.',
      acceptance: 'The bank tells its hours.',
    } as const;
    const line = { dial: () => Promise.reject(new Error('the line is simulated')) };
    const events = await Array.fromAsync(
      perform(plan, { target: 'sip:bank@127.0.0.1', dialer: line, clock: systemClock, model, signal: stop.signal }),
    );
    const last = events.at(-1);
    assert.equal(last?.type, 'ended');
    const { outcome, reason, mission, callSeconds, hangUp, transcript } = last.ended;
    assert.deepEqual(
      [outcome, reason, mission?.verdict, mission?.judgeReasoning, hangUp?.by],
      ['ERROR', 'Cancelled.', 'error', 'Cancelled.', 'them'],
    );
    assert.deepEqual(
      transcript.map(({ speaker }) => speaker),
      ['them', 'us', 'them'],
    );
    assert.ok(callSeconds > 0);
  });
});
