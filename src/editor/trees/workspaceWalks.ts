import { isMapped } from '../../model/tests/calledParty.ts';
import { walkOfSteps, walkOfTurns, type Walk } from '../../model/tests/pathCoverage.ts';
import type { TestFile } from '../../model/tests/testFile.ts';
import { readTest } from '../folders/testSource.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { partyOf } from '../testing/coverage/walkedCalls.ts';
import type { TreeFiles } from './treeFiles.ts';

export interface WorkspaceWalkParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly files: Pick<TreeFiles, 'find' | 'source'>;
}

/**
 * Returns the paths of the workspace's tests through a tree: of scripted tests as written, of missions as in their
 * newest run.
 */
export async function walksOfTests(
  mapped: { readonly phoneNumber?: string | undefined },
  { client, files }: WorkspaceWalkParts,
): Promise<Walk[]> {
  const walks: Walk[] = [];
  for (const uri of await files.find('calltest', 'mission')) {
    const source = files.source(uri);
    const file = await readTest({ ...source, read: () => source.read().catch(() => '') });
    if (!('kind' in file) || !isMapped(await partyOf(file, source), mapped)) continue;
    walks.push(
      ...(file.kind === 'calltest'
        ? (file.test.rows ?? [{}]).map((row) => walkOfSteps(file.test.steps, row)).filter((walk) => walk !== undefined)
        : await walksOfMission(file, client)),
    );
  }
  return walks;
}

async function walksOfMission({ test: { id } }: TestFile, client: Pick<ServiceClient, 'call'>): Promise<Walk[]> {
  if (id === undefined) return [];
  const {
    items: [run],
  } = await client.call('listTestRuns', { runType: 'mission', configId: id, limit: 1 });
  if (run?.status !== 'completed') return [];
  const walk = walkOfTurns((await client.call('getMissionTestRun', { runId: run.id })).transcript);
  return walk ? [walk] : [];
}
