import type { LoadTest } from '../../../contract/loadTests.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import { followResource, type FollowParts as ResourceParts } from '../../store/followResource.ts';
import type { Ending } from '../failures.ts';

export interface FollowParts extends ResourceParts {
  readonly client: Pick<ServiceClient, 'call'>;
}

/** Reads a run's results until it has ended. @see followResource */
export const followRun = (
  parts: FollowParts,
  runId: string,
  onResults: (results: RunResults) => void,
  signal: AbortSignal,
): Promise<RunResults> =>
  followResource(
    parts,
    {
      read: () => parts.client.call('getRunResults', { runId }),
      isConcerned: (event) => event.type === 'test.changed' && event.runId === runId,
      isOver: ({ status }) => status === 'completed',
    },
    onResults,
    signal,
  );

/** Returns the results with what only missions have. */
export const endingOf = async (client: FollowParts['client'], results: RunResults): Promise<Ending> => ({
  results,
  mission: results.runType === 'mission' ? await client.call('getMissionTestRun', { runId: results.id }) : undefined,
});

/** Reads a load test until it has ended. @see followResource */
export const followLoad = (
  parts: FollowParts,
  id: string,
  onRead: (test: LoadTest) => void,
  signal: AbortSignal,
): Promise<LoadTest> =>
  followResource(
    parts,
    {
      read: () => parts.client.call('getLoadTest', { id }),
      isConcerned: (event) => event.type === 'load.changed' && event.loadTestId === id,
      isOver: ({ status }) => status !== 'running',
    },
    onRead,
    signal,
  );
