import type { WorkspaceEvent } from '../../contract/events.ts';
import { pause, type Clock } from '../basics/clock.ts';
import { mayPass } from '../basics/errors.ts';
import type { WorkspaceFeed } from './workspaceFeed.ts';

export interface FollowParts {
  readonly feed: Pick<WorkspaceFeed, 'watch' | 'onDidChange'>;
  readonly clock: Clock;
}

/** How to read a resource, which events concern it, and when it has ended. */
interface Followed<Resource> {
  readonly read: () => Promise<Resource>;
  readonly isConcerned: (event: WorkspaceEvent) => boolean;
  readonly isOver: (resource: Resource) => boolean;
}

/** A resource is read at least this often, even if no event names it. */
const longestMs = 10_000;
const retryMs = 3_000;
const maxRetries = 10;

/**
 * Reads a resource now, whenever it changes, and at its end, and resolves with the last reading. Resolves early if
 * `signal` aborts. Waits up to half a minute for a service that is away or busy. Rejects as the reading does.
 */
export async function followResource<Resource>(
  { feed, clock }: FollowParts,
  { read, isConcerned, isOver }: Followed<Resource>,
  onRead: (resource: Resource) => void,
  signal: AbortSignal,
): Promise<Resource> {
  const watch = feed.watch();
  let news = new AbortController();
  const listening = feed.onDidChange((event) => {
    if (!event || isConcerned(event)) news.abort();
  });
  try {
    for (let failures = 0; ;) {
      news = new AbortController();
      try {
        const resource = await read();
        failures = 0;
        onRead(resource);
        if (isOver(resource) || signal.aborted) return resource;
      } catch (error) {
        failures += 1;
        if (!mayPass(error) || failures > maxRetries || signal.aborted) throw error;
        await pause(clock, retryMs, signal);
        continue;
      }
      await pause(clock, longestMs, AbortSignal.any([signal, news.signal]));
    }
  } finally {
    listening.dispose();
    watch.dispose();
  }
}
