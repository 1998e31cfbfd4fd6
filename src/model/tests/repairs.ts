import { applyEdits, parseTree, type Edit } from 'jsonc-parser';
import { callTestFileSchema } from '../../contract/callTestFile.ts';
import { testStepSchema, type TestStep } from '../../contract/testConfigs.ts';
import { readJsonFile, type Resolve } from '../files/jsonFile.ts';
import { nodeAt } from '../files/nodeAt.ts';

type Steps = readonly TestStep[];

/**
 * Returns the edits that give a scripted test's file the proposed keys and words. Each replaces a member with its name;
 * all else stays. Returns undefined if the file has other steps than those that ran, or no such edits lead to the proposal.
 * `resolve` replaces the references of the file, as in the steps that ran.
 */
export function repairsOf(text: string, ran: Steps, proposed: Steps, resolve?: Resolve): readonly Edit[] | undefined {
  // The parser doesn't read a byte order mark.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
  const edits = proposed.flatMap((step, at) =>
    Object.entries(repairable(step)).flatMap(([member, value]): Edit[] => {
      const node = nodeAt(root, ['steps', at, ...member.split('.')]);
      // The file can say the same with a reference.
      if (!node?.parent || repairable(ran[at])[member] === value) return [];
      const { offset, length } = node.parent;
      return [{ offset, length, content: text.slice(offset, node.offset) + JSON.stringify(value) }];
    }),
  );
  const isSame = hasSteps(text, ran, resolve) && hasSteps(applyEdits(text, edits), proposed, resolve);
  return isSame && edits.length > 0 ? edits : undefined;
}

const repairable = ({ action, expectedTranscript }: Partial<TestStep> = {}): Readonly<Record<string, unknown>> => ({
  'action.keys': action && 'keys' in action && action.keys,
  expectedTranscript,
});

function hasSteps(text: string, steps: Steps, resolve: Resolve | undefined): boolean {
  const read = readJsonFile(text, '', callTestFileSchema, resolve);
  const wanted = steps.map((step) => testStepSchema.parse(step));
  return 'value' in read && JSON.stringify(read.value.steps) === JSON.stringify(wanted);
}
