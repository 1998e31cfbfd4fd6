import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ownProbe } from '../support/ownProbe.ts';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { createPerformer } from '../../src/service/testing/performPlan.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { onVirtualTime } from '../support/onVirtualTime.ts';
import { eventually } from '../support/eventually.ts';

const lab = '+12025550101';

describe('service: compliance runs', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('run a probe in a call, and quote the words that show each finding', async () => {
    for (const [kind, outcome] of [
      ['pass', 'PASS'],
      ['fail', 'FAIL'],
    ] as const) {
      const ivr = ivrFileSchema.parse(
        JSON.parse(
          await readFile(new URL(`../fixtures/compliance/ai-disclose-start.${kind}.ivr.json`, import.meta.url), 'utf8'),
        ),
      );
      const { client } = await fixture.start({
        parts: { perform: onVirtualTime(ivr, createPerformer()).perform },
      });
      const launched = await client.call('runComplianceTest', {
        phoneNumber: lab,
        catalogueTestId: 'ai-disclose-start',
      });
      assert.deepEqual(
        [launched.runType, launched.catalogueTestId, launched.status],
        ['compliance', 'ai-disclose-start', 'running'],
      );
      await eventually(
        client,
        async () => (await client.call('getRunResults', { runId: launched.id })).status === 'completed',
      );
      const results = await client.call('getRunResults', { runId: launched.id });
      assert.equal(results.outcome, outcome, results.reason);
      assert.ok(results.steps.length > 0);
      if (kind === 'pass') assert.ok(results.steps.every(({ transcript = '' }) => transcript !== ''));
      assert.deepEqual(
        (await client.call('listTestRuns', { catalogueTestId: 'ai-disclose-start', runType: 'compliance' })).items.map(
          ({ id }) => id,
        ),
        [launched.id],
      );
    }
  });

  it('run a probe that the launch brings, through the same plan, and list its runs by its id', async () => {
    const ivr = ivrFileSchema.parse(
      JSON.parse(
        await readFile(new URL('../fixtures/compliance/ai-disclose-start.pass.ivr.json', import.meta.url), 'utf8'),
      ),
    );
    const { client } = await fixture.start({ parts: { perform: onVirtualTime(ivr, createPerformer()).perform } });
    const input = { phoneNumber: lab, probe: ownProbe };
    assert.deepEqual((({ calls, refusal }) => [calls, refusal])(await client.call('planCalls', input)), [1, undefined]);
    const { id: runId, catalogueTestId } = await client.call('runComplianceTest', input);
    assert.equal(catalogueTestId, `own:${ownProbe.id}`);
    await eventually(client, async () => (await client.call('getRunResults', { runId })).status === 'completed');
    const { outcome, steps, reason } = await client.call('getRunResults', { runId });
    assert.deepEqual(
      [outcome, steps.map(({ name, outcome: one }) => [name, one])],
      ['PASS', [['It says that it is automated', 'PASS']]],
      reason,
    );
    const listed = await client.call('listTestRuns', { catalogueTestId, runType: 'compliance' });
    assert.deepEqual(
      listed.items.map(({ id }) => id),
      [runId],
    );
  });

  it('refuse a probe with regular expressions, with one of the catalogue beside it, and without either', async () => {
    const { client } = await fixture.start();
    const checks = [{ ...ownProbe.checks[0], kind: 'says', notice: undefined, patterns: ['(a+)+$'] }];
    for (const [more, wrong] of [
      [{ probe: { ...ownProbe, checks } }, /Only the probes of Dialtree have regular expressions/],
      [{ probe: ownProbe, catalogueTestId: 'ai-disclose-start' }, /either catalogueTestId or probe/],
      [{}, /either catalogueTestId or probe/],
    ] as const)
      await assert.rejects(
        client.call('runComplianceTest', { phoneNumber: lab, ...more }),
        (error: Error & { status?: number }) => error.status === 400 && wrong.test(error.message),
      );
  });

  it('run several calls as one run, with the sum of their seconds', async () => {
    const ivr = ivrFileSchema.parse(
      JSON.parse(await readFile(new URL('../fixtures/compliance/fca-support.fail.ivr.json', import.meta.url), 'utf8')),
    );
    const { perform, calls } = onVirtualTime(ivr, createPerformer());
    const { client } = await fixture.start({ parts: { perform } });
    const { id: runId } = await client.call('runComplianceTest', { phoneNumber: lab, catalogueTestId: 'fca-support' });
    await eventually(client, async () => (await client.call('getRunResults', { runId })).status === 'completed');
    const {
      outcome,
      steps,
      transcript = [],
      callSeconds = 0,
      audioUrl,
    } = await client.call('getRunResults', { runId });
    assert.deepEqual([outcome, calls(), steps.length], ['FAIL', 4, 3]);
    assert.equal(transcript.filter(({ text }) => text.startsWith('[calls again: ')).length, 3);
    const lastMs = transcript.at(-1)?.endMs ?? Infinity;
    assert.ok(callSeconds * 1000 >= lastMs, 'every turn lies within the sum');
    assert.ok(steps.every(({ startMs = Infinity }) => startMs < lastMs));
    assert.ok(audioUrl !== undefined);
  });

  it("place no call at an hour at which a probe can't be judged", async () => {
    const { client } = await fixture.start();
    const { id: runId } = await client.call('runComplianceTest', {
      phoneNumber: lab,
      catalogueTestId: 'psd2-lost-card',
    });
    await eventually(client, async () => (await client.call('getRunResults', { runId })).status === 'completed');
    const { outcome, reason = '', callSeconds } = await client.call('getRunResults', { runId });
    assert.deepEqual([outcome, callSeconds], ['INCONCLUSIVE', 0]);
    assert.match(
      reason,
      /only between 22:00 and 06:00 in the called side's local time\. The number doesn't show what the local time is/,
    );
  });
});
