import * as z from 'zod';
import { ivrEndSchema } from './ivrFile.ts';
import { mappingStatsSchema, runStatusSchema } from './mapping.ts';
import { inputTypeSchema, menuOptionSchema } from './menu.ts';
import { ours, untrusted } from './untrusted.ts';

export const nodeStatusSchema = z.enum(['pending', 'exploring', 'explored', 'failed', 'skipped', 'linked']);
export type NodeStatus = z.output<typeof nodeStatusSchema>;

/**
 * How a path ends. The values are those of the practice IVR file, and `input`: a prompt that asks for data which the
 * caller doesn't have.
 */
export const endKindSchema = z.enum([...ivrEndSchema.options, 'input']);
export type EndKind = z.output<typeof endKindSchema>;

/** The label of a step that is reached by waiting. */
export const stayWay = 'stay on the line';

export const inputRequiredSchema = z.strictObject({
  type: inputTypeSchema,
  description: untrusted(z.string()).optional(),
  formatHint: untrusted(z.string()).optional(),
  terminator: z.enum(['#', '*']).optional(),
  /** Where in the step's audio the prompt asks for the input. */
  startTimeMs: z.int().optional(),
});
export type InputRequired = z.output<typeof inputRequiredSchema>;

export const treeNodeFields = {
  stepId: ours(z.string()).optional(),
  digit: ours(z.string()).optional().describe('Key that leads here; absent for the root, voice steps and byWaiting'),
  label: untrusted(z.string()).optional(),
  depth: z.int().optional().describe('0 is the root'),
  path: untrusted(z.string()).optional().describe('Keys or phrases from the root, joined by " > "'),
  status: nodeStatusSchema.optional(),
  transcript: untrusted(z.string()).optional(),
  isTerminal: z.boolean().optional(),
  duration: z.number().optional().describe("Length of the step's audio, in seconds"),
  promptStartMs: z.int().min(0).optional().describe("Start of the prompt in the step's audio"),
  promptEndMs: z.int().min(0).optional().describe("End of the prompt's last word in the step's audio"),
  stepType: z.enum(['dtmf', 'voice']).optional(),
  voicePrompt: untrusted(z.string()).optional().describe('Voice steps only'),
  menuLabel: untrusted(z.string()).optional(),
  spokenResponse: untrusted(z.string()).optional().describe('What the caller said to reach this step'),
  probeCategory: ours(z.string()).optional(),
  probeClassification: ours(z.string()).optional(),
  probeRationale: untrusted(z.string()).optional(),
  audioUrl: ours(z.string()).optional().describe("Signed address, valid for about an hour; don't cache it"),
  inputRequired: inputRequiredSchema.optional(),
  linksTo: ours(z.string()).optional().describe('stepId of the menu that this step repeats'),
  end: endKindSchema.optional().describe('How the path ends, if it ends here'),
  options: z.array(menuOptionSchema).optional().describe('Options that the prompt offers'),
  phrases: z.array(untrusted(z.string())).optional().describe('Phrases that the prompt offers'),
  hidden: z.boolean().optional().describe('No prompt offers its key'),
  byWaiting: z.boolean().optional().describe('Without a key, the menu above leads here by itself'),
  unsure: z.boolean().optional().describe('Its key or its words were late; map again'),
  reason: untrusted(z.string())
    .optional()
    .describe('Why a step failed or was skipped, or where a REFER transferred the call'),
  latencyMs: z
    .number()
    .min(0)
    .optional()
    .describe(
      'From the end of the key or phrase that led here (on the root, from the answer) to the first sound of the prompt, measured from the audio',
    ),
} as const;

export const treeStepSchema = z.strictObject(treeNodeFields);
export interface TreeNode extends z.output<typeof treeStepSchema> {
  children?: TreeNode[] | undefined;
}
export const treeNodeSchema: z.ZodType<TreeNode> = z
  .strictObject({
    ...treeNodeFields,
    get children() {
      return z.array(treeNodeSchema).optional();
    },
  })
  .meta({ id: 'TreeNode' });

export const treeFormatSchema = z.enum(['tree', 'flat']);

const runSummary = {
  jobId: ours(z.string()),
  runId: ours(z.string()).optional(),
  runNumber: z.int().optional(),
  status: runStatusSchema.optional(),
  stats: mappingStatsSchema.optional(),
};

/** One schema for full responses and the three empty-state envelopes, all HTTP 200. */
export const treeResponseSchema = z.strictObject({
  ...runSummary,
  tree: treeNodeSchema.nullable().optional(),
  steps: z.array(treeNodeSchema).optional(),
  reason: z
    .enum(['no_runs', 'no_steps', 'in_progress'])
    .optional()
    .describe('Why there is no tree; try again only while status is running'),
  message: ours(z.string()).optional(),
});
export type TreeResponse = z.output<typeof treeResponseSchema>;
