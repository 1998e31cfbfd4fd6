import assert from 'node:assert/strict';
import type { OperationName } from '../../src/contract/operations.ts';
import type { StepResult, Turn } from '../../src/contract/testRuns.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { eventually } from '../support/eventually.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { refused } from '../support/refused.ts';

const lab = '+12025550101';
const expected = 'Please hold while we connect you to an agent.';
const reworded = 'While we connect you to an agent, please hold.';

describe('service: repairing a test', function () {
  const fixture = new ServiceFixture();
  const calls = new ScriptedCalls();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let configId = '';

  before(async () => {
    service = await fixture.start({ parts: { perform: calls.perform } });
  });
  beforeEach(async () => {
    const steps = [{ name: 'greeting', action: { type: 'dial' as const }, expectedTranscript: expected }];
    ({ id: configId } = await service.client.call('createTestConfig', scriptInput(lab, { steps })));
  });
  after(() => fixture.close());

  const launch = async (): Promise<string> =>
    (await service.client.call('runTest', { configId })).items[0]?.id ?? assert.fail('no run');
  /** Runs the test with a call in which this is heard. */
  async function run(text: string, similarity: number): Promise<string> {
    const runId = await launch();
    const outcome = similarity < 0.8 ? ('FAIL' as const) : ('PASS' as const);
    const step: StepResult = { name: 'greeting', outcome, expectedTranscript: expected, transcript: text, similarity };
    const transcript: Turn[] = [{ speaker: 'them', text }];
    (await calls.next()).end({ outcome, steps: [{ ...step, passThreshold: 0.8 }], transcript });
    await eventually(
      service.client,
      async () => (await service.client.call('getRunResults', { runId })).status === 'completed',
    );
    return runId;
  }
  const heal = (runId: string) => service.client.call('healTest', { runId });

  it('MCP and REST: proposes steps if the meaning is kept, and changes nothing itself', async () => {
    const baseRunId = await run(expected, 1);
    const runId = await run(reworded, 0.7);
    const healed = await heal(runId);
    assert.deepEqual([healed.finding, healed.baseRunId], ['repairable', baseRunId]);
    assert.equal(healed.steps?.[0]?.expectedTranscript, reworded);
    const agent = await connectAgent(service);
    const name: OperationName = 'healTest';
    const { structuredContent } = await agent.callTool({ name, arguments: { runId, baseRunId } });
    await agent.close();
    assert.deepEqual((structuredContent as typeof healed).steps, healed.steps);
    const { steps } = await service.client.call('getTestConfig', { id: configId });
    assert.equal(steps[0]?.expectedTranscript, expected);
  });

  it('reports a regression without steps, a run that passed, and a test that passed later', async () => {
    const passed = await run(expected, 1);
    const failed = await run('Please hold while we connect you to no one.', 0.6);
    const { finding, steps } = await heal(failed);
    assert.deepEqual([finding, steps], ['regression', undefined]);
    assert.equal((await heal(passed)).finding, 'passed');
    await run(expected, 1);
    assert.equal((await heal(failed)).finding, 'flaky');
  });

  it('compares with the expected words or a mapped tree if no run has passed, and not after an edit', async () => {
    const runId = await run(reworded, 0.7);
    assert.match(
      (await heal(runId)).reason,
      /no mapped tree, so this compares with the words that the test expects\.$/,
    );
    const { id } = await service.client.call('createMapping', { phoneNumber: lab });
    await service.client.call('startMapping', { id });
    const crawl = await fixture.crawl.next();
    crawl.found(rootNode({ transcript: expected }), leafNode('1', { label: 'sales' }));
    crawl.end();
    await service.client.waitForRun(id);
    const { finding, reason } = await heal(runId);
    assert.equal(finding, 'repairable');
    assert.match(reason, /so this compares with the newest mapped tree of the number\.$/);
    await service.client.call('updateTestConfig', { id: configId, name: 'edited' });
    assert.equal((await heal(runId)).finding, 'unclear');
  });

  it('refuses runs of others, runs in progress, missions, and a base that did not pass', async () => {
    const failed = await run(reworded, 0.7);
    const { apiKey } = await service.client.call('registerWorkspace', {});
    await refused(service.clientOf(apiKey).call('healTest', { runId: failed }), 404, 'not_found');
    const { client } = service;
    await refused(client.call('healTest', { runId: failed, baseRunId: failed }), 400, 'invalid_request');
    const active = await launch();
    await refused(heal(active), 409, 'still_running');
    (await calls.next()).end();
    const mission = await client.call('runMissionTest', {
      configId: (await client.call('createMissionTestConfig', missionInput(lab))).id,
    });
    await refused(heal(mission.id), 400, 'invalid_request');
    (await calls.next()).end();
  });
});
