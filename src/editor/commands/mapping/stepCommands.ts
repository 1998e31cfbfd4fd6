import { stepContextSchema, type StepContext } from '../../../contract/stepContext.ts';
import { mappingPlaceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import { spanOfStep } from '../../files/navigation/stepDefinition.ts';
import type { Span } from '../../files/reading/span.ts';
import type { ParsedFile } from '../../folders/parsedFile.ts';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import type { TreePanels } from '../../panels/trees/treePanels.ts';
import { findStep } from '../../store/snapshot.ts';
import type { TreePlace } from '../../trees/treeSource.ts';

interface StepCommandParts {
  readonly panels: Pick<TreePanels, 'active'>;
  readonly practice: { readonly running: readonly PracticeIvr[] };
  readonly dialogs: Pick<Dialogs, 'copy'>;
  readonly generateTests: (place: TreePlace) => unknown;
  readonly openIvr: (file: string, part: (parsed: ParsedFile) => Span) => Promise<unknown>;
}

/** The menu of a step in a tree's page. The page gives the step; the tree is the one that the user is in. */
export function stepCommands(parts: StepCommandParts): HandlersOf<'step'> {
  const { panels, practice, dialogs, generateTests, openIvr } = parts;
  type Active = NonNullable<TreePanels['active']>;
  const onStep =
    (work: (step: StepContext, active: Active) => unknown) =>
    (value: unknown): unknown => {
      const step = readArgument(stepContextSchema, value);
      return step && panels.active && work(step, panels.active);
    };
  return {
    'dialtree.step.play': onStep(({ key }, { panel }) => panel.post({ type: 'play', key })),
    'dialtree.step.copyPath': onStep(({ path }) => dialogs.copy(path)),
    'dialtree.step.copyPrompt': onStep(({ prompt }) => dialogs.copy(prompt)),
    'dialtree.step.call': onStep(({ stepId }, { panel }) =>
      stepId === undefined ? undefined : panel.act({ type: 'callPath', stepId }),
    ),
    'dialtree.step.findInTranscript': onStep(({ stepId }, { panel }) => panel.act({ type: 'openTranscript', stepId })),
    // Also for rows of the mappings view.
    'dialtree.step.generateTest': (value) => {
      const row = mappingPlaceSchema.safeParse(value).data;
      return row ? generateTests(row) : onStep(({ stepId }, { place }) => generateTests({ ...place, stepId }))(value);
    },
    'dialtree.step.openDefinition': onStep(({ stepId = '' }, { panel: { lastSnapshot } }) => {
      const ivr = practice.running.find(({ uri }) => uri === lastSnapshot?.job?.phoneNumber);
      const path = findStep(lastSnapshot?.tree.tree, stepId) ?? [];
      return ivr && openIvr(ivr.file, (parsed) => spanOfStep(parsed, path));
    }),
  };
}
