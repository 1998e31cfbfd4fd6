import assert from 'node:assert/strict';
import type { DialtreeClient } from '../../src/client/client.ts';
import { linesSchema } from '../../src/contract/lines.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { missionInput } from '../support/savedInputs.ts';

const lab = '+12025550101';
const open = '+12125550123';
const lines = linesSchema.parse({
  ivr: { kind: 'uri', uri: 'sip:ivr@voice.example.com' },
  office: { kind: 'pbx', host: 'pbx.example.com' },
});
/** A line of kind `uri`, and an extension and a name at a private PBX: none of them needs consent. */
const withoutConsent = ['sip:ivr@voice.example.com', 'sip:600@pbx.example.com', 'sip:reception@pbx.example.com'];

describe('service: guarding the keys of live numbers', function () {
  const fixture = new ServiceFixture();
  const calls = new ScriptedCalls();
  let client: DialtreeClient;

  before(async () => {
    ({ client } = await fixture.start({ lines, parts: { perform: calls.perform } }));
    await client.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' });
  });
  after(() => fixture.close());

  it('covers every mapping that leaves the lab, whether or not its number needs consent', async () => {
    for (const [phoneNumber, guarded] of [
      [lab, false],
      [open, true],
      ...withoutConsent.map((address) => [address, true] as const),
    ] as const) {
      const { id } = await client.call('createMapping', { phoneNumber });
      if (guarded && phoneNumber !== open)
        assert.equal((await client.call('planCalls', { mappingId: id })).needsConsent, false, phoneNumber);
      await client.call('startMapping', { id });
      const run = await fixture.crawl.next();
      assert.equal(run.options.guarded, guarded, phoneNumber);
      run.end();
      await client.waitForRun(id);
    }
  });

  it('covers missions and probes alike', async () => {
    for (const [phoneNumber, guarded] of [
      [lab, false],
      ...withoutConsent.map((address) => [address, true] as const),
    ] as const) {
      const { id } = await client.call('createMissionTestConfig', missionInput(phoneNumber));
      await client.call('runMissionTest', { configId: id });
      const mission = await calls.next();
      assert.deepEqual([mission.plan.type, mission.options.guarded], ['mission', guarded], phoneNumber);
      mission.end({ outcome: 'INCONCLUSIVE', callSeconds: 1 });
      await client.call('runComplianceTest', { catalogueTestId: 'human-option', phoneNumber });
      const probe = await calls.next();
      assert.deepEqual([probe.plan.type, probe.options.guarded], ['probe', guarded], phoneNumber);
      probe.end({ outcome: 'INCONCLUSIVE', callSeconds: 1 });
    }
  });

  it('allows the keys that the mapping names in its config, and says so in the plan of its calls', async () => {
    const config = { allowedLabels: ['pay * bill'], pressUnsure: true };
    const { id } = await client.call('createMapping', { phoneNumber: open, config });
    assert.deepEqual(
      (({ allowedLabels, pressUnsure }) => ({ allowedLabels, pressUnsure }))(
        (await client.call('getMapping', { id })).config,
      ),
      config,
    );
    await client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    assert.deepEqual([run.options.config.allowedLabels, run.options.config.pressUnsure], [config.allowedLabels, true]);
    run.found(
      rootNode(),
      leafNode('1', { label: 'pay your bill' }),
      leafNode('2', { label: 'cancel a card', status: 'skipped' }),
    );
    run.end();
    await client.waitForRun(id);
    const plan = await client.call('planCalls', { mappingId: id });
    assert.deepEqual(
      [plan.allowedLabels, plan.pressUnsure, plan.riskyKeys],
      [config.allowedLabels, true, [{ key: '1', label: 'pay your bill' }]],
      'what it presses, and nothing else',
    );
    const usual = await client.call('planCalls', { mapping: { phoneNumber: open } });
    assert.deepEqual([usual.allowedLabels, usual.pressUnsure, usual.riskyKeys], [undefined, undefined, []]);
    const practice = await client.call('planCalls', { mapping: { phoneNumber: lab, config } });
    assert.deepEqual(
      [practice.allowedLabels, practice.pressUnsure],
      [undefined, undefined],
      'on a practice IVR everything is pressed',
    );
  });
});
