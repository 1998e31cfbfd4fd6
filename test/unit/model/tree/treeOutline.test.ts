import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TreeNode } from '../../../../src/contract/tree.ts';
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
        '  ends with input',
        '* lost',
        '  not heard: failed',
        '0 agent',
        '  says Hello?',
        '  ends with human',
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

  it("shows the words beside another tree's if both say the same", () => {
    const heard: TreeNode = { ...menu, transcript: 'welcome, um, for cards press two for an agent press zero' };
    const { base, current } = compareOutlines(menu, heard);
    assert.equal(current, base);
    const changed = compareOutlines(menu, {
      ...menu,
      transcript: 'welcome! For cards press two. For an agent, press 9.',
    });
    assert.deepEqual(
      changed.current.split('\n').filter((line) => !changed.base.includes(`${line}\n`) && line !== ''),
      ['says For an agent, press 9.'],
    );
  });
});
