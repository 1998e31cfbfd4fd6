import { stepContextSchema, type StepContext } from '../../../contract/stepContext.ts';
import { mappingPlaceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { CommandId } from '../../basics/commandId.ts';
import { spanOfStep } from '../../files/navigation/stepDefinition.ts';
import { isCalledAt } from '../../host/practiceNotes.ts';
import type { TreePanels } from '../../panels/trees/treePanels.ts';
import { findStep } from '../../store/snapshot.ts';
import { command, type EditorCommand } from '../command.ts';
import type { Editor } from '../editor.ts';

type Work = (step: StepContext, active: NonNullable<TreePanels['active']>, editor: Editor) => unknown;

/** The menu of a step in a tree's page. The page gives the step; the tree is the one that the user is in. */
const onStep = (id: CommandId, work: Work, calls = false): EditorCommand =>
  command({ id, calls, run: (editor, value) => workOnStep(editor, value, work) });

function workOnStep(editor: Editor, value: unknown, work: Work): unknown {
  const step = readArgument(stepContextSchema, value);
  const { active } = editor.panels;
  return step && active && work(step, active, editor);
}

export const stepCommands = [
  onStep('dialtree.step.play', ({ key }, { panel }) => panel.post({ type: 'play', key })),
  onStep('dialtree.step.copyPath', ({ path }, _active, { dialogs }) => dialogs.copy(path)),
  onStep('dialtree.step.copyPrompt', ({ prompt }, _active, { dialogs }) => dialogs.copy(prompt)),
  onStep(
    'dialtree.step.call',
    ({ stepId }, { panel }) => (stepId === undefined ? undefined : panel.act({ type: 'callPath', stepId })),
    true,
  ),
  onStep('dialtree.step.findInTranscript', ({ stepId }, { panel }) => panel.act({ type: 'openTranscript', stepId })),
  command({
    id: 'dialtree.step.generateTest',
    run(editor, value) {
      // Also for rows of the mappings view.
      const row = mappingPlaceSchema.safeParse(value).data;
      return row
        ? editor.run('dialtree.test.fromTree', row)
        : workOnStep(editor, value, ({ stepId }, { place }) =>
            editor.run('dialtree.test.fromTree', { ...place, stepId }),
          );
    },
  }),
  onStep('dialtree.step.openDefinition', ({ stepId = '' }, { panel: { lastSnapshot } }, { practice, workbench }) => {
    const ivr = practice.running.find((one) => isCalledAt(one, lastSnapshot?.job?.phoneNumber ?? ''));
    const path = findStep(lastSnapshot?.tree.tree, stepId) ?? [];
    return ivr && workbench.openIvr(ivr.file, (parsed) => spanOfStep(parsed, path));
  }),
];
