import { applyEdits, parseTree, type Edit } from 'jsonc-parser';
import { callTestFileSchema } from '../../contract/callTestFile.ts';
import { testStepSchema, type TestStep } from '../../contract/testConfigs.ts';
import { readJsonFile } from '../files/jsonFile.ts';
import { nodeAt } from '../files/nodeAt.ts';

type Steps = readonly TestStep[];

/**
 * Returns the edits that give a scripted test's file the proposed keys and words. Each replaces a member with its name;
 * all else stays. Returns undefined if the file has other steps than those that ran, or no such edits lead to the proposal.
 */
export function repairsOf(text: string, ran: Steps, proposed: Steps): readonly Edit[] | undefined {
  // The parser doesn't read a byte order mark.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
  const edits = proposed.flatMap(({ action, expectedTranscript }, at) =>
    Object.entries({ 'action.keys': 'keys' in action && action.keys, expectedTranscript }).flatMap(
      ([member, value]): Edit[] => {
        const node = nodeAt(root, ['steps', at, ...member.split('.')]);
        if (!node?.parent || node.value === value) return [];
        const { offset, length } = node.parent;
        return [{ offset, length, content: text.slice(offset, node.offset) + JSON.stringify(value) }];
      },
    ),
  );
  const isSame = hasSteps(text, ran) && hasSteps(applyEdits(text, edits), proposed);
  return isSame && edits.length > 0 ? edits : undefined;
}

function hasSteps(text: string, steps: Steps): boolean {
  const read = readJsonFile(text, '', callTestFileSchema);
  const wanted = steps.map((step) => testStepSchema.parse(step));
  return 'value' in read && JSON.stringify(read.value.steps) === JSON.stringify(wanted);
}
