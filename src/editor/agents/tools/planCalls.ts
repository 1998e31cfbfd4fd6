import * as z from 'zod';
import type { PlanCalls, PlannedCalls } from '../../../contract/callPlan.ts';
import { mappingConfigSchema } from '../../../contract/mapping.ts';
import { planBlocks } from '../../../model/report/planBlocks.ts';
import { agentTool, type AgentTool } from './agentTool.ts';
import { plannedFile } from './runTestFile.ts';
import { exactlyOne, fileInput, oneOf, phoneNumberInput } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';

const ways = ['phoneNumber', 'mappingId', 'testConfigId', 'missionConfigId', 'file'] as const;
const inputSchema = z
  .object({
    phoneNumber: phoneNumberInput.describe('Plans a first mapping of this number or SIP address'),
    maxCalls: mappingConfigSchema.shape.maxCalls
      .unwrap()
      .optional()
      .describe('With phoneNumber: most calls of the mapping. Default 60'),
    mappingId: z.uuid().optional().describe('Plans one more run of this mapping'),
    testConfigId: z.uuid().optional().describe('Plans a run of this saved scripted test'),
    missionConfigId: z.uuid().optional().describe('Plans a run of this saved mission'),
    file: fileInput.describe('Plans a run of this *.calltest.json or *.mission.json of the workspace'),
  })
  .strict()
  .refine(exactlyOne(ways), oneOf(ways));
type Input = z.output<typeof inputSchema>;

export const planCallsTool = (parts: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_planCalls',
    input: inputSchema,
    doing: () => parts.l10n.t('Planning calls'),
    async run(input, { signal }) {
      const { file } = input;
      const plan =
        file === undefined
          ? await parts.client.call('planCalls', subjectOf(input), { signal })
          : (await plannedFile(parts, file, file.endsWith('.mission.json') ? 'mission' : 'calltest', signal)).plan;
      return [() => planText(plan)];
    },
  });

function subjectOf({ phoneNumber, maxCalls, mappingId, testConfigId, missionConfigId }: Input): PlanCalls {
  if (phoneNumber !== undefined)
    return { mapping: { phoneNumber, config: { ...(maxCalls !== undefined && { maxCalls }) } } };
  if (mappingId !== undefined) return { mappingId };
  if (testConfigId !== undefined) return { testConfigId };
  return { missionConfigId };
}

/** Returns a fact per line. */
function planText(plan: PlannedCalls): string {
  const { destination, size, keys, budgets, forbidden, unjudged, consent, refusal } = planBlocks(plan);
  return [destination, size, budgets, forbidden, ...keys, unjudged, consent, refusal ?? 'It would be let through.']
    .filter((fact) => fact !== undefined)
    .map(String)
    .join('\n');
}
