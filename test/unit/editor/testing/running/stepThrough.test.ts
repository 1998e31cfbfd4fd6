import assert from 'node:assert/strict';
import { ConflictError } from '../../../../../src/client/errors.ts';
import type { RunResults } from '../../../../../src/contract/testRuns.ts';
import { WorkspaceFeed } from '../../../../../src/editor/store/workspaceFeed.ts';
import { stepThrough } from '../../../../../src/editor/testing/running/stepThrough.ts';
import { readTestFile } from '../../../../../src/model/tests/testFile.ts';
import type { Ending, TestToRun } from '../../../../../src/runner/runTest.ts';
import { english, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../../fakes.ts';
import { results, step, testRun } from '../fakeRuns.ts';

const steps = [
  { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Welcome, {name}' },
  { name: 'Accounts', action: { type: 'press', keys: '{key}' } },
  { name: 'Agent', action: { type: 'say', text: 'agent' } },
];
const content = { id: uuid(1), name: 'Balance', phoneNumber: 'sip:bank@127.0.0.1:5070' };
const script = { ...content, steps, rows: [{ key: '1', name: 'Ann' }] };
const mission = { ...content, mission: 'Ask.', acceptance: 'Told.' };

describe('running a test step by step', () => {
  let client: FakeClient, stop: AbortController, answers: (string | undefined)[], typed: string | undefined;
  let offered: string[][], given: object[], guided: object[], launched: object[];
  let run: RunResults;

  beforeEach(() => {
    stop = new AbortController();
    [answers, offered, given, guided, launched, typed] = [[], [], [], [], [], undefined];
    run = results(5, { status: 'running', steps: [step('Greeting')] });
    client = new FakeClient({
      runTest: (input) => {
        launched.push(input);
        return { items: [testRun(5, { status: 'running' })] };
      },
      getRunResults: () => run,
      guideTestRun: ({ step: next }) => {
        given.push(next.action);
        guided.push(next);
        const isOver = next.action.type === 'hangUp';
        run = results(5, { status: isOver ? 'completed' : 'running', steps: [...run.steps, step(next.name)] });
        client.emit({ type: 'test.changed', runId: uuid(5) });
        return run;
      },
      cancelTestRun: () => run,
    });
  });

  const start = async (file: object = script, name = 'a.calltest.json'): Promise<Ending | undefined> => {
    const read = await readTestFile(JSON.stringify(file), name, () => Promise.reject(new Error('none')));
    assert.ok('kind' in read);
    const test: TestToRun = { file: read, id: uuid(1), phoneNumber: content.phoneNumber };
    return await stepThrough(
      {
        client,
        feed: new WorkspaceFeed({ client, clock: new FakeClock(), log: recordingLogger() }),
        l10n: english,
        withConsent: (_subject, work) => work(),
        dialogs: {
          pick: (choices) => {
            offered.push(choices.map(({ label }) => label));
            const answer = answers.shift();
            return Promise.resolve(choices.find(({ label }) => label === answer)?.value);
          },
          ask: () => Promise.resolve(typed),
        },
      },
      test,
      { signal: stop.signal, onRead: () => undefined },
    );
  };

  it('waits before each step, and carries out what the user chooses', async () => {
    answers = ['Next: Accounts', 'Press other keys…', 'Run the rest', 'Hang up'];
    typed = '9#';
    const ending = await start();
    assert.equal(ending?.results.status, 'completed');
    assert.deepEqual(given, [
      { type: 'press', keys: '1' },
      { type: 'press', keys: '9#' },
      { type: 'say', text: 'agent' },
      { type: 'hangUp' },
    ]);
    assert.deepEqual(
      offered.map(([next]) => next),
      ['Next: Accounts', 'Next: Agent', 'Next: Agent', 'Press other keys…'],
    );
  });

  it('launches a separate test with the first step, and the values of the row', async () => {
    answers = ['Hang up'];
    await start();
    const [{ configId, test, guided }] = launched as [{ configId: string; test: typeof script; guided: boolean }];
    assert.notEqual(configId, uuid(1));
    assert.deepEqual(
      [test.name, test.steps.length, test.steps[0]?.expectedTranscript, 'rows' in test, guided],
      ['Balance, step by step', 1, 'Welcome, Ann', false, true],
    );
  });

  it('shows no value of a column that a secret step uses', async () => {
    const said = (text: string, more = {}) => ({ name: 'a', action: { type: 'say', text }, ...more });
    const secret = { name: 'b', action: { type: 'press', keys: '{pin}' }, secret: true };
    const asked = [{ name: 'c', action: { type: 'dial' }, expectedTranscript: 'Is it {pin}, {name}?' }, said('{pin}')];
    const rows = [{ pin: '4711', name: 'Ann' }];
    answers = ['Run the rest', 'Hang up'];
    await start({
      ...content,
      steps: [...asked, secret, said('{name}', { expectedTranscript: '{pin} {name}' })],
      rows,
    });
    const [{ test }] = launched as [{ test: typeof script }];
    assert.equal(test.steps[0]?.expectedTranscript, 'Is it *, Ann?');
    assert.deepEqual(
      guided.map((one) => ({ ...one, name: undefined, passThreshold: undefined })),
      [
        said('4711', { secret: true }),
        { action: { type: 'press', keys: '4711' }, secret: true },
        said('Ann', { expectedTranscript: '* Ann' }),
        { action: { type: 'hangUp' } },
      ].map((one) => ({ ...one, name: undefined, passThreshold: undefined })),
    );
  });

  it('hangs up if the user leaves the question', async () => {
    await start();
    assert.deepEqual(given, [{ type: 'hangUp' }]);
  });

  it('gives no step if the user changes their mind', async () => {
    answers = ['Say something else…', 'Hang up'];
    await start();
    assert.deepEqual(given, [{ type: 'hangUp' }]);
  });

  it('ends with the call if the called side hangs up while the question is open', async () => {
    answers = ['Next: Accounts'];
    client.answers.guideTestRun = () => {
      run = results(5, { outcome: 'FAIL', steps: [step('Greeting')] });
      throw new ConflictError('It has ended.', { status: 409, body: { code: 'already_ended' } });
    };
    const ending = start();
    await settle();
    client.emit({ type: 'test.changed', runId: uuid(5) });
    assert.equal((await ending)?.results.outcome, 'FAIL');
  });

  it('cancels the run if the user stops it', async () => {
    run = results(5, { status: 'running', steps: [] });
    const ending = start();
    await settle();
    stop.abort();
    assert.equal(await ending, undefined);
    assert.equal(client.count('cancelTestRun'), 1);
  });

  it('refuses a mission', async () => {
    await assert.rejects(start(mission, 'a.mission.json'), /Only scripted tests/);
  });
});
