import * as z from 'zod';
import { followedMapping } from '../../../client/follow.ts';
import type { PlanCalls } from '../../../contract/callPlan.ts';
import { createMappingSchema, mappingConfigSchema, type MappingJob } from '../../../contract/mapping.ts';
import type { L10n } from '../../basics/localise.ts';
import { countWords } from '../../basics/words/mappingWords.ts';
import { agentTool, type AgentTool } from './agentTool.ts';
import { exactlyOne, oneOf, phoneNumberInput } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';
import { treeAnswer } from './treeAnswer.ts';

const ways = ['phoneNumber', 'mappingId'] as const;
const config = mappingConfigSchema.shape;
const inputSchema = z
  .object({
    phoneNumber: phoneNumberInput,
    mappingId: z
      .uuid()
      .optional()
      .describe('In place of phoneNumber: maps the same IVR once more, so that the runs can be compared'),
    name: createMappingSchema.shape.name.describe('What the IVR is called; default the number'),
    maxDepth: config.maxDepth.unwrap().optional().describe('Deepest menu; the first is depth 0. Default 5'),
    maxCalls: config.maxCalls.unwrap().optional().describe('Most calls that it may place. Default 60'),
  })
  .strict()
  .refine(exactlyOne(ways), oneOf(ways));
type Input = z.output<typeof inputSchema>;

const newMapping = ({ phoneNumber = '', name, maxDepth, maxCalls }: Input): Extract<PlanCalls['mapping'], object> => ({
  phoneNumber,
  ...(name !== undefined && { name }),
  config: { ...(maxDepth !== undefined && { maxDepth }), ...(maxCalls !== undefined && { maxCalls }) },
});
const subjectOf = (input: Input): PlanCalls =>
  input.mappingId === undefined ? { mapping: newMapping(input) } : { mappingId: input.mappingId };

/** Maps an IVR, follows the run to its end, and returns the tree. Cancelling hangs up and keeps what was found. */
export const mapNumber = ({ client, gate, feed, l10n }: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_mapNumber',
    input: inputSchema,
    doing: ({ phoneNumber }) =>
      phoneNumber === undefined ? l10n.t('Mapping again') : l10n.t('Mapping {0}', phoneNumber),
    async intent(input, signal) {
      const plan = await client.call('planCalls', subjectOf(input), { signal });
      return { title: l10n.t('Let the agent map {0}?', plan.phoneNumber), plan };
    },
    async run(input, { signal, report }) {
      await gate.pass(subjectOf(input), signal);
      signal.throwIfAborted();
      const id = input.mappingId ?? (await client.call('createMapping', newMapping(input))).id;
      await client.call('startMapping', { id });
      let job: MappingJob;
      try {
        job = await feed.follow(followedMapping(client, id), (read) => report(progressOf(read, l10n)), signal);
      } finally {
        if (signal.aborted) await client.call('cancelMapping', { id });
      }
      signal.throwIfAborted();
      return treeAnswer(job, job.currentRun, await client.call('getMappingTree', { id, format: 'tree' }));
    },
  });

const progressOf = ({ name, currentRun }: MappingJob, l10n: L10n): string =>
  currentRun ? `${name}: ${countWords(currentRun.stats, l10n).join(', ')}` : name;
