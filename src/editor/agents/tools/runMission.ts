import * as z from 'zod';
import type { PlanCalls, PlannedCalls } from '../../../contract/callPlan.ts';
import { createMissionTestConfigSchema } from '../../../contract/missionConfigs.ts';
import { agentTool } from './agentTool.ts';
import type { AgentTool, Intent } from './agentTool.ts';
import { planOfFile, plannedFile, runFileTest } from './runTestFile.ts';
import { followRuns } from './followRuns.ts';
import { exactlyOne, fileInput, oneOf, phoneNumberInput } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';

const ways = ['file', 'missionConfigId', 'phoneNumber'] as const;
const { mission, acceptance, name } = createMissionTestConfigSchema.shape;
const inputSchema = z
  .object({
    file: fileInput,
    missionConfigId: z.uuid().optional().describe('A saved mission, from dialtree_listTests'),
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

/** Runs a mission from a file, a saved one, or one that is created for this use. */
export const runMission = (parts: ToolParts): AgentTool =>
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
      const { client } = parts;
      const titled = (name: string, plan: PlannedCalls): Intent => ({
        title: parts.l10n.t('Let the agent run the mission “{0}” on {1}?', name, plan.phoneNumber),
        plan,
      });
      if (input.file !== undefined) {
        const { name, plan } = await plannedFile(parts, input.file, 'mission', signal);
        return titled(name, plan);
      }
      const planned =
        input.missionConfigId !== undefined
          ? {
              name: (await client.call('getMissionTestConfig', { id: input.missionConfigId }, { signal })).name,
              subject: { missionConfigId: input.missionConfigId },
            }
          : { name: newMission(input).name, subject: { mission: newMission(input) } };
      return titled(planned.name, await client.call('planCalls', planned.subject, { signal }));
    },
    async run(input, use) {
      const { client, gate } = parts;
      if (input.file !== undefined) {
        await planOfFile(parts, input.file, 'mission');
        return runFileTest(parts, input.file, use);
      }
      await gate.pass(
        input.missionConfigId === undefined
          ? { mission: newMission(input) }
          : { missionConfigId: input.missionConfigId },
        use.signal,
      );
      use.signal.throwIfAborted();
      const configId = input.missionConfigId ?? (await client.call('createMissionTestConfig', newMission(input))).id;
      const { id } = await client.call('runMissionTest', { configId });
      return followRuns(parts, [id], use);
    },
  });
