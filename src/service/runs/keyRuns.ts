import type { LineCalls } from '../lines/lineCalls.ts';
import type { Logger } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { LoadRuns } from '../testing/loadRuns.ts';
import { StopReason } from './stopReason.ts';
import type { TestLaunches } from '../testing/testLaunches.ts';
import type { MappingRuns } from './mappingRuns.ts';

export interface KeyRunsParts {
  readonly store: Store;
  readonly runs: Pick<MappingRuns, 'cancelRun'>;
  readonly launches: Pick<TestLaunches, 'cancelLaunch'>;
  readonly loads: Pick<LoadRuns, 'cancel'>;
  readonly lineCalls: Pick<LineCalls, 'cancel'>;
  readonly log: Logger;
}

const keyRevoked = new StopReason(
  'cancel',
  'The API key that started this was revoked, so Dialtree hung up its calls.',
);

/**
 * Ends what was begun with a key, waiting or under way, whichever process carries it out; settles when it has ended.
 * With the key revoked nothing more is admitted, so that afterwards nothing of it is left. What cannot be ended is
 * logged and keeps nothing else from ending.
 */
export async function endRunsOfKey(
  { store, runs, launches, loads, lineCalls, log }: KeyRunsParts,
  workspaceId: string,
  keyId: string,
): Promise<void> {
  const slots = await store.db
    .selectFrom('slots')
    .leftJoin('mapping_runs', 'mapping_runs.id', 'slots.run_id')
    .leftJoin('test_launches', 'test_launches.id', 'slots.run_id')
    .leftJoin('load_tests', 'load_tests.id', 'slots.run_id')
    .select(['slots.run_id', 'mapping_runs.id as mapping', 'test_launches.id as launch', 'load_tests.id as load'])
    .where('slots.workspace_id', '=', workspaceId)
    .where('slots.key_id', '=', keyId)
    .execute();
  const ended = await Promise.allSettled(
    slots.map(({ run_id: runId, mapping, launch, load }) => {
      if (mapping !== null) return runs.cancelRun(runId, String(keyRevoked));
      if (launch !== null) return launches.cancelLaunch(workspaceId, runId, keyRevoked);
      return load === null ? lineCalls.cancel(runId) : loads.cancel(workspaceId, runId, keyRevoked);
    }),
  );
  for (const [index, end] of ended.entries())
    if (end.status === 'rejected')
      log.error(
        { runId: slots[index]?.run_id, err: end.reason as unknown },
        'a run of a revoked key could not be ended',
      );
}
