import { DialtreeClient } from '../../src/client/client.ts';
import type { TreeNode } from '../../src/contract/tree.ts';

/** Returns the content of a workspace as a key can read it over HTTP, with recordings in place of their addresses. */
export async function readWorkspace(baseUrl: string, apiKey: string): Promise<Record<string, unknown>> {
  const client = new DialtreeClient({ baseUrl, apiKey, retry: { random: () => 0 } });
  const sound = async (node: TreeNode): Promise<TreeNode> => ({
    ...node,
    ...(node.audioUrl !== undefined && {
      audioUrl: Buffer.from(await (await fetch(node.audioUrl)).arrayBuffer()).toString('base64'),
    }),
    ...(node.children && { children: await Promise.all(node.children.map(sound)) }),
  });
  const jobs = await client.call('listMappings', {});
  const trees = await Promise.all(
    jobs.items.map(async ({ id }) => {
      const { tree, ...rest } = await client.call('getMappingTree', { id, format: 'tree' });
      return { runs: await client.call('listMappingRuns', { id }), rest, tree: tree && (await sound(tree)) };
    }),
  );
  const missions = await client.call('listMissionTestConfigs', {});
  return {
    jobs,
    trees,
    missions,
    tests: await client.call('listTestConfigs', {}),
    settings: await client.call('getWorkspaceSettings', {}),
    profiles: await client.call('listProfiles', {}),
    mission: await client.call('getMissionTestConfig', { id: missions.items[0]?.id ?? '' }),
  };
}
