import assert from 'node:assert/strict';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import { readTestFile } from '../../../../src/model/tests/testFile.ts';
import { FakeDialogs, type Answer } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { FakeClient, uuid } from '../fakes.ts';
import { results } from '../testing/fakeRuns.ts';

describe('the command that repairs a test', () => {
  const step = { name: 'Call', action: { type: 'dial' }, expectedTranscript: 'Hello there.' };
  const text = JSON.stringify({ name: 'One', phoneNumber: '+12025550101', steps: [step] });
  const steps = [testStepSchema.parse({ ...step, expectedTranscript: 'There, hello.' })];
  /** Returns what is shown, offered and opened. `current`: the file after the run. */
  async function repair(current: string, healing: object, ...answers: Answer[]): Promise<string[]> {
    const test = await readTestFile(text, 'a.calltest.json', () => Promise.reject(new Error()));
    const [dialogs, done] = [new FakeDialogs(...answers), [] as string[]];
    await commandsIn({
      client: new FakeClient({
        getRunResults: () => results(1, { outcome: 'FAIL' }),
        healTest: ({ runId }) => ({ runId, finding: 'unclear', reason: 'Why.', changes: [], ...healing }),
      }),
      dialogs,
      openReport: (id) => done.push(id),
      runs: { row: () => undefined },
      explorer: {
        testOf: async () => ({ uri: {} as never, test: 'kind' in test ? test : undefined }),
        runAgain: (_run, launched) =>
          Promise.resolve(uuid(2))
            .then(launched)
            .then(() => true),
      },
      workbench: { offerEdits: async (_uri, of) => done.push(...(of(current) ?? []).map((edit) => edit.content)) > 0 },
    })['dialtree.test.repair']({ runId: uuid(1) });
    dialogs.done();
    return [...dialogs.shown, ...done];
  }

  it('runs it again and offers the proposal, or says why there is none and shows the new run', async () => {
    assert.deepEqual(await repair(text, { steps }), ['"expectedTranscript":"There, hello."']);
    assert.deepEqual(await repair(text, {}, { press: 'Show Run' }), ['Why. [Show Run]', uuid(2)]);
    assert.match(String(await repair('', { steps }, { press: undefined })), /^The file has changed in the meantime/);
  });
});
