import type { WorkspaceEvent } from '../contract/events.ts';
import type { LoadTest } from '../contract/loadTests.ts';
import type { MappingJob } from '../contract/mapping.ts';
import type { OperationInput, OperationName, OperationOutput } from '../contract/operations.ts';
import type { RunResults } from '../contract/testRuns.ts';
import { isAway, isFullMinute, isRateLimit } from './errors.ts';
import { fullMinuteWaitMs, type RetryParts } from './retry.ts';

/** How to read a resource, which events concern it, and when it has ended. */
export interface Followed<Resource> {
  readonly read: (signal: AbortSignal) => Promise<Resource>;
  readonly isConcerned: (event: WorkspaceEvent) => boolean;
  readonly isOver: (resource: Resource) => boolean;
}

/** What calls the interface: a client, or a part of one. */
export interface OperationCaller {
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: { readonly signal?: AbortSignal; readonly notAfter?: AbortSignal },
  ): Promise<OperationOutput<Name>>;
}

export const followedMapping = (client: OperationCaller, id: string): Followed<MappingJob> => ({
  read: (signal) => client.call('getMapping', { id }, { signal }),
  isOver: ({ status }) => status === 'idle',
  isConcerned: (event) => 'jobId' in event && event.jobId === id,
});
export const followedRun = (client: OperationCaller, runId: string): Followed<RunResults> => ({
  read: (signal) => client.call('getRunResults', { runId }, { signal }),
  isOver: ({ status }) => status === 'completed',
  isConcerned: (event) => event.type === 'test.changed' && event.runId === runId,
});
export const followedLoad = (client: OperationCaller, id: string): Followed<LoadTest> => ({
  read: (signal) => client.call('getLoadTest', { id }, { signal }),
  isOver: ({ status }) => status !== 'running',
  isConcerned: (event) => event.type === 'load.changed' && event.loadTestId === id,
});

/** Calls the listener with each event, and with undefined if anything may have changed. The result ends that. */
export type Listen = (listener: (event: WorkspaceEvent | undefined) => void) => () => void;

interface FollowParts extends RetryParts {
  /** Undefined: the resource is polled. */
  readonly listen: Listen | undefined;
  /** Reads at most every three seconds, because the smallest tier allows 30 requests per minute. */
  readonly spaced?: boolean;
}

/** A resource is read at least this often, even if no event names it. */
const longestMs = 10_000;
/** A client that only polls reads every 5 to 10 s. */
const pollMs = 5_000;
/** The first reads aren't spaced out. */
const readsAtOnce = 4;
const readDistanceMs = 3_000;
/** A service that is away is waited for, for half a minute. */
const retryMs = 3_000;
const maxRetries = 10;
/** Timers count milliseconds in 31 bits. A longer one ends at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Reads a resource now, whenever it changes, and at its end. Resolves with the last reading, also if the signal aborts.
 * Rejects with the signal's reason if there was none, and as the reading does, but waits for a service that is away, or that asks to wait.
 */
export async function follow<Resource>(
  { listen, wait, random, spaced = false }: FollowParts,
  { read, isConcerned, isOver }: Followed<Resource>,
  onRead: (resource: Resource) => void,
  signal: AbortSignal,
): Promise<Resource> {
  let news = new AbortController();
  let last: { readonly resource: Resource } | undefined;
  const stopListening = listen?.((event) => {
    if (!event || isConcerned(event)) news.abort();
  });
  try {
    for (let reads = 1, failures = 0; ; reads += 1) {
      news = new AbortController();
      let resource: Resource;
      try {
        resource = await read(signal);
      } catch (error) {
        failures += 1;
        const waitMs = signal.aborted ? 0 : mayPassAfterMs(error, failures, random);
        if (waitMs === undefined) throw error;
        if (waitMs > 0) await wait(waitMs, signal).catch(() => undefined);
        if (!signal.aborted) continue;
        if (last) return last.resource;
        throw signal.reason;
      }
      last = { resource };
      failures = 0;
      onRead(resource);
      if (isOver(resource) || signal.aborted) return resource;
      if (spaced && listen && reads >= readsAtOnce) await wait(readDistanceMs, signal).catch(() => undefined);
      await wait(listen ? longestMs : pollMs * (1 + random()), AbortSignal.any([signal, news.signal])).catch(
        () => undefined,
      );
      if (signal.aborted) return resource;
    }
  } finally {
    stopListening?.();
  }
}

function mayPassAfterMs(error: unknown, failures: number, random: () => number): number | undefined {
  if (isFullMinute(error)) return fullMinuteWaitMs(failures - 1, random);
  if (isRateLimit(error) && error.retryAfter !== undefined)
    return Math.min(longestTimerMs, Math.max(1, error.retryAfter) * 1000);
  return (isAway(error) || isRateLimit(error)) && failures <= maxRetries ? retryMs : undefined;
}
