import * as z from 'zod';
import { ours, untrusted } from './untrusted.ts';

/** What differs between two trees of one IVR: a base and what is there now. */
export const treeChangeKindSchema = z
  .enum(['added', 'removed', 'moved', 'reworded', 'renumbered', 'relinked', 'slower'])
  .describe(
    'moved: elsewhere in the tree; renumbered: same place, another key; relinked: leads to another menu, or ends another way; slower: the prompt comes later',
  );
export type TreeChangeKind = z.output<typeof treeChangeKindSchema>;

export const treeChangeSchema = z
  .object({
    kind: treeChangeKindSchema,
    stepId: ours(z.string()).optional().describe('Step of the present tree; absent where it is removed'),
    baseStepId: ours(z.string()).optional().describe('Step of the base; absent where it is added'),
    path: untrusted(z.string()).optional().describe('Its path now'),
    basePath: untrusted(z.string()).optional().describe('Its path in the base'),
    before: untrusted(z.string())
      .optional()
      .describe('What it said, which key it had, where it led, or the latency in ms; what the kind is about'),
    after: untrusted(z.string()).optional(),
    sentence: untrusted(z.string()).describe('The change in one sentence'),
  })
  .strict();
export type TreeChange = z.output<typeof treeChangeSchema>;

/** The changes between the trees of two runs of a job. */
export const treeComparisonSchema = z
  .object({
    jobId: ours(z.string()),
    base: z.int().describe('Run number of the base'),
    version: z.int().describe('Run number of what it is compared with'),
    changes: z.array(treeChangeSchema).describe('In the order of the tree, a menu before what is behind it'),
    counts: z
      .object({
        added: z.int(),
        removed: z.int(),
        moved: z.int(),
        reworded: z.int(),
        renumbered: z.int(),
        relinked: z.int(),
        slower: z.int(),
      } satisfies Record<TreeChangeKind, z.ZodInt>)
      .strict()
      .describe('Changes of each kind'),
  })
  .strict();
export type TreeComparison = z.output<typeof treeComparisonSchema>;
