import assert from 'node:assert/strict';
import type { CalltreeNode } from '../../../../src/contract/calltreeFile.ts';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import type { StepResult, Turn } from '../../../../src/contract/testRuns.ts';
import { isMapped } from '../../../../src/model/tests/calledParty.ts';
import { countOf, coverTree, walkOfSteps, walkOfTurns } from '../../../../src/model/tests/pathCoverage.ts';
import type { TreeCoverage, Walk } from '../../../../src/model/tests/pathCoverage.ts';
import { testsFromTree } from '../../../../src/model/tests/testsFromTree.ts';
import { pathText } from '../../../../src/model/tree/treePaths.ts';

const say = (text: string): Partial<CalltreeNode> => ({ status: 'explored', transcript: text });
const tree: CalltreeNode = {
  stepId: 'root',
  ...say('Welcome to the bank. For accounts, press 1. For cards, press 2.'),
  children: [
    {
      stepId: 'accounts',
      digit: '1',
      label: 'accounts',
      ...say('You have reached accounts. For your balance, press 1. To go back, press star.'),
      children: [
        {
          stepId: 'balance',
          digit: '1',
          label: 'your balance',
          ...say('Your balance is two hundred dollars.'),
          end: 'hangup',
        },
        { stepId: 'back', digit: '*', label: 'go back', status: 'linked', linksTo: 'root', transcript: '' },
        { stepId: 'pay', digit: '3', label: 'pay', status: 'skipped' },
      ],
    },
    {
      stepId: 'cards',
      digit: '2',
      label: 'cards',
      ...say('You can say lost card, or new card.'),
      children: [
        { stepId: 'lost', spokenResponse: 'lost card', ...say('Please hold the line.'), end: 'hold-music' },
        { stepId: 'new', spokenResponse: 'new card', ...say('Please visit our web site.'), end: 'hangup' },
      ],
    },
  ],
};
const steps = (...actions: object[]) =>
  [{ type: 'dial' }, ...actions].map((action, index) =>
    testStepSchema.parse({ name: `step ${String(index)}`, action }),
  );
const press = (keys: string): object => ({ type: 'press', keys });
const result = (outcome: StepResult['outcome'], transcript?: string): StepResult => ({
  name: 'n',
  outcome,
  ...(transcript !== undefined && { transcript }),
});
const walked = ({ branches }: TreeCoverage): string[] =>
  branches.filter(({ executed }) => executed > 0).map(({ path, executed }) => `${pathText(path)} ×${String(executed)}`);
const cover = (...walks: (Walk | undefined)[]): TreeCoverage =>
  coverTree(
    tree,
    walks.filter((walk) => walk !== undefined),
  );

describe('model: coverage of a tree', () => {
  it('counts the branches that tests use, through links too, and lists unused ones', () => {
    const coverage = cover(
      walkOfSteps(steps(press('1,*'), press('2'), { type: 'say', text: 'Lost card, please' })),
      walkOfSteps(steps(press('1'))),
    );
    assert.deepEqual(walked(coverage), ['1 ×2', '2 ×1', '1 > * ×1', '2 > lost card ×1']);
    assert.deepEqual(
      [countOf(coverage.statements), countOf(coverage.branches)],
      [
        { covered: 5, total: 7 },
        { covered: 4, total: 6 },
      ],
    );
    assert.deepEqual(
      coverage.branches.filter(({ executed }) => executed === 0).map(({ path }) => pathText(path)),
      ['1 > 1', '2 > new card'],
    );
    assert.equal(coverage.statements[0]?.executed, 3, 'the first menu is heard again where a link leads to it');
  });

  it('follows a link to the first step with an ambiguous ID', () => {
    const twice: CalltreeNode = {
      ...say('Press 1 or 2.'),
      children: [
        { stepId: 'a', digit: '1', children: [{ digit: '7', end: 'hangup' }] },
        { stepId: 'a', digit: '2', children: [{ digit: '8', end: 'hangup' }] },
        { digit: '3', status: 'linked', linksTo: 'a' },
      ],
    };
    assert.deepEqual(walked(coverTree(twice, [[{ key: '3' }, { key: '7' }]])), ['3 ×1', '1 > 7 ×1']);
  });

  it('reaches everything with a test of every path', () => {
    const { tests } = testsFromTree(tree, 'Bank');
    const { statements, branches } = cover(...tests.map((test) => walkOfSteps(test.steps)));
    assert.deepEqual(
      [countOf(statements), countOf(branches)],
      [
        { covered: 7, total: 7 },
        { covered: 6, total: 6 },
      ],
    );
  });

  it('stops at unknown branches, and at data entry', () => {
    assert.deepEqual(walked(cover(walkOfSteps(steps(press('1'), press('7'), press('1'))))), ['1 ×1']);
    assert.deepEqual(
      walked(cover(walkOfSteps(steps(press('1'), press('3'))))),
      ['1 ×1'],
      'nobody knows what a skipped key leads to',
    );
    assert.deepEqual(
      walked(cover(walkOfSteps(steps(press('{menu}1')), { menu: '1' }), walkOfSteps(steps(press('{menu}1'))))),
      ['1 ×1', '1 > 1 ×1'],
    );
  });

  it("ends where a run ended: at the first step that didn't pass, and not in another menu", () => {
    const meant = steps(press('1'), press('1'));
    const run = (...results: StepResult[]): string[] => walked(cover(walkOfSteps(meant, {}, results)));
    assert.deepEqual(
      run(result('PASS'), result('PASS', 'You have reached accounts. For your balance'), result('PASS')),
      ['1 ×1', '1 > 1 ×1'],
    );
    assert.deepEqual(run(result('PASS'), result('FAIL', 'You have reached accounts.'), result('INCONCLUSIVE')), []);
    assert.deepEqual(
      run(result('PASS'), result('PASS', 'Our lines are closed until next spring.'), result('PASS')),
      [],
      'the tree says other words than the test',
    );
    assert.equal(walkOfSteps(meant, {}, [result('FAIL'), result('INCONCLUSIVE')]), undefined);
    assert.equal(walkOfSteps(meant, {}, []), undefined);
  });

  it("follows what was said in a call, past keys that weren't accepted", () => {
    const them = (text: string): Turn => ({ speaker: 'them', text });
    const us = (text: string): Turn => ({ speaker: 'us', text });
    const menu = tree.transcript ?? '';
    assert.deepEqual(
      walked(
        cover(
          walkOfTurns([
            them(menu),
            us('[keys 7]'),
            them(`That is not valid. ${menu}`),
            us('[keys 2]'),
            them('You can say lost card, or new card.'),
            us('new card'),
            them('Please visit our web site.'),
          ]),
        ),
      ),
      ['2 ×1', '2 > new card ×1'],
    );
    assert.deepEqual(walked(cover(walkOfTurns([them(menu), us('[keys ••••]'), them('Thank you. Goodbye.')]))), []);
    assert.equal(walkOfTurns([us('Hello?')]), undefined);
  });

  it('knows the mapped number', () => {
    const number = '+12025550101';
    assert.ok(isMapped({ phoneNumber: number }, { phoneNumber: number }));
    assert.ok(!isMapped({ phoneNumber: number }, { phoneNumber: '+12025550102' }));
    assert.ok(
      !isMapped({ phoneNumber: 'sip:bank@127.0.0.1:5070' }, { phoneNumber: 'sip:bank@127.0.0.1:5080' }),
      'another port may be another system',
    );
    const ivr = { name: 'Harbour Bank', number };
    for (const phoneNumber of [number, 'sip:harbour-bank@127.0.0.1:40112', `sip:${number}@localhost:5070`])
      assert.ok(isMapped({ ivr }, { phoneNumber }), phoneNumber);
    for (const phoneNumber of ['sip:other@127.0.0.1:40112', 'sip:harbour-bank@pbx.example.com'])
      assert.ok(!isMapped({ ivr }, { phoneNumber }), phoneNumber);
    assert.ok(!isMapped({ ivr }, {}));
  });
});
