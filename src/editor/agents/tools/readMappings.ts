import * as z from 'zod';
import { HumanError } from '../../../contract/errors.ts';
import { listMappingsSchema } from '../../../contract/mapping.ts';
import type { MappingJob } from '../../../contract/mapping.ts';
import { agentTool } from './agentTool.ts';
import type { AgentTool } from './agentTool.ts';
import type { ToolParts } from './toolParts.ts';
import { branchAnswer, treeAnswer } from './treeAnswer.ts';

const maxListed = 30;

/** Lists the mapped IVRs. */
export const listMappings = ({ client, l10n }: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_listMappings',
    input: listMappingsSchema.pick({ name: true, phoneNumber: true, tag: true }),
    doing: () => l10n.t('Reading the mapped IVRs'),
    async run(filter, { signal }) {
      const { items, nextCursor } = await client.call('listMappings', { ...filter, limit: maxListed }, { signal });
      if (items.length === 0) return [() => 'There is no such mapping. dialtree_mapNumber maps an IVR.'];
      return [
        () =>
          [
            ...items.map(mappingLine),
            ...(nextCursor === undefined
              ? []
              : [`There are more than ${String(maxListed)}: narrow the list by name, phoneNumber or tag.`]),
          ].join('\n'),
      ];
    },
  });

const mappingLine = ({ id, name, phoneNumber, tags, status, currentRun }: MappingJob): string =>
  [
    `${id} “${name}” of ${phoneNumber}`,
    ...(tags.length === 0 ? [] : [`tags ${tags.join(' ')}`]),
    status,
    currentRun
      ? `run ${String(currentRun.runNumber)} ${currentRun.status}, ${String(currentRun.stats.nodesDiscovered)} steps${currentRun.completedAt === undefined ? '' : `, ${currentRun.completedAt.slice(0, 10)}`}`
      : 'not run yet',
  ].join('; ');

/** Reads the tree of a mapping, or one branch of it. */
export const readTree = ({ client, l10n }: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_readTree',
    input: z
      .object({
        mappingId: z.uuid().describe('From dialtree_listMappings or dialtree_mapNumber'),
        runNumber: z.int().min(1).optional().describe('Default: the latest run'),
        path: z
          .string()
          .max(300)
          .optional()
          .describe(
            'Keys or phrases from the first menu on, joined by " > ", such as 1 > 2: only what lies there, with the whole of each prompt. Left out: an outline of the whole tree',
          ),
      })
      .strict(),
    doing: () => l10n.t('Reading the tree'),
    async run({ mappingId: id, runNumber: version, path }, { signal }) {
      const place = { id, ...(version !== undefined && { version }) };
      const [job, response] = await Promise.all([
        client.call('getMapping', place, { signal }),
        client.call('getMappingTree', { ...place, format: 'tree' }, { signal }),
      ]);
      if (path === undefined) return treeAnswer(job, job.currentRun, response);
      const branch = branchAnswer(job, job.currentRun, response, path);
      if (!branch)
        throw new HumanError(`The tree has no path “${path}”. Leave path out to see which there are.`, {
          status: 404,
          code: 'not_found',
        });
      return branch;
    },
  });
