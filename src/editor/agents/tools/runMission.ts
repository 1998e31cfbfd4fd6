import * as z from 'zod';
import type { PlanCalls } from '../../../contract/callPlan.ts';
import { createMissionTestConfigSchema } from '../../../contract/missionConfigs.ts';
import { agentTool, type AgentTool } from './agentTool.ts';
import { launchRuns } from './launchRuns.ts';
import { plannedFile, runFileTest } from './runTestFile.ts';
import { exactlyOne, fileInput, oneOf, phoneNumberInput } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';

const ways = ['file', 'missionConfigId', 'phoneNumber'] as const;
const { mission, acceptance, name } = createMissionTestConfigSchema.shape;
const inputSchema = z
  .object({
    file: fileInput,
    missionConfigId: z.uuid().optional().describe('A saved mission, from listMissionTestConfigs of the MCP server'),
    phoneNumber: phoneNumberInput,
    mission: mission
      .optional()
      .describe(
        'With phoneNumber: who calls and what for, such as: You are a customer who wants to know the opening hours.',
      ),
    acceptance: acceptance
      .optional()
      .describe('With phoneNumber: what counts as reached, such as: The opening hours are told.'),
    name: name.optional().describe('With phoneNumber: what the mission is called'),
  })
  .strict()
  .refine(exactlyOne(ways), oneOf(ways))
  .refine(
    (input) =>
      (input.phoneNumber === undefined) === (input.mission === undefined) &&
      (input.mission === undefined) === (input.acceptance === undefined),
    'Give mission and acceptance together with phoneNumber, and with nothing else.',
  );
type Input = z.output<typeof inputSchema>;

const nameLength = 60;
const newMission = ({
  phoneNumber = '',
  mission: goal = '',
  acceptance: criterion = '',
  name: title,
}: Input): Extract<PlanCalls['mission'], object> => ({
  phoneNumber,
  mission: goal,
  acceptance: criterion,
  name: title ?? goal.replaceAll(/\s+/g, ' ').slice(0, nameLength),
});
const subjectOf = (input: Input): PlanCalls =>
  input.missionConfigId === undefined ? { mission: newMission(input) } : { missionConfigId: input.missionConfigId };

export const runMissionTool = (parts: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_runMission',
    input: inputSchema,
    doing: ({ file, phoneNumber }) =>
      file !== undefined
        ? parts.l10n.t('Running {0}', file)
        : phoneNumber === undefined
          ? parts.l10n.t('Running a mission')
          : parts.l10n.t('Running a mission on {0}', phoneNumber),
    async intent(input, signal) {
      const { client, l10n } = parts;
      const { missionConfigId: id } = input;
      const { name, plan } =
        input.file === undefined
          ? {
              name:
                id === undefined
                  ? newMission(input).name
                  : (await client.call('getMissionTestConfig', { id }, { signal })).name,
              plan: await client.call('planCalls', subjectOf(input), { signal }),
            }
          : await plannedFile(parts, input.file, 'mission', signal);
      return { title: l10n.t('Let the agent run the mission “{0}” on {1}?', name, plan.phoneNumber), plan };
    },
    run: (input, use) =>
      input.file === undefined
        ? launchRuns(
            parts,
            subjectOf(input),
            async () => {
              const { client } = parts;
              const configId =
                input.missionConfigId ?? (await client.call('createMissionTestConfig', newMission(input))).id;
              return [await client.call('runMissionTest', { configId })];
            },
            use,
          )
        : runFileTest(parts, input.file, 'mission', use),
  });
