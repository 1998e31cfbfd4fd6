import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { diffTrees } from '../../../../src/model/tree/diff/treeDiff.ts';
import { compareOutlines, treeOutline } from '../../../../src/model/tree/treeOutline.ts';
import { sketches, treeOfSketch } from './sketchedIvr.ts';

const menu: TreeNode = {
  stepId: 'root',
  transcript: 'Welcome. For cards, press 2.\nFor an agent, press 0.',
  latencyMs: 321,
  duration: 4,
  children: [
    { stepId: 'agent', digit: '0', label: 'agent', end: 'human', transcript: 'Hello?', status: 'explored' },
    { stepId: 'phrase', spokenResponse: 'cards', label: 'cards', linksTo: 'cards', status: 'linked' },
    {
      stepId: 'cards',
      digit: '2',
      label: 'cards',
      transcript: 'Enter your card number.',
      end: 'input',
      inputRequired: { type: 'card_number', terminator: '#' },
    },
    { stepId: 'hash', digit: '#', hidden: true, linksTo: 'root', status: 'linked' },
    { stepId: 'star', digit: '*', label: 'lost', status: 'failed', reason: 'The call broke off at 12:31.' },
  ],
};

/** Returns the tree with each menu's children in another order and with other IDs. */
const shuffled = (node: TreeNode): TreeNode =>
  JSON.parse(
    JSON.stringify({ ...node, children: (node.children ?? []).toReversed().map(shuffled) }).replaceAll(
      '"id-',
      '"other-',
    ),
  ) as TreeNode;

describe('the outline of a tree', () => {
  it('has one line per fact, in keypad order, without IDs and times', () =>
    assert.equal(
      treeOutline(menu),
      [
        'says Welcome.',
        'says For cards, press 2.',
        'says For an agent, press 0.',
        '2 cards',
        '  says Enter your card number.',
        '  asks for card number, ended with #',
        '* lost',
        '  not heard, because the call failed',
        '0 agent',
        '  says Hello?',
        '  reaches a person',
        '# (hidden)',
        '  leads to the first menu',
        '"cards"',
        "  leads to a place that isn't in this tree",
        '',
      ].join('\n'),
    ));

  it('stays the same whatever the order of the run', () =>
    fc.assert(
      fc.property(sketches(), (root) =>
        assert.equal(treeOutline(shuffled(treeOfSketch(root))), treeOutline(treeOfSketch(root))),
      ),
      { numRuns: 50 },
    ));

  it('draws a menu at the first of its places, wherever it was expanded', () => {
    const sub = {
      transcript: 'Sub menu.',
      options: [{ key: '1', label: 'end' }],
      children: [{ stepId: 'e', digit: '1', label: 'end', end: 'busy' as const }],
    };
    const first: TreeNode = {
      stepId: 'r',
      transcript: 'Menu.',
      children: [
        { stepId: 'a', digit: '1', label: 'sub', ...sub },
        { stepId: 'b', digit: '2', label: 'same', linksTo: 'a' },
      ],
    };
    const second: TreeNode = {
      stepId: 'r',
      transcript: 'Menu.',
      children: [
        { stepId: 'b', digit: '2', label: 'same', ...sub },
        { stepId: 'a', digit: '1', label: 'sub', linksTo: 'b' },
      ],
    };
    assert.equal(treeOutline(second), treeOutline(first));
    assert.match(treeOutline(first), /2 same\n {2}leads to 1\n/);
  });

  const compared = (base: TreeNode, current: TreeNode): readonly [base: string[], current: string[]] => {
    const text = compareOutlines(diffTrees(base, current));
    const [before, after] = [text.base.split('\n'), text.current.split('\n')];
    return [before.filter((line) => !after.includes(line)), after.filter((line) => !before.includes(line))];
  };

  it('differs from that of another tree only in what changed', () => {
    const heard = {
      ...menu,
      transcript: 'welcome, um, to the Harbor for cards press two for an agent press zero',
      children: menu.children?.map((child) =>
        child.stepId === 'star' ? { ...child, status: 'explored' as const } : child,
      ),
    };
    const spelled = { ...menu, transcript: 'Welcome to the Harbour. For cards, press 2. For an agent, press 0.' };
    assert.deepEqual(compared(spelled, heard), [[], []]);
    const [before, after] = compared(spelled, { ...heard, transcript: heard.transcript.replace('zero', 'nine') });
    assert.deepEqual([before, after], [['says For an agent, press 0.'], ['says For an agent, press nine']]);
  });

  it('shows an option on another key in its place, and where it leads in words', () => {
    const [agent, ...others] = menu.children ?? [];
    const moved = { ...menu, children: [...others, { ...agent, digit: '5', end: 'transfer-ringback' as const }] };
    assert.deepEqual(compared(menu, moved), [
      ['0 agent', '  reaches a person'],
      ['5 agent', '  transfers the call'],
    ]);
  });

  it('has no difference from another exactly if nothing changed', () =>
    fc.assert(
      fc.property(sketches(), sketches(), (one, other) => {
        const diff = diffTrees(treeOfSketch(one), treeOfSketch(other));
        const { base, current } = compareOutlines(diff);
        assert.equal(base === current, diff.changes.length === 0);
      }),
      { numRuns: 50 },
    ));
});
