import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { testsForUncovered, testsOfPickedPaths } from '../../../../src/editor/trees/generateTests.ts';
import { readTestFile } from '../../../../src/model/tests/testFile.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { FakeTreeFiles } from '../fakeTreeFiles.ts';
import { bankTree, inEnglish, FakeClient, job, run, uuid } from '../fakes.ts';
import { missionConfig, testRun } from '../testing/fakeRuns.ts';

const calltree = (members: object = {}): string =>
  JSON.stringify({
    name: 'Harbour Bank',
    phoneNumber: '+12025550101',
    tree: { ...bankTree, audioUrl: undefined },
    ...members,
  });
const bankIvr = JSON.stringify({
  name: 'Harbour Bank',
  start: 'main',
  states: { main: { prompt: 'Welcome', end: 'hangup' } },
});
const file = { file: '/project/bank.calltree.json' };

describe('commands: tests of a tree', () => {
  let files: FakeTreeFiles, client: FakeClient, ran: string[][], opened: string[];
  const store = {
    listed: true,
    refresh: () => Promise.resolve(),
    jobs: [
      { job: job(1, { name: 'Harbour Bank', currentRun: run({ runNumber: 2 }) }), runs: undefined, trees: new Map() },
    ],
    loadRuns: (jobId: string) =>
      Promise.resolve({ job: job(1, { id: jobId }), runs: [run({ runNumber: 2 })], trees: new Map() }),
    loadTree: (jobId: string, runNumber = 2) =>
      Promise.resolve({
        job: job(1, { name: 'Harbour Bank', id: jobId }),
        runs: [run({ runNumber: 2 })],
        trees: new Map([
          [
            runNumber,
            {
              response: {
                jobId,
                tree: runNumber === 2 ? bankTree : null,
                ...(runNumber !== 2 && { message: 'This run ended before a step was recorded.' }),
              },
              readAt: 0,
            },
          ],
        ]),
      }),
  };

  beforeEach(() => {
    files = new FakeTreeFiles({ 'file:///project/bank.calltree.json': calltree() });
    client = new FakeClient({ generateTestsFromTree: () => ({ tests: [], skipped: [] }) });
    ran = [];
    opened = [];
  });

  const command = async (
    id: 'dialtree.test.fromTree' | 'dialtree.coverage.generate',
    value: unknown,
    ...answers: Answer[]
  ): Promise<FakeDialogs> => {
    const dialogs = new FakeDialogs(...answers);
    const run = id === 'dialtree.test.fromTree' ? testsOfPickedPaths : testsForUncovered;
    await run(value, {
      client,
      files,
      store,
      dialogs,
      ...inEnglish,
      samples: [{ file: '/samples/bank.ivr.json' }],
      open: (uri) => Promise.resolve(opened.push(uri)),
      runTests: (uris) => {
        ran.push([...uris]);
        return Promise.resolve();
      },
    });
    dialogs.done();
    return dialogs;
  };
  const fromTree = (value: unknown, ...answers: Answer[]): Promise<FakeDialogs> =>
    command('dialtree.test.fromTree', value, ...answers);
  const tests = (): string[] => files.names.filter((name) => name.endsWith('.calltest.json'));

  it('offers every path, with the leaves preselected, and writes a file for each chosen one', async () => {
    const { shown } = await fromTree(file, { pickSome: 'offered' }, { press: 'Run Now' });
    assert.deepEqual(shown, [
      'Which paths do you want tests for?\n  ○ Main menu\n  1 accounts\n  2 cards\n  9 main menu',
      'Wrote 3 tests to tests. [Run Now]',
    ]);
    assert.deepEqual(tests(), [
      'tests/harbour-bank-1-accounts.calltest.json',
      'tests/harbour-bank-2-cards.calltest.json',
      'tests/harbour-bank-9-main-menu.calltest.json',
    ]);
    const uri = 'file:///project/tests/harbour-bank-2-cards.calltest.json';
    assert.deepEqual(files.json(uri), {
      name: 'Harbour Bank: 2 cards',
      phoneNumber: '+12025550101',
      steps: [
        {
          name: 'Greeting',
          action: { type: 'dial' },
          expectedTranscript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
        },
        {
          name: 'Key 2: cards',
          action: { type: 'press', keys: '2' },
          expectedTranscript: 'One moment.',
          expectedEnd: 'transfer-ringback',
        },
      ],
    });
    assert.ok(
      'kind' in (await readTestFile(files.text(uri), uri, () => Promise.reject(new Error('nothing beside it')))),
    );
    assert.deepEqual(ran, [tests().map((name) => `file:///project/${name}`)]);
  });

  it('uses a run, or asks nothing for one of its steps and opens the file', async () => {
    await fromTree({ jobId: uuid(1), runNumber: 2 }, { pickSome: ['2 cards'] });
    assert.deepEqual(tests(), ['tests/harbour-bank-2-cards.calltest.json']);
    for (let times = 0; times < 2; times += 1) await fromTree({ jobId: uuid(1), runNumber: 2, stepId: 's2' });
    const written = ['', '-2'].map((end) => `file:///project/harbour-bank-1-accounts${end}.calltest.json`);
    assert.deepEqual(opened, ['file:///project/tests/harbour-bank-2-cards.calltest.json', ...written]);
    await assert.rejects(fromTree({ jobId: uuid(1), runNumber: 1 }), {
      message: 'This run ended before a step was recorded.',
    });
    await assert.rejects(fromTree({ jobId: 'x' }), { code: 'bad_argument' });
  });

  it('writes no test that the service would skip', async () => {
    const reason = 'It was left out: This option may pay or move money.';
    client.answers = {
      generateTestsFromTree: ({ id, version, stepIds = [] }) => {
        assert.deepEqual([id, version, stepIds.length], [uuid(1), 2, 3]);
        return { tests: [], skipped: stepIds.slice(1, 2).map((stepId) => ({ stepId, path: '2', reason })) };
      },
    };
    const { shown } = await fromTree(
      { jobId: uuid(1), runNumber: 2 },
      { pickSome: 'offered' },
      { press: undefined },
      { press: undefined },
    );
    assert.deepEqual(shown.slice(1), [`Paths without a test: 1. ${reason}`, 'Wrote 2 tests to tests. [Run Now]']);
    assert.ok(!tests().includes('tests/harbour-bank-2-cards.calltest.json'), tests().join(' '));
  });

  it('asks for a tree if none is named, and says if there is none', async () => {
    const { shown } = await fromTree(undefined, { pick: 'bank.calltree.json' }, { pickSome: undefined });
    assert.equal(shown[0], 'Which tree?\n  Mappings | Harbour Bank | Run 2\n  Files | bank.calltree.json');
    files.contents.clear();
    const jobs = store.jobs.splice(0);
    assert.match((await fromTree(undefined, { press: undefined })).shown[0] ?? '', /^There are no trees yet/);
    store.jobs.push(...jobs);
  });

  it('overwrites nothing without asking', async () => {
    const there = 'file:///project/tests/harbour-bank-2-cards.calltest.json';
    const before = JSON.stringify({
      id: uuid(5),
      name: 'mine',
      phoneNumber: '+12025550101',
      steps: [{ name: 'd', action: { type: 'dial' } }],
    });
    const again = async (...answers: Answer[]): Promise<FakeDialogs> => {
      files.contents.set(there, before);
      return fromTree(file, { pickSome: ['1 accounts', '2 cards'] }, ...answers);
    };
    assert.match(
      (await again({ pick: undefined })).shown.at(-1) ?? '',
      /^The folder already contains 1 of these tests\./,
    );
    assert.deepEqual([tests(), files.text(there)], [['tests/harbour-bank-2-cards.calltest.json'], before]);
    await again({ pick: 'Skip existing tests' });
    assert.deepEqual([tests().length, files.text(there)], [2, before]);
    files.contents.delete('file:///project/tests/harbour-bank-1-accounts.calltest.json');
    await again({ pick: 'Use different names' }, { press: undefined });
    assert.deepEqual(
      [tests(), files.text(there)],
      [
        [
          'tests/harbour-bank-1-accounts.calltest.json',
          'tests/harbour-bank-2-cards-2.calltest.json',
          'tests/harbour-bank-2-cards.calltest.json',
        ],
        before,
      ],
    );
    await again({ pick: 'Skip existing tests' });
    await again({ pick: 'Replace existing tests' }, { press: undefined });
    const { id, name } = files.json(there) as { id: string; name: string };
    assert.deepEqual([id, name], [uuid(5), 'Harbour Bank: 2 cards'], 'a test that is replaced keeps its id');
  });

  it('gives every test a distinct name, even if others are numbered already', async () => {
    const leaf = (transcript: string): object => ({
      spokenResponse: 'да',
      status: 'explored',
      transcript,
      end: 'hangup',
    });
    files.contents.set(
      'file:///project/bank.calltree.json',
      calltree({
        tree: {
          status: 'explored',
          transcript: 'Say yes.',
          children: [leaf('Opening hours.'), leaf('Delivery times.')],
        },
      }),
    );
    const [there, numbered] = [
      'file:///project/tests/harbour-bank-path.calltest.json',
      'file:///project/tests/harbour-bank-path-2.calltest.json',
    ];
    files.contents.set(there, '{}');
    await fromTree(file, { pickSome: 'offered' }, { pick: 'Use different names' }, { press: undefined });
    assert.equal(files.text(there), '{}');
    assert.deepEqual(tests(), [
      'tests/harbour-bank-path-2-2.calltest.json',
      'tests/harbour-bank-path-2.calltest.json',
      'tests/harbour-bank-path.calltest.json',
    ]);
    assert.match(files.text(numbered), /Opening hours/);
  });

  it('calls a practice IVR by its file, which a sample gets beside the tests', async () => {
    const practice = calltree({ phoneNumber: 'sip:harbour-bank@127.0.0.1:40112' });
    files.contents.set('file:///project/bank.calltree.json', practice);
    files.contents.set('file:///project/ivrs/bank.ivr.json', bankIvr);
    let told: string[] = [];
    const target = async (...said: Answer[]): Promise<unknown> => {
      const { shown } = await fromTree(file, { pickSome: ['2 cards'] }, ...said);
      told = shown.slice(1);
      const { ivr, phoneNumber } = files.json('file:///project/tests/harbour-bank-2-cards.calltest.json') as {
        ivr?: string;
        phoneNumber?: string;
      };
      files.contents.delete('file:///project/tests/harbour-bank-2-cards.calltest.json');
      return ivr ?? phoneNumber;
    };
    assert.equal(await target(), '../ivrs/bank.ivr.json');
    files.contents.delete('file:///project/ivrs/bank.ivr.json');
    assert.equal(await target(), 'sip:harbour-bank@127.0.0.1:40112', 'nobody knows the file');
    files.contents.set('file:///samples/bank.ivr.json', bankIvr);
    assert.equal(await target({ press: undefined }), 'harbour-bank.ivr.json');
    assert.equal(told[0], 'Also wrote tests/harbour-bank.ivr.json, a copy of the practice IVR that this calls.');
    assert.equal(await target(), 'harbour-bank.ivr.json', 'the copy is there');
    assert.equal(files.text('file:///project/tests/harbour-bank.ivr.json'), bankIvr);
    // A number can belong to a practice IVR and to a real phone system.
    files.contents.set('file:///project/bank.calltree.json', calltree({ phoneNumber: '+12025550101' }));
    for (const [answer, called] of [
      ['Practice IVR Harbour Bank', { ivr: 'harbour-bank.ivr.json' }],
      ['+12025550101', { phoneNumber: '+12025550101' }],
    ] as const) {
      await fromTree(file, { pickSome: ['2 cards'] }, { pick: answer });
      const { ivr, phoneNumber } = files.json('file:///project/tests/harbour-bank-2-cards.calltest.json') as {
        ivr?: string;
        phoneNumber?: string;
      };
      assert.deepEqual(
        { ...(ivr !== undefined && { ivr }), ...(phoneNumber !== undefined && { phoneNumber }) },
        called,
      );
      files.contents.delete('file:///project/tests/harbour-bank-2-cards.calltest.json');
    }
    files.contents.set('file:///project/bank.calltree.json', calltree({ phoneNumber: undefined }));
    await fromTree(file, { pickSome: ['2 cards'] }, '+12025550177');
    assert.equal(
      (files.json('file:///project/tests/harbour-bank-2-cards.calltest.json') as { phoneNumber: string }).phoneNumber,
      '+12025550177',
    );
  });

  it("reports a file's error, and that nothing was explored", async () => {
    files.contents.set('file:///project/bank.calltree.json', '{ "name": "x", "tre": {} }');
    await assert.rejects(fromTree(file), /This file doesn't contain a tree\. bank\.calltree\.json:1:/);
    files.contents.set(
      'file:///project/bank.calltree.json',
      calltree({ tree: { status: 'failed' } satisfies TreeNode }),
    );
    assert.match(
      (await fromTree(file, { press: undefined })).shown[0] ?? '',
      /^Dialtree can't generate a test for this path\. It could not be explored\./,
    );
  });

  const generate = (...answers: Answer[]): Promise<FakeDialogs> =>
    command('dialtree.coverage.generate', file, ...answers);
  const script = (...keys: string[]): string =>
    JSON.stringify({
      name: 't',
      phoneNumber: '+12025550101',
      steps: [
        { name: 'd', action: { type: 'dial' } },
        ...keys.map((key) => ({ name: key, action: { type: 'press', keys: key } })),
      ],
    });

  it('offers the branches that no test of the workspace covers, and makes tests for them', async () => {
    files.contents.set('file:///project/a.calltest.json', script('1'));
    files.contents.set('file:///project/other.calltest.json', script('2').replace('+12025550101', '+12025550199'));
    files.contents.set('file:///project/broken.calltest.json', '{');
    const { shown, waits } = await generate({ pickSome: 'offered' }, { press: undefined });
    assert.equal(
      shown[0],
      '1 of 3 branches are covered. Which of the remaining branches do you want tests for?\n  2 cards\n  9 main menu',
    );
    assert.deepEqual(waits, ['Reading the tests in the workspace…']);
    assert.match((await generate({ press: undefined })).shown[0] ?? '', /cover every branch of Harbour Bank: 3 of 3\./);
  });

  it('counts a mission by its newest run', async () => {
    files.contents.set(
      'file:///project/m.mission.json',
      JSON.stringify({ id: uuid(7), name: 'm', phoneNumber: '+12025550101', mission: 'm', acceptance: 'a' }),
    );
    client.answers = {
      listTestRuns: ({ configId }) => ({ items: configId === uuid(7) ? [testRun(30, { runType: 'mission' })] : [] }),
      getMissionTestRun: ({ runId }) => ({
        id: runId,
        configId: missionConfig(7).id,
        phoneNumber: '+12025550101',
        status: 'completed',
        startedAt: '2026-01-01T00:00:00Z',
        transcript: [
          { speaker: 'them', text: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.' },
          { speaker: 'us', text: '[keys 2]' },
          { speaker: 'them', text: 'One moment.' },
        ],
      }),
    };
    assert.match(
      (await generate({ pickSome: undefined })).shown[0] ?? '',
      /^1 of 3 branches are covered.*\n {2}1 accounts\n {2}9 main menu$/,
    );
  });

  it('preselects paths that also cover the branches on the way', async () => {
    const deep: TreeNode = {
      ...bankTree,
      audioUrl: undefined,
      children: [
        {
          stepId: 'a',
          digit: '1',
          label: 'accounts',
          status: 'explored',
          transcript: 'Accounts.',
          children: [{ stepId: 'b', digit: '2', label: 'balance', status: 'explored', end: 'hangup' }],
        },
      ],
    };
    files.contents.set('file:///project/bank.calltree.json', calltree({ tree: deep }));
    assert.match(
      (await generate({ pickSome: undefined })).shown[0] ?? '',
      /\n {2}○ 1 accounts\n {2}1 accounts > 2 balance$/,
    );
  });
});
