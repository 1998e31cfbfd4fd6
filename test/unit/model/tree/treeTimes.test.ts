import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { latencyLevel, soonestPerson, stepTimes } from '../../../../src/model/tree/treeTimes.ts';

const step = (label: string, more: Partial<TreeNode> = {}): TreeNode => ({ label, status: 'explored', ...more });

describe("the times of a tree's steps", () => {
  const late = step('person behind two menus', { end: 'human', latencyMs: 2000 });
  const soon = step('person behind one', { end: 'human', latencyMs: 500 });
  const unmeasured = step('menu', { duration: 12, promptEndMs: 10_000, children: [late] });
  const root = step('greeting', {
    duration: 20,
    latencyMs: 300,
    children: [
      unmeasured,
      soon,
      step('link', { status: 'linked', linksTo: 'x' }),
      step('failed', { status: 'failed' }),
    ],
  });

  it('give the start of each step, for patient and impatient callers', () => {
    const times = stepTimes(root);
    assert.deepEqual(times.get(root), { patientSeconds: 0.3, quickSeconds: 0.3 });
    assert.deepEqual(times.get(soon), { patientSeconds: 20.5, quickSeconds: 0.8 });
    assert.deepEqual(times.get(late), { patientSeconds: 32, quickSeconds: undefined });
    assert.deepEqual(
      [...times.keys()].map(({ label }) => label),
      ['greeting', 'menu', 'person behind one', 'person behind two menus'],
    );
  });

  it('name the fastest way to a person, if there is one', () => {
    assert.equal(soonestPerson(root)?.node, soon);
    assert.equal(soonestPerson(step('alone')), undefined);
  });

  it('have four levels', () =>
    assert.deepEqual([0, 1000, 1001, 2000, 4000, 4001].map(latencyLevel), [0, 0, 1, 1, 2, 3]));
});
