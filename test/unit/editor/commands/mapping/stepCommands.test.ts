import assert from 'node:assert/strict';
import type { StepContext } from '../../../../../src/contract/stepContext.ts';
import type { CommandId } from '../../../../../src/editor/basics/commandId.ts';
import type { TreePanels } from '../../../../../src/editor/panels/trees/treePanels.ts';
import type { TreePlace } from '../../../../../src/editor/trees/treeSource.ts';
import { commandsIn } from '../../fakeEditor.ts';
import { bankTree, job, uuid } from '../../fakes.ts';

describe('commands: the menu of a step', () => {
  const place: TreePlace = { jobId: uuid(1), runNumber: 2 };
  const step: StepContext = {
    ...{ key: 'k', stepId: 's', path: '1 > 2', prompt: 'Goodbye.' },
    ...{ plays: true, calls: true, isMapped: true, isHere: true, isPractice: true },
  };
  const done: unknown[] = [];
  const note = (what: unknown): Promise<void> => {
    done.push(what);
    return Promise.resolve();
  };
  const run = async (
    id: CommandId,
    value: unknown,
    active: unknown = {
      panel: {
        post: note,
        act: note,
        lastSnapshot: { job: job(1, { phoneNumber: 'sip:bank@127.0.0.1:5070' }), tree: { tree: bankTree } },
      },
      place,
    },
  ): Promise<unknown[]> => {
    done.length = 0;
    await commandsIn({
      panels: { active: active as TreePanels['active'] },
      practice: {
        running: [{ file: '/bank.ivr.json', name: 'Bank', number: undefined, uri: 'sip:bank@127.0.0.1:5070' }],
      },
      dialogs: { copy: note },
      run: (_id, row) => note(row),
      workbench: { openIvr: note },
    })[id](value);
    return [...done];
  };

  for (const [id, expected] of [
    ['dialtree.step.play', { type: 'play', key: 'k' }],
    ['dialtree.step.call', { type: 'callPath', stepId: 's' }],
    ['dialtree.step.copyPath', '1 > 2'],
    ['dialtree.step.copyPrompt', 'Goodbye.'],
    ['dialtree.step.findInTranscript', { type: 'openTranscript', stepId: 's' }],
    ['dialtree.step.generateTest', { ...place, stepId: 's' }],
    ['dialtree.step.openDefinition', '/bank.ivr.json'],
  ] as const)
    it(`${id} acts on the step in the tree that the user is in`, async () => {
      assert.deepEqual(await run(id, step), [expected]);
      assert.deepEqual(await run(id, undefined), [], 'without a step');
      assert.deepEqual(await run(id, step, null), [], 'without a tree');
      await assert.rejects(run(id, { key: 1 }));
    });

  it('generate a test of the path to a row of the mappings view', async () => {
    const row = { jobId: uuid(1), runNumber: 2, stepId: 's' };
    assert.deepEqual(await run('dialtree.step.generateTest', { kind: 'menu', ...row }, null), [row]);
  });
});
