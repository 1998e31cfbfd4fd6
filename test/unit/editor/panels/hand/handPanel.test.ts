import assert from 'node:assert/strict';
import { ConnectionError, ConflictError } from '../../../../../src/client/errors.ts';
import { HumanError } from '../../../../../src/contract/errors.ts';
import type { OperationInput } from '../../../../../src/contract/operations.ts';
import type { RunResults } from '../../../../../src/contract/testRuns.ts';
import { HandPanel, type HandTest } from '../../../../../src/editor/panels/hand/handPanel.ts';
import { saveHandCall, type HandCall } from '../../../../../src/editor/panels/hand/saveHandCall.ts';
import { rowKeys } from '../../../../../src/editor/testing/running/rowKeys.ts';
import { Samples } from '../../../../../src/editor/host/samples.ts';
import type { TestSource } from '../../../../../src/editor/folders/testSource.ts';
import { WorkspaceFeed } from '../../../../../src/editor/store/workspaceFeed.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import { FakePage } from '../../fakePage.ts';
import { FakeTreeFiles } from '../../fakeTreeFiles.ts';
import { commandsIn } from '../../fakeEditor.ts';
import { english, FakeCancels, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../../fakes.ts';
import { results, step, testRun } from '../../testing/fakeRuns.ts';

type Step = OperationInput<'guideTestRun'>['step'];

describe('HandPanel', () => {
  let client: FakeClient, host: FakePage<'hand'>, panel: HandPanel, run: RunResults, clock: FakeClock;
  let saved: [string, HandCall][], reports: string[], again: string[], cancels: FakeCancels;
  const say = (message: unknown): Promise<void> => host.say(message);
  const press = (key: string, secret = false): Promise<void> => say({ type: 'press', key, secret });
  const given = (): Step[] =>
    client.calls
      .filter(({ name }) => name === 'guideTestRun')
      .map(({ input }) => (input as OperationInput<'guideTestRun'>).step);
  const deeds = (): unknown[] =>
    given().map(({ action }) => (action.type === 'press' ? action.keys : action.type === 'say' ? action.text : '⏹'));

  beforeEach(() => {
    run = results(7, { status: 'running', steps: [step('Answer')], transcript: [] });
    [saved, reports, again, cancels, clock] = [[], [], [], new FakeCancels(), new FakeClock()];
    host = new FakePage('hand');
    const log = recordingLogger();
    client = new FakeClient({ getRunResults: () => run, guideTestRun: () => run, cancelTestRun: () => run });
    panel = new HandPanel(host, uuid(7), {
      client,
      clock,
      connection: cancels,
      log,
      l10n: english,
      feed: new WorkspaceFeed({ client, clock, log }),
      nameOf: () => 'Harbour Bank',
      openReport: (id) => reports.push(id),
      callAgain: (target) => Promise.resolve(again.push(target)),
      save: (as, call) => Promise.resolve(saved.push([as, call])),
    });
  });
  afterEach(() => panel.dispose());

  it('shows the call, and the time since the answer', async () => {
    run = results(7, { status: 'running' });
    await say({ type: 'ready' });
    assert.deepEqual(
      [host.title, panel.lastSnapshot?.name, panel.lastSnapshot?.answeredMs],
      ['Call: Harbour Bank', 'Harbour Bank', undefined],
    );
    run = results(7, {
      status: 'running',
      steps: [step('Answer')],
      transcript: [{ speaker: 'them', text: 'Welcome.', startMs: 200, endMs: 1500 }],
    });
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(panel.lastSnapshot?.answeredMs, 1500, 'this window saw the answer late');
    clock.advance(2000);
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(panel.lastSnapshot?.answeredMs, 3500);
    run = results(7, { callSeconds: 6, postDialMs: 1000 });
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(panel.lastSnapshot?.answeredMs, 5000);
    assert.equal(client.streams, 0, 'nothing follows a call that is over');
  });

  it('streams sound only to the page that asked for it', async () => {
    const heard: AbortSignal[] = [];
    client.sound = async function* (_runId, signal) {
      heard.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const isOpen = (): boolean => heard.some(({ aborted }) => !aborted);
    const listen = async (): Promise<void> => {
      await say({ type: 'ready' });
      assert.equal(isOpen(), false, 'a page is silent at first, also if it is loaded again');
      await say({ type: 'listen', on: true });
      assert.equal(isOpen(), true);
    };
    for (let time = 0; time < 2; time += 1) await listen();
    host.show(false);
    await listen();
    panel.dispose();
    assert.equal(isOpen(), false);
  });

  it('sends keys in their order, each once, and those typed meanwhile together', async () => {
    await say({ type: 'ready' });
    const first = Promise.withResolvers<RunResults>();
    client.answers.guideTestRun = () => first.promise;
    for (const key of '1234') await press(key);
    await say({ type: 'say', text: ' my balance ' });
    await press('5');
    await press('6', true);
    assert.deepEqual(deeds(), ['1']);
    first.resolve(run);
    await settle();
    assert.deepEqual(deeds(), ['1', '234', 'my balance', '5', '6']);
    const names = given().map(({ name, secret }) => (secret === true ? `(${name})` : name));
    assert.deepEqual(names, ['Keys 1', 'Keys 234', 'Say “my balance”', 'Keys 5', '(Keys ••••)']);
    for (const bad of [{ key: '12' }, { key: 'A' }, { key: '1' }]) await say({ type: 'press', ...bad });
    assert.equal(given().length, 5, "what isn't a key");
    const other = Promise.withResolvers<RunResults>();
    client.answers.guideTestRun = () => other.promise;
    for (let count = 0; count < 70; count += 1) await press('1');
    other.resolve(run);
    await settle();
    assert.deepEqual(
      deeds().slice(5),
      [1, 64, 5].map((count) => '1'.repeat(count)),
      'as many as a step can press',
    );
  });

  it("shows why something wasn't sent until something else is sent, and drops what was typed after it", async () => {
    await say({ type: 'ready' });
    const first = Promise.withResolvers<RunResults>();
    client.answers.guideTestRun = () => first.promise;
    await press('1');
    await press('9', true);
    await say({ type: 'say', text: 'hello' });
    first.reject(new ConflictError('The run has ended.', { status: 409 }));
    await settle();
    assert.deepEqual(deeds(), ['1']);
    assert.equal(panel.lastSnapshot?.trouble, "Couldn't send this: Keys 1, Keys ••••, Say “hello”. The run has ended.");
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.ok(host.of('snapshot').at(-1)?.trouble, 'the next words of the call keep it');
    client.answers.guideTestRun = () => run;
    await press('2');
    assert.equal(panel.lastSnapshot.trouble, undefined);
    client.answers.guideTestRun = () =>
      Promise.reject(new ConnectionError('The service is away.', { status: 0, preFlight: false }));
    await press('3');
    assert.match(panel.lastSnapshot.trouble ?? '', /Keys 3\. The service is away/);
    client.answers.guideTestRun = () => run;
    await press('4');
    run = { ...run, steps: [step('Answer'), step('Keys 4', { outcome: 'ERROR', reason: 'The key is forbidden.' })] };
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(panel.lastSnapshot.trouble, 'Keys 4: The key is forbidden.', 'the step failed on the call');
  });

  it("hangs up as the last step; a call that isn't answered or doesn't end is cancelled", async () => {
    run = results(7, { status: 'running' });
    await say({ type: 'ready' });
    await say({ type: 'hangUp' });
    assert.deepEqual([client.count('cancelTestRun'), given()], [1, []]);
    run = results(7, { status: 'running', steps: [step('Answer')] });
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    client.answers.guideTestRun = () => Promise.reject(new ConnectionError('away', { status: 0, preFlight: false }));
    await say({ type: 'hangUp' });
    client.answers.guideTestRun = () => run;
    await say({ type: 'hangUp' });
    assert.deepEqual([client.count('cancelTestRun'), deeds()], [1, ['⏹', '⏹']]);
    await say({ type: 'hangUp' });
    assert.equal(client.count('cancelTestRun'), 2);
  });

  it('hangs up when its page is closed during the call, once, and not when the window ends', async () => {
    await say({ type: 'ready' });
    panel.dispose();
    await settle();
    assert.deepEqual(deeds(), []);
    panel.closed();
    panel.closed();
    await settle();
    assert.deepEqual([deeds(), client.count('cancelTestRun')], [['⏹'], 0], 'its end is that of a call that passed');
  });

  it('cancels a call that rings when its page is closed, and leaves one that is over alone', async () => {
    run = results(7, { status: 'running' });
    await say({ type: 'ready' });
    client.answers.cancelTestRun = () => Promise.reject(new ConnectionError('away', { status: 0, preFlight: false }));
    panel.closed();
    await settle();
    run = results(7);
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    panel.closed();
    await settle();
    assert.deepEqual([client.count('cancelTestRun'), deeds()], [1, []]);
  });

  it('carries out the next step of a test when the steps before it are over, and keeps one that was refused', async () => {
    await say({ type: 'ready' });
    const pin = { name: 'PIN', action: { type: 'press', keys: '47' }, secret: true, passThreshold: 0.9 } as const;
    const agent = { name: 'Agent', action: { type: 'say', text: 'agent' }, passThreshold: 0.8 } as const;
    panel.offer({ steps: [pin, agent], callAgain: () => again.push('the test') });
    const next = () => panel.lastSnapshot?.next;
    assert.deepEqual(next(), { text: 'PIN · Keys ••••', isReady: true });
    client.answers.guideTestRun = () => Promise.reject(new ConflictError('Forbidden.', { status: 409 }));
    await say({ type: 'next' });
    assert.equal(panel.lastSnapshot?.trouble, "Couldn't send this: PIN. Forbidden.");
    assert.equal(next()?.text, 'PIN · Keys ••••');
    client.answers.guideTestRun = () => run;
    await say({ type: 'next' });
    await press('1');
    await say({ type: 'next' });
    assert.deepEqual(next(), { text: 'Agent · Say “agent”', isReady: false });
    run = { ...run, steps: [step('Answer'), step('PIN'), step('Keys 1')] };
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.deepEqual(next(), { text: 'Agent · Say “agent”', isReady: true });
    await say({ type: 'next' });
    assert.equal(next(), undefined);
    assert.deepEqual(
      given()
        .slice(1)
        .map((one) => (one.name === 'Keys 1' ? one.name : one)),
      [pin, 'Keys 1', agent],
    );
    await say({ type: 'save', as: 'calltest' });
    assert.deepEqual(saved, [['calltest', { run, secrets: ['47'] }]]);
    await say({ type: 'callAgain' });
    assert.deepEqual(again, ['the test']);
  });

  it('shows the call as connected once words are heard, even if they fail the first step of a test', async () => {
    const heard = { speaker: 'them', text: 'Closed.', startMs: 0, endMs: 900 } as const;
    run = results(7, { status: 'running', steps: [step('Greeting', { outcome: 'FAIL' })], transcript: [heard] });
    await say({ type: 'ready' });
    assert.equal(panel.lastSnapshot?.answeredMs, 900);
  });

  it('calls the same target again', async () => {
    await say({ type: 'callAgain' });
    await say({ type: 'ready' });
    await say({ type: 'callAgain' });
    assert.deepEqual(again, [run.phoneNumber]);
  });

  it('opens the report, and saves what was done with the keys that the transcript masks', async () => {
    await say({ type: 'ready' });
    await press('4', true);
    await say({ type: 'openReport' });
    await say({ type: 'save', as: 'calltest' });
    assert.deepEqual([reports, saved], [[uuid(7)], [['calltest', { run, secrets: ['4'] }]]]);
  });
});

const sourceOf =
  (files: Readonly<Record<string, object>>) =>
  (file: string): TestSource => ({
    file,
    path: file,
    read: () => Promise.resolve(JSON.stringify(files[file])),
    write: () => Promise.reject(new Error('not written')),
    readBeside: () => Promise.reject(new Error('none')),
  });

describe('a call by hand', () => {
  it('writes its file, which calls the practice IVR by its path', async () => {
    const files = new FakeTreeFiles({
      'file:///project/bank.ivr.json': JSON.stringify({
        name: 'Bank',
        start: 'main',
        states: { main: { prompt: 'Welcome to the bank.', end: 'hangup' } },
      }),
    });
    const opened: string[] = [];
    const call = {
      run: results(7, { transcript: [{ speaker: 'them', text: 'Welcome to the bank.' }] }),
      secrets: [],
    };
    const parts = {
      files,
      dialogs: new FakeDialogs(),
      samples: [],
      l10n: english,
      nameOf: () => 'Harbour Bank',
      open: (uri: string) => Promise.resolve(opened.push(uri)),
    };
    files.chosen = undefined;
    await saveHandCall('calltest', call, parts);
    assert.deepEqual([files.offered, opened], ['harbour-bank.calltest.json', []]);
    for (const as of ['calltest', 'mission'] as const) {
      files.chosen = `file:///project/tests/mine.${as}.json`;
      await saveHandCall(as, call, parts);
      const file = files.json(files.chosen) as { ivr?: string; phoneNumber?: string };
      assert.deepEqual([file.ivr, file.phoneNumber, opened.at(-1)], ['../bank.ivr.json', undefined, files.chosen]);
    }
  });

  it('says that the file lacks keys that were kept secret', async () => {
    const [files, dialogs] = [new FakeTreeFiles({}), new FakeDialogs({ press: undefined })];
    files.chosen = 'file:///project/mine.calltest.json';
    const transcript = [{ speaker: 'us', text: '[keys ••••]' }] as const;
    const run = results(7, { phoneNumber: '+12025550101', transcript: [...transcript] });
    const parts = { files, dialogs, samples: [], l10n: english, nameOf: () => 'Bank', open: () => Promise.resolve() };
    await saveHandCall('calltest', { run, secrets: ['47'] }, parts);
    assert.deepEqual(dialogs.shown, []);
    await saveHandCall('calltest', { run, secrets: [] }, parts);
    assert.match(dialogs.shown.join(), /The test has \{secret\} instead/);
  });

  it("begins with one saved test per workspace or file, after the number's line and consent", async () => {
    const client = new FakeClient({ runTest: () => ({ items: [testRun(9, { status: 'running' })] }) });
    const [opened, asked]: [string[], string[]] = [[], []];
    let agrees = true;
    let trouble: HumanError | undefined;
    let shown: HandTest | undefined;
    const files: Record<string, object> = {};
    const check = (): void => {
      if (trouble) throw trouble;
    };
    const call = (value: unknown, workspaceId = 'file:///project'): unknown =>
      commandsIn({
        client,
        openHand: (id, test) => {
          opened.push(id);
          shown = test;
        },
        actions: {
          assertServed: async (target) => {
            asked.push(target);
            check();
            await Promise.resolve();
          },
        },
        consent: {
          planned: (subject, work) => {
            asked.push(Object.keys(subject).join(' '));
            return agrees ? work() : Promise.resolve(undefined);
          },
        },
        samples: new Samples('/samples'),
        store: { loadRuns: () => Promise.resolve({ job: { phoneNumber: 'sip:mapped@pbx' } } as never) },
        startPractice: (file) => Promise.resolve({ file, name: 'x', number: undefined, uri: `sip:${file}@127.0.0.1` }),
        assertCallsFromHere: check,
        workbench: {
          workspaceId: () => workspaceId,
          sourceOf: sourceOf(files),
          besideFile: (file, ivr) => Promise.resolve(`${ivr}-${file}`),
        },
        pickTarget: () => Promise.resolve(undefined),
      })['dialtree.call.start'](value);
    await call({ target: '+12025550101' });
    await call({ file: 'mine' });
    await call({ jobId: uuid(1) }, 'file:///other');
    await call(undefined);
    const launches = client.calls.map(({ input }) => input as OperationInput<'runTest'>);
    const [first, second, third] = launches.map(({ configId }) => configId);
    assert.ok(first === second && first !== third && first !== undefined);
    assert.ok(launches.every(({ guided, test }) => guided === true && test && !('fromFile' in test)));
    const guided = 'test guided';
    assert.deepEqual(asked, ['+12025550101', guided, 'sip:mine@127.0.0.1', guided, 'sip:mapped@pbx', guided]);
    agrees = false;
    await call({ target: '+12025550101' });
    assert.deepEqual([opened, client.calls.length], [[uuid(9), uuid(9), uuid(9)], 3]);
    await assert.rejects(async () => call({ target: 'nothing' }), /target/);

    const said = { action: { type: 'say', text: '{name}' }, name: 'Name' };
    const steps = [{ action: { type: 'dial' }, name: 'Greeting' }, said];
    files['a.calltest.json'] = {
      name: 'Balance',
      ivr: 'bank.ivr.json',
      steps,
      rows: [{ name: 'Ann' }, { name: 'Bea' }],
    };
    files['a.mission.json'] = { name: 'Ask', phoneNumber: '+12025550101', mission: 'Ask.', acceptance: 'Told.' };
    agrees = true;
    await call({ test: 'a.calltest.json', row: rowKeys({ test: { steps: [], rows: [{ name: 'Bea' }] } })[0] });
    const { configId, test } = client.calls.at(-1)?.input as OperationInput<'runTest'>;
    assert.notEqual(configId, first);
    assert.deepEqual(
      [test?.name, test?.phoneNumber, test?.steps.length, shown?.steps.map(({ action }) => action)],
      ['Balance, step by step', 'sip:bank.ivr.json-a.calltest.json@127.0.0.1', 1, [{ type: 'say', text: 'Bea' }]],
    );
    await shown?.callAgain();
    assert.deepEqual(client.calls.at(-1)?.input, client.calls.at(-2)?.input);
    await assert.rejects(async () => call({ test: 'a.mission.json' }), /Only scripted tests/);
    await assert.rejects(async () => call({ test: 'a.calltest.json', row: 'gone' }), /no longer contains this row/);
    assert.equal(client.calls.length, 5);
    trouble = new HumanError('No line serves it.', { status: 400, code: 'no_route' });
    asked.length = 0;
    await assert.rejects(async () => call({ target: '+12025550101' }), { code: 'no_route' });
    await assert.rejects(async () => call({ file: 'mine' }), trouble, 'a service elsewhere');
    assert.deepEqual([asked, client.calls.length], [['+12025550101'], 5], 'refused before anything is asked');
  });
});
