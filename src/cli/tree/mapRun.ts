import type { DialtreeClient } from '../../client/client.ts';
import { HumanError } from '../../contract/errors.ts';
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
 * If it aborts before the run starts, no call is placed, and this rejects with a HumanError.
 */
export async function mapOnce(
  client: Pick<DialtreeClient, 'call' | 'waitForRun'>,
  asked: OperationInput<'createMapping'>,
  signal: AbortSignal,
): Promise<MapRun> {
  const { id } = await client.call('createMapping', asked);
  if (signal.aborted) throw new HumanError('Cancelled before the first call.');
  await client.call('startMapping', { id });
  let cancelled: Promise<unknown> | undefined;
  const cancel = (): void => {
    cancelled = client.call('cancelMapping', { id }).catch(() => undefined);
  };
  // A signal that has already aborted sends no event.
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  let lastReport = '';
  const onChange = ({ currentRun }: MappingJob): void => {
    if (!currentRun) return;
    const { stats, inFlightCount } = currentRun;
    const line = `${String(stats.nodesDiscovered)} steps found, ${String(stats.callsPlaced)} calls (${String(inFlightCount)} active)`;
    if (line !== lastReport) note(line);
    lastReport = line;
  };
  try {
    const job = await client.waitForRun(id, { onChange });
    return { job, tree: await client.call('getMappingTree', { id }) };
  } finally {
    signal.removeEventListener('abort', cancel);
    // The caller may stop the service next, which must not interrupt the cancelling.
    await cancelled;
  }
}
