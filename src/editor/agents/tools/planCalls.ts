import { count } from '../../../base/count.ts';
import * as z from 'zod';
import type { PlanCalls, PlannedCalls } from '../../../contract/callPlan.ts';
import { mappingConfigSchema } from '../../../contract/mapping.ts';
import { joined } from '../../basics/words/markdownText.ts';
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

export const planCalls = (parts: ToolParts): AgentTool =>
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

function planText({
  phoneNumber,
  route,
  calls,
  secondsAtMost,
  bounded,
  cost,
  needsConsent,
  forbiddenKeys,
  riskyKeys,
  allowedLabels = [],
  pressUnsure,
  unjudged = [],
  budget,
  refusal,
}: PlannedCalls): string {
  const some = (words: readonly string[], text: (list: string) => string): string | undefined =>
    words.length === 0 ? undefined : text(words.join(', '));
  const remainingBudgets = Object.entries(budget.left).map(
    ([budgetName, value = 0]) => `${budgetName} ${String(Math.round(value * 100) / 100)}`,
  );
  const steps = forbiddenKeys.map(({ step }) => step);
  const keys = riskyKeys.map(({ key, label }) => `${key} (${label})`);
  const criteria = unjudged.map((part) => `“${part}”`);
  return joined('\n', [
    `Calls ${phoneNumber}${route === undefined ? '' : route === 'lab' ? ' on this machine' : ` over ${route}`}: at most ${count(calls, 'call')} and ${bounded ? '' : 'about '}${count(Math.ceil(secondsAtMost / 60), 'minute')}${cost ? `, ${String(cost.amount)} ${cost.currency}` : ''}.`,
    some(remainingBudgets, (list) => `Left of today's budgets: ${list}.`),
    some(steps, (list) => `Steps that press forbidden keys: ${list}.`),
    some(allowedLabels, (list) => `Pressed although they are not plainly harmless: ${list}.`),
    pressUnsure ? 'Options that are not understood are pressed too.' : undefined,
    some(keys, (list) => `Keys that may pay, cancel or agree to something: ${list}.`),
    some(criteria, (list) => `Only a language model can judge ${list}, and none is set up, so it can't pass.`),
    needsConsent
      ? 'The person has to confirm that the number may be tested; they are asked when you run it.'
      : undefined,
    refusal ? `As it stands it would be refused (${refusal.code}): ${refusal.message}` : 'It would be let through.',
  ]);
}
