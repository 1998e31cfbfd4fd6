import assert from 'node:assert/strict';
import { findPrompts, maxFound } from '../../../../src/editor/trees/promptSearch.ts';
import { bankTree, job, mapped, run } from '../fakes.ts';
import type { TreeNode } from '../../../../src/contract/tree.ts';

const withTree = (number: number, tree: TreeNode) => mapped(job(number, { currentRun: run() }), tree);
const menu: TreeNode = {
  stepId: 'a',
  label: '',
  path: '',
  transcript: 'Welcome to the clinic. For prescriptions, press 1.',
  children: [
    {
      stepId: 'b',
      label: 'prescriptions',
      path: '1',
      transcript: `${'Please listen. '.repeat(20)}Repeat prescriptions take two days.`,
    },
    { stepId: 'c', label: 'back', path: '*', linksTo: 'a', transcript: 'Welcome to the clinic.' },
  ],
};

describe('the search over all prompts', () => {
  it('finds all words in any order and case, in label or prompt, each menu once', () => {
    const found = findPrompts([withTree(1, bankTree), withTree(2, menu)], 'CLINIC welcome');
    assert.deepEqual(
      found.map(({ stepId, jobName, path, runNumber }) => ({ stepId, jobName, path, runNumber })),
      [{ stepId: 'a', jobName: 'Job 2', path: '', runNumber: 1 }],
    );
  });

  it('shows the words in their context', () => {
    const [, found] = findPrompts([withTree(2, menu)], 'prescriptions');
    assert.match(found?.passage ?? '', /^….*Repeat prescriptions take two days\.$/);
  });

  it('finds nothing without words or trees, and limits the results', () => {
    assert.deepEqual(findPrompts([withTree(2, menu)], '  '), []);
    assert.deepEqual(findPrompts([{ job: job(1), runs: undefined, trees: new Map() }], 'welcome'), []);
    const many: TreeNode = {
      ...menu,
      children: Array.from({ length: maxFound + 10 }, (_, index) => ({
        stepId: `s${String(index)}`,
        label: 'welcome',
      })),
    };
    assert.equal(findPrompts([withTree(1, many)], 'welcome').length, maxFound);
  });
});
