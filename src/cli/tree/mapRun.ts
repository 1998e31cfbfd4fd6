import type { DialtreeClient } from '../../client/client.ts';
import type { MappingJob } from '../../contract/mapping.ts';
import type { OperationInput } from '../../contract/operations.ts';
import type { TreeResponse } from '../../contract/tree.ts';
import { note } from '../terminal/output.ts';

export interface MapRun {
  readonly job: MappingJob;
  readonly tree: TreeResponse;
}

/**
 * Maps a number once, and prints a line to stderr as the tree grows. `signal` cancels the run and keeps what was found.
 */
export async function mapOnce(
  client: DialtreeClient,
  asked: OperationInput<'createMapping'>,
  signal: AbortSignal,
): Promise<MapRun> {
  const { id } = await client.call('createMapping', asked);
  await client.call('startMapping', { id });
  const stop = (): void => {
    void client.call('cancelMapping', { id }).catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  let lastReport = '';
  const onChange = ({ currentRun }: MappingJob): void => {
    if (!currentRun) return;
    const { stats, inFlightCount } = currentRun;
    const line = `${String(stats.nodesDiscovered)} steps found, ${String(stats.callsPlaced)} calls (${String(inFlightCount)} active)`;
    if (line !== lastReport) note(line);
    lastReport = line;
  };
  const job = await client.waitForRun(id, { onChange });
  return { job, tree: await client.call('getMappingTree', { id }) };
}
