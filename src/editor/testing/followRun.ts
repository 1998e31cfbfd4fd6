import type { RunResults } from '../../contract/testRuns.ts';
import type { Clock } from '../clock.ts';
import { pause } from '../clock.ts';
import { isUnreachable } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { RunFeed } from './runFeed.ts';

export interface FollowParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<RunFeed, 'watch' | 'onDidChange'>;
  readonly clock: Clock;
}

/** A run that no event names is read all the same. */
const longestMs = 10_000;
const retryMs = 3_000;
const mostRetries = 10;

/**
 * Reads a run's results now, whenever it changes, and at its end, with which it settles. Also when `signal` aborts: with what was read last.
 * A service that is away for half a minute is waited for. Rejects as `getRunResults` does.
 */
export async function followRun({ client, feed, clock }: FollowParts, runId: string, onResults: (results: RunResults) => void, signal: AbortSignal): Promise<RunResults> {
  const watch = feed.watch();
  let news = new AbortController();
  const listening = feed.onDidChange((changed) => { if (changed === undefined || changed === runId) news.abort(); });
  try {
    for (let failures = 0; ;) {
      news = new AbortController();
      try {
        const results = await client.call('getRunResults', { runId });
        failures = 0;
        onResults(results);
        if (results.status === 'completed' || signal.aborted) return results;
      } catch (error) {
        failures += 1;
        if (!isUnreachable(error) || failures > mostRetries || signal.aborted) throw error;
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
