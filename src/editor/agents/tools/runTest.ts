import * as z from 'zod';
import { agentTool } from './agentTool.ts';
import type { AgentTool } from './agentTool.ts';
import { planOfFile, plannedFile, runFileTest } from './runTestFile.ts';
import { followRuns } from './followRuns.ts';
import { exactlyOne, fileInput, oneOf } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';

const ways = ['file', 'testConfigId'] as const;
const inputSchema = z
  .object({
    file: fileInput,
    testConfigId: z.uuid().optional().describe('A saved scripted test, from dialtree_listTests'),
  })
  .strict()
  .refine(exactlyOne(ways), oneOf(ways));

/** Runs a scripted test from a file, or a saved one. */
export const runTest = (parts: ToolParts): AgentTool =>
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
    async run({ file, testConfigId = '' }, use) {
      if (file !== undefined) {
        await planOfFile(parts, file, 'calltest');
        return runFileTest(parts, file, use);
      }
      await parts.gate.pass({ testConfigId }, use.signal);
      use.signal.throwIfAborted();
      const { items } = await parts.client.call('runTest', { configId: testConfigId });
      return followRuns(
        parts,
        items.map(({ id }) => id),
        use,
      );
    },
  });
