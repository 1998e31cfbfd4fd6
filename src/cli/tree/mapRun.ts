import { once } from 'node:events';
import type { DialtreeClient } from '../../client/client.ts';
import { HumanError } from '../../contract/errors.ts';
import type { MappingJob } from '../../contract/mapping.ts';
import { sleep, systemClock, type Clock } from '../../base/clock.ts';
import type { OperationInput } from '../../contract/operations.ts';
import type { TreeResponse } from '../../contract/tree.ts';
import { count } from '../../base/count.ts';
import { note } from '../terminal/output.ts';
import { growingTree } from './growingTree.ts';

export interface MapRun {
  readonly job: MappingJob;
  readonly tree: TreeResponse;
}

interface MapProgress {
  /** Prints a line. Default: to stderr. */
  readonly print?: (line: string) => void;
  /** Columns of the terminal. */
  readonly width?: number;
  readonly clock?: Clock;
}

/** The tree isn't read more often. */
const readEveryMs = 1000;
/** Reading a big tree takes longer, so it is read less often, and all reads together take up to 5% of the time. */
const pausePerRead = 20;

/**
 * Maps a number once, and prints lines as the tree grows. `signal` cancels the run and keeps what was found. If it
 * aborts before the run starts, no call is placed, and this rejects with a HumanError.
 */
export async function mapOnce(
  client: Pick<DialtreeClient, 'call' | 'events' | 'waitForRun'>,
  asked: OperationInput<'createMapping'>,
  signal: AbortSignal,
  { print = note, width = process.stderr.columns || 100, clock = systemClock }: MapProgress = {},
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
    const line = `${count(stats.callsPlaced, 'call')} (${String(inFlightCount)} active)`;
    if (line !== lastReport) print(line);
    lastReport = line;
  };
  const grown = growingTree(width);
  const show = ({ tree }: TreeResponse): void => {
    if (tree) for (const line of grown(tree)) print(line);
  };
  const over = new AbortController();
  const growing = onEachChange(
    client,
    id,
    async () => show(await client.call('getMappingTree', { id })),
    clock,
    over.signal,
  );
  try {
    const job = await client.waitForRun(id, { onChange });
    over.abort();
    await growing;
    const tree = await client.call('getMappingTree', { id });
    show(tree);
    return { job, tree };
  } finally {
    over.abort();
    signal.removeEventListener('abort', cancel);
    // The caller may stop the service next, which must not interrupt the cancelling.
    await cancelled;
  }
}

/** Calls `read` when the tree of this job has changed, with pauses. Resolves when `signal` aborts; never rejects. */
async function onEachChange(
  client: Pick<DialtreeClient, 'events'>,
  jobId: string,
  read: () => Promise<void>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let change = new AbortController();
  const changed = (): void => {
    change.abort();
  };
  signal.addEventListener('abort', changed, { once: true });
  void client
    .events(
      signal,
      (event) => {
        if (event.type === 'mapping.tree' && event.jobId === jobId) changed();
      },
      changed,
    )
    .catch(() => undefined);
  for (;;) {
    if (!change.signal.aborted) await once(change.signal, 'abort');
    if (signal.aborted) return;
    change = new AbortController();
    const startedAt = clock.now();
    // The lines are only a preview: the run continues, and ends with the whole tree.
    await read().catch(() => undefined);
    const pauseMs = Math.max(readEveryMs, pausePerRead * (clock.now() - startedAt));
    await sleep(clock, pauseMs, signal).catch(() => undefined);
  }
}
