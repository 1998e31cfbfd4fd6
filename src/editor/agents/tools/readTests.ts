import * as z from 'zod';
import { partSchema } from '../../../contract/common.ts';
import { limits } from '../../../contract/limits.ts';
import type { TestRun } from '../../../contract/testRuns.ts';
import { agentTool } from './agentTool.ts';
import type { AgentTool } from './agentTool.ts';
import { runsAnswer } from './runText.ts';
import type { ToolParts } from './toolParts.ts';

const maxListed = 30;
const maxRuns = 15;
/** More pages would take more requests than an agent should cause. */
const maxPages = 5;

interface Page<Test> {
  readonly items: readonly Test[];
  readonly nextCursor?: string | undefined;
}

async function readMissions<Test>(
  readPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Test>>,
): Promise<Test[]> {
  const tests: Test[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await readPage({ limit: limits.list.max, ...(cursor !== undefined && { cursor }) });
    tests.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return tests;
}

/** Lists the saved tests and the newest runs. */
export const listTests = ({ client, l10n }: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_listTests',
    input: z
      .object({ name: partSchema.optional().describe('Only tests with this in their name; case does not matter') })
      .strict(),
    doing: () => l10n.t('Reading the tests'),
    async run({ name = '' }, { signal }) {
      const [scripted, missions, runs] = await Promise.all([
        client.call('listTestConfigs', {}, { signal }).then(({ items }) => items),
        readMissions((page) => client.call('listMissionTestConfigs', page, { signal })),
        client.call('listTestRuns', { limit: maxRuns }, { signal }),
      ]);
      const wanted = <Test extends { readonly name: string }>(tests: readonly Test[]): Test[] =>
        tests.filter((test) => test.name.toLowerCase().includes(name.toLowerCase()));
      const [scripts, missionTests] = [wanted(scripted), wanted(missions)];
      const names = new Map([...scripted, ...missions].map((test) => [test.id, test.name]));
      const listed = (title: string, lines: readonly string[]): string[] => [
        `${title}:`,
        ...(lines.length === 0 ? ['none'] : lines.slice(0, maxListed)),
        ...(lines.length > maxListed ? [`… and ${String(lines.length - maxListed)} more: narrow by name.`] : []),
      ];
      const tests = [
        ...listed(
          'Scripted tests (dialtree_runTest with testConfigId)',
          scripts.map(
            (test) =>
              `${test.id} “${test.name}” of ${test.phoneNumber}, ${String(test.steps.length)} steps${test.rows ? `, ${String(test.rows.length)} rows` : ''}`,
          ),
        ),
        ...listed(
          'Missions (dialtree_runMission with missionConfigId)',
          missionTests.map((test) => `${test.id} “${test.name}” of ${test.phoneNumber}`),
        ),
      ];
      return [
        () =>
          [
            ...tests,
            ...listed(
              'Newest runs (dialtree_readRun)',
              runs.items.map((run) => runLine(run, names)),
            ),
          ].join('\n'),
        () => tests.join('\n'),
      ];
    },
  });

const runLine = (
  { id, runType, status, outcome, phoneNumber, configId, catalogueTestId, startedAt }: TestRun,
  names: ReadonlyMap<string, string>,
): string =>
  `${id} ${runType} ${outcome ?? status}: “${names.get(configId ?? '') ?? catalogueTestId ?? phoneNumber}”, ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;

/** Reads one run: verdict, evidence, steps, transcript. */
export const readRun = ({ client, l10n }: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_readRun',
    input: z.object({ runId: z.uuid().describe('From dialtree_listTests, or a tool that ran it') }).strict(),
    doing: () => l10n.t('Reading the run'),
    async run({ runId }, { signal }) {
      const results = await client.call('getRunResults', { runId }, { signal });
      return runsAnswer([
        {
          results,
          mission:
            results.runType === 'mission' ? await client.call('getMissionTestRun', { runId }, { signal }) : undefined,
        },
      ]);
    },
  });
