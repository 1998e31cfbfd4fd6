import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { readTestFile } from '../../src/model/tests/testFile.ts';
import { missionPlanOf, plansOf } from '../../src/service/testing/testPlan.ts';
import type { TestPlan } from '../../src/service/store/storedPlan.ts';
import { createPerformer } from '../../src/service/testing/performPlan.ts';
import { callEnd } from '../support/callEnd.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const samples = path.resolve(import.meta.dirname, '../../media/samples');
const files = (await readdir(samples)).filter((file) => /\.(?:calltest|mission)\.json$/.test(file));
const textOf = (file: string): Promise<string> => readFile(path.join(samples, file), 'utf8');

async function plansIn(file: string): Promise<{ readonly ivr: string; readonly plans: readonly TestPlan[] }> {
  const read = await readTestFile(await textOf(file), file, async (beside) => ({
    text: await textOf(beside),
    file: beside,
  }));
  assert.ok('test' in read);
  const { ivr = assert.fail('It names no practice IVR.') } = read.test;
  return {
    ivr: path.join(samples, ivr),
    plans: read.kind === 'calltest' ? plansOf(read.test) : read.kind === 'mission' ? [missionPlanOf(read.test)] : [],
  };
}

/** What a new user runs first: scripts and missions, on their practice IVRs. */
describe('the sample tests', function () {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('sample-tests');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  for (const file of files)
    it(`${file} passes`, async () => {
      const { ivr, plans } = await plansIn(file);
      for (const plan of plans) {
        const ended = await calls.to(ivr, (call) =>
          callEnd(createPerformer()(plan, { ...call, signal: new AbortController().signal })),
        );
        assert.equal(ended.outcome, 'PASS', JSON.stringify(ended, undefined, 2));
        assert.doesNotMatch(JSON.stringify(ended), /12345678/, 'the account number is marked as a secret');
      }
    });
});
