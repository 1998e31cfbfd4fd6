import * as z from 'zod';
import { ours, untrusted } from './untrusted.ts';

/** The differences between two trees of one IVR: a base and the current tree. */
export const treeChangeKindSchema = z
  .enum(['added', 'removed', 'moved', 'reworded', 'renumbered', 'relinked', 'slower'])
  .describe(
    'moved: elsewhere in the tree; renumbered: same place, another key; relinked: leads to another menu, or ends differently; slower: the prompt starts later',
  );
export type TreeChangeKind = z.output<typeof treeChangeKindSchema>;

export const treeChangeSchema = z.strictObject({
  kind: treeChangeKindSchema,
  stepId: ours(z.string()).optional().describe('Step of the current tree; absent if removed'),
  baseStepId: ours(z.string()).optional().describe('Step of the base; absent if added'),
  path: untrusted(z.string()).optional().describe('Current path'),
  basePath: untrusted(z.string()).optional().describe('Path in the base'),
  before: untrusted(z.string())
    .optional()
    .describe('Value before the change, by kind: words, key, destination, or latency in ms'),
  after: untrusted(z.string()).optional(),
  sentence: untrusted(z.string()).describe('The change in one sentence'),
});
export type TreeChange = z.output<typeof treeChangeSchema>;

export const treeComparisonSchema = z.strictObject({
  jobId: ours(z.string()),
  baseId: ours(z.string()).optional().describe('Job of run base, if it is another one'),
  base: z.int().describe('Run number of the base'),
  version: z.int().describe('Number of the run that is compared with the base'),
  changes: z.array(treeChangeSchema).describe('In the order of the tree, each menu before its branches'),
  counts: z
    .strictObject({
      added: z.int(),
      removed: z.int(),
      moved: z.int(),
      reworded: z.int(),
      renumbered: z.int(),
      relinked: z.int(),
      slower: z.int(),
    } satisfies Record<TreeChangeKind, z.ZodInt>)
    .describe('Number of changes of each kind'),
  unsure: z.int().describe('Number of unsure steps of both trees, which are not compared; map again to confirm'),
});
export type TreeComparison = z.output<typeof treeComparisonSchema>;
