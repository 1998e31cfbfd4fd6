import assert from 'node:assert/strict';
import { readTestFile } from '../../../../../src/model/tests/testFile.ts';
import { coverableTree } from '../../../../../src/editor/testing/coverage/coverageDetails.ts';
import type { TestSource } from '../../../../../src/editor/folders/testSource.ts';
import { WalkedCalls } from '../../../../../src/editor/testing/coverage/walkedCalls.ts';
import { results, step } from '../fakeRuns.ts';

const treeText = `{
  // The tree of the last release.
  "name": "Bank",
  "phoneNumber": "sip:harbour-bank@127.0.0.1:40112",
  "tree": {
    "stepId": "root",
    "status": "explored",
    "transcript": "Welcome. For accounts, press 1. For cards, press 2.",
    "children": [
      {
        "stepId": "accounts", "digit": "1", "label": "accounts", "status": "explored",
        "children": [
          { "stepId": "back", "digit": "*", "label": "", "status": "linked", "linksTo": "root" }
        ]
      },
      { "stepId": "cards", "digit": "2", "label": "cards", "status": "explored", "end": "hangup" }
    ]
  }
}
`;
const ivr = JSON.stringify({
  name: 'Harbour Bank',
  start: 'main',
  states: { main: { prompt: 'Welcome', end: 'hangup' } },
});
const source = (file: string): TestSource => ({
  file,
  path: file,
  read: () => Promise.reject(new Error('not read here')),
  write: () => Promise.resolve(),
  readBeside: (path) =>
    path === 'bank.ivr.json'
      ? Promise.resolve({ text: ivr, file: path })
      : Promise.reject(new Error(`There is no ${path}.`)),
});
const press = (keys: string): object => ({ name: `key ${keys}`, action: { type: 'press', keys } });

async function testFile(members: object): ReturnType<typeof readTestFile> {
  return readTestFile(
    JSON.stringify({
      name: 'Test',
      steps: [{ name: 'Greeting', action: { type: 'dial' } }, press('1'), press('*')],
      ...members,
    }),
    'a.calltest.json',
    source('a').readBeside,
  );
}

describe('coverage of a tree in the workspace', () => {
  const covered = async (members: object, ending: Parameters<WalkedCalls<string>['add']>[2]): Promise<string[]> => {
    const calls = new WalkedCalls<string>();
    const file = await testFile(members);
    assert.ok('kind' in file);
    await calls.add('test', file, ending, source('a.calltest.json'));
    const tree = coverableTree(treeText, 'bank.calltree.json');
    assert.ok(tree);
    return tree
      .cover(calls.through(tree.calltree).map(({ walk }) => walk))
      .map(({ executed, from, to, ways }) =>
        `${String(executed)}× ${String(from.line)}:${String(from.column)}–${String(to.line)}:${String(to.column)} ${ways.map((way) => `[${way.label} ${String(way.executed)}× at ${String(way.at.line)}]`).join(' ')}`.trim(),
      );
  };

  it('counts the steps that a run went through, on their lines, with the branches from there', async () => {
    const run = results(1, {
      phoneNumber: 'sip:harbour-bank@127.0.0.1:50001',
      steps: [step('Greeting'), step('key 1'), step('key *')],
    });
    assert.deepEqual(await covered({ ivr: 'bank.ivr.json' }, { results: run, mission: undefined }), [
      '2× 5:11–8:72 [1 accounts 1× at 10] [2 cards 0× at 16]',
      '1× 10:7–11:86 [* 1× at 13]',
      '0× 16:7–16:99',
      '1× 13:11–13:97',
    ]);
  });

  it('omits the target of a failed step, and calls to other numbers', async () => {
    const failed = results(1, {
      phoneNumber: 'sip:harbour-bank@127.0.0.1:50001',
      steps: [step('Greeting'), step('key 1', { outcome: 'FAIL' }), step('key *', { outcome: 'INCONCLUSIVE' })],
    });
    assert.deepEqual(
      (await covered({ ivr: 'bank.ivr.json' }, { results: failed, mission: undefined })).map((line) => line[0]),
      ['1', '0', '0', '0'],
    );
    const elsewhere = results(1, {
      phoneNumber: '+12025550177',
      steps: [step('Greeting'), step('key 1'), step('key *')],
    });
    assert.deepEqual(
      (await covered({ phoneNumber: '+12025550177' }, { results: elsewhere, mission: undefined })).map(
        (line) => line[0],
      ),
      ['0', '0', '0', '0'],
    );
    assert.deepEqual(
      (await covered({ ivr: 'gone.ivr.json' }, { results: failed, mission: undefined })).map((line) => line[0]),
      ['0', '0', '0', '0'],
    );
  });

  it('names the targets of calls that no tree belongs to', async () => {
    const calls = new WalkedCalls<string>();
    for (const [phoneNumber, members] of [
      ['sip:harbour-bank@127.0.0.1:50001', { ivr: 'bank.ivr.json' }],
      ['+12025550177', { phoneNumber: '+12025550177' }],
      ['+12025550177', { phoneNumber: '+12025550177' }],
      ['sip:desk@pbx', { phoneNumber: 'sip:desk@pbx' }],
    ] as const) {
      const file = await testFile(members);
      assert.ok('kind' in file);
      const run = results(1, { phoneNumber, steps: [step('Greeting')] });
      await calls.add('test', file, { results: run, mission: undefined }, source('a.calltest.json'));
    }
    assert.deepEqual(calls.withoutTree, ['Harbour Bank', '+12025550177', 'desk']);
    const tree = coverableTree(treeText, 'bank.calltree.json');
    assert.ok(tree);
    calls.through(tree.calltree);
    assert.deepEqual(calls.withoutTree, ['+12025550177', 'desk']);
  });

  it('follows a mission by the words of the call', async () => {
    const calls = new WalkedCalls<string>();
    const file = await readTestFile(
      JSON.stringify({ name: 'M', ivr: 'bank.ivr.json', mission: 'm', acceptance: 'a' }),
      'a.mission.json',
      source('a').readBeside,
    );
    assert.ok('kind' in file);
    const transcript = [
      { speaker: 'them' as const, text: 'Welcome. For accounts, press 1. For cards, press 2.' },
      { speaker: 'us' as const, text: '[keys 2]' },
      { speaker: 'them' as const, text: 'Goodbye.' },
    ];
    const mission = { id: '', configId: '', phoneNumber: '', status: 'completed' as const, transcript, startedAt: '' };
    await calls.add(
      'mission',
      file,
      { results: results(1, { runType: 'mission' }), mission },
      source('a.mission.json'),
    );
    const tree = coverableTree(treeText, 'bank.calltree.json');
    assert.ok(tree);
    assert.deepEqual(
      tree.cover(calls.through(tree.calltree).map(({ walk }) => walk)).map(({ executed }) => executed),
      [1, 0, 1, 0],
    );
  });

  it('mistakes no other JSON for a tree', () => {
    assert.equal(coverableTree('{"name": "x"}', 'x.calltree.json'), undefined);
    assert.equal(coverableTree('', 'x.calltree.json'), undefined);
  });
});
