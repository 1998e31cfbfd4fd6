import * as z from 'zod';
import { dialTargetSchema, isoDateSchema, nameSchema } from './common.ts';
import { schemaReferenceSchema } from './fileMembers.ts';
import { runStatusSchema } from './mapping.ts';
import { treeNodeFields, type TreeNode } from './tree.ts';

/** The mapped tree as a file, `*.calltree.json`: a baseline in git that later runs are compared with. */

// A signed address is valid for an hour and for one service. Without the recording, the position of the prompt in it
// means nothing.
const { audioUrl: _audioUrl, promptStartMs: _startMs, promptEndMs: _endMs, ...calltreeNodeFields } = treeNodeFields;
/** The properties of a step without its children, in order. */
export const calltreeNodeMembers = Object.keys(calltreeNodeFields) as readonly Exclude<
  keyof CalltreeNode,
  'children'
>[];

/** A step in a file, without its recording. */
export type CalltreeNode = Omit<TreeNode, 'audioUrl' | 'promptStartMs' | 'promptEndMs' | 'children'> & {
  children?: CalltreeNode[] | undefined;
};
const calltreeNodeSchema: z.ZodType<CalltreeNode> = z
  .strictObject({
    ...calltreeNodeFields,
    get children() {
      return z.array(calltreeNodeSchema).optional();
    },
  })
  .meta({ id: 'CalltreeNode', description: 'A step of the tree, with the steps that follow it as children' });

export const calltreeFileSchema = z.strictObject({
  $schema: schemaReferenceSchema,
  name: nameSchema.describe('Name of the mapping'),
  phoneNumber: dialTargetSchema.optional().describe('What was called: an E.164 number, or a SIP URI'),
  mappedAt: isoDateSchema.optional().describe('When the run that found this tree ended'),
  status: runStatusSchema
    .optional()
    .describe('How that run ended; if its status is limited, parts of the tree may be missing'),
  tree: calltreeNodeSchema,
});
export type CalltreeFile = z.output<typeof calltreeFileSchema>;
