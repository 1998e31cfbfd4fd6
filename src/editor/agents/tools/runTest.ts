import * as z from 'zod';
import { agentTool, type AgentTool } from './agentTool.ts';
import { launchRuns } from './launchRuns.ts';
import { plannedFile, runFileTest } from './runTestFile.ts';
import { exactlyOne, fileInput, oneOf } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';

const ways = ['file', 'testConfigId'] as const;
const inputSchema = z
  .object({
    file: fileInput,
    testConfigId: z.uuid().optional().describe('A saved scripted test, from listTestConfigs of the MCP server'),
  })
  .strict()
  .refine(exactlyOne(ways), oneOf(ways));

export const runTestTool = (parts: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_runTest',
    input: inputSchema,
    doing: ({ file }) =>
      file === undefined ? parts.l10n.t('Running a scripted test') : parts.l10n.t('Running {0}', file),
    async intent({ file, testConfigId = '' }, signal) {
      const { client } = parts;
      const { name, plan } =
        file === undefined
          ? {
              name: (await client.call('getTestConfig', { id: testConfigId }, { signal })).name,
              plan: await client.call('planCalls', { testConfigId }, { signal }),
            }
          : await plannedFile(parts, file, 'calltest', signal);
      return { title: parts.l10n.t('Let the agent run the test “{0}” on {1}?', name, plan.phoneNumber), plan };
    },
    run: ({ file, testConfigId = '' }, use) =>
      file === undefined
        ? launchRuns(
            parts,
            { testConfigId },
            async () => (await parts.client.call('runTest', { configId: testConfigId })).items,
            use,
          )
        : runFileTest(parts, file, 'calltest', use),
  });
