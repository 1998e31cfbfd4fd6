import assert from 'node:assert/strict';
import { growingTree } from '../../../../src/cli/tree/growingTree.ts';
import type { TreeNode } from '../../../../src/contract/tree.ts';

const root = (children: TreeNode[], change: Partial<TreeNode> = {}): TreeNode => ({
  stepId: 'root',
  depth: 0,
  path: '',
  status: 'explored',
  transcript: 'Welcome.',
  ...change,
  children,
});
const step = (path: string, change: Partial<TreeNode> = {}): TreeNode => ({
  stepId: path,
  path,
  digit: path.at(-1) ?? '',
  label: `label ${path.at(-1) ?? ''}`,
  status: 'pending',
  ...change,
});

describe('the lines of a growing tree', () => {
  it('show a step when it is found, and again when it is explored', () => {
    const grown = growingTree(100);
    const menu = (children: TreeNode[] = []): TreeNode =>
      step('1', { status: 'explored', transcript: 'For a card, press 2.', children });
    assert.deepEqual(grown(root([step('1')], { status: 'exploring' })), ['  1 · label 1']);
    assert.deepEqual(grown(root([step('1', { status: 'exploring' })])), ['☎  Welcome.']);
    assert.deepEqual(grown(root([menu([step('1 > 2')])])), [
      '  1 · label 1  — For a card, press 2.',
      '    1 > 2 · label 2',
    ]);
    assert.deepEqual(grown(root([menu([step('1 > 2')])])), []);
  });

  it('show a step once if its end is known when it is first seen', () => {
    const ended = step('1', { status: 'explored', end: 'hangup', transcript: 'Goodbye.' });
    assert.deepEqual(growingTree(100)(root([ended])), ['☎  Welcome.', '  1 · label 1  [hangs up]  — Goodbye.']);
  });

  it('name the menu to which a step leads, and why a step was not explored', () => {
    const steps = [
      step('9', { status: 'linked', linksTo: 'root' }),
      step('8', { status: 'linked', linksTo: '9' }),
      step('7', { status: 'linked', linksTo: 'elsewhere' }),
      step('0', { status: 'skipped', reason: 'Too deep.' }),
    ];
    assert.deepEqual(growingTree(100)(root(steps)).slice(1), [
      '  9 · label 9  ↪ the first menu',
      '  8 · label 8  ↪ 9',
      '  7 · label 7  ↪ another menu',
      '  0 · label 0  (Too deep.)',
    ]);
  });

  it('stay on one line and within the terminal, whatever an IVR says', () => {
    const noise = '\u001b[2J\r\n\u202eword ';
    const lines = growingTree(60)(
      root([
        step('1', { label: `\u001b[31mred\nline`, status: 'explored', end: 'human', transcript: noise.repeat(50) }),
        step('2', { label: 'a long label '.repeat(9).trim() }),
      ]),
    );
    assert.equal(lines.length, 3);
    assert.ok(lines.every((line) => !/[\p{Cc}\p{Bidi_Control}]/u.test(line)));
    assert.ok((lines[1] ?? '').length <= 60, lines[1]);
  });

  it('show a step no more than twice, even if it is explored again', () => {
    const grown = growingTree(100);
    for (const status of ['pending', 'exploring', 'failed', 'pending', 'explored', 'pending'] as const)
      grown(root([step('1', { status })]));
    assert.deepEqual(grown(root([step('1')])), []);
  });
});
