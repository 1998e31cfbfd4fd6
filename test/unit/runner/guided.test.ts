import assert from 'node:assert/strict';
import { readTestFile } from '../../../src/model/tests/testFile.ts';
import { guidedTest, plainStep } from '../../../src/runner/guided.ts';

const id = '00000000-0000-4000-8000-000000000001';
const answer = plainStep({ name: 'Answer', action: { type: 'dial' } });
const said = (text: string, more = {}) => ({ name: 'a', action: { type: 'say', text }, ...more });
const rows = [{ pin: '4711', name: 'Ann' }];

async function guided(steps: readonly object[]): Promise<ReturnType<typeof guidedTest>> {
  const content = { id, name: 'Balance', phoneNumber: '+12025550101', steps, rows };
  const file = await readTestFile(JSON.stringify(content), 'a.calltest.json', () => Promise.reject(new Error('none')));
  assert.ok('kind' in file && file.kind === 'calltest');
  const { phoneNumber = '' } = file.test;
  return guidedTest(file, { id, name: 'Step by step', phoneNumber, row: file.test.rows?.[0] ?? {}, answer });
}

describe('a guided test', () => {
  it('becomes a separate test without rows, launched with the step that places the call', async () => {
    const dial = { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Welcome, {name}' };
    const { test, steps } = await guided([dial, said('{name}')]);
    assert.notEqual(test.id, id);
    assert.ok(!('rows' in test));
    assert.deepEqual(test.steps, [{ ...dial, expectedTranscript: 'Welcome, Ann', passThreshold: 0.8 }]);
    assert.deepEqual(steps, [{ ...said('Ann'), passThreshold: 0.8 }]);
  });

  it('places the call with another step if the first step of the test does something else', async () => {
    const { test, steps } = await guided([said('{name}')]);
    assert.deepEqual([test.steps, steps.length], [[answer], 1]);
  });

  it('leaves a name to the call that collects its value, whatever the name', async () => {
    const collect = { name: 'b', action: { type: 'collect', name: 'constructor', pattern: '\\d+' } };
    const { steps } = await guided([answer, collect, said('{constructor}')]);
    assert.deepEqual(steps.at(-1)?.action, { type: 'say', text: '{constructor}' });
  });

  it('fills a column that a secret step uses only into secret steps', async () => {
    const secret = { name: 'b', action: { type: 'press', keys: '{pin}' }, secret: true };
    const asks = { name: 'c', action: { type: 'dial' }, expectedTranscript: 'Is it {pin}, {name}?' };
    const { test, steps } = await guided([
      asks,
      said('{pin}'),
      secret,
      said('{name}', { expectedTranscript: '{pin} {name}' }),
    ]);
    assert.equal(test.steps[0]?.expectedTranscript, 'Is it *, Ann?');
    assert.deepEqual(
      steps,
      [
        said('4711', { secret: true }),
        { ...secret, action: { type: 'press', keys: '4711' } },
        said('Ann', { expectedTranscript: '* Ann' }),
      ].map((step) => ({ ...step, passThreshold: 0.8 })),
    );
  });
});
