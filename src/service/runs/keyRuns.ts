import { sentence } from '../../base/sentences.ts';
import type { Logger } from '../basics/log.ts';
import type { SlotKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { StopReason } from './stopReason.ts';

interface KeyRunsParts {
  readonly store: Store;
  readonly life: { cancel(kind: SlotKind, id: string, reason: StopReason): Promise<void> };
  readonly log: Logger;
}

const keyRevoked = new StopReason(
  'cancel',
  sentence`The API key that started this was revoked, so Dialtree hung up its calls.`,
);

/**
 * Ends everything that was started with a key, waiting or active, whichever process performs it. Resolves when it has
 * ended. Once the key is revoked, nothing more is admitted, so nothing remains afterwards. What can't be ended is
 * logged and doesn't keep other work from ending.
 */
export async function endRunsOfKey(
  { store, life, log }: KeyRunsParts,
  workspaceId: string,
  keyId: string,
): Promise<void> {
  const slots = await store.db
    .selectFrom('slots')
    .select(['run_id', 'kind'])
    .where('workspace_id', '=', workspaceId)
    .where('key_id', '=', keyId)
    .execute();
  const ended = await Promise.allSettled(slots.map(({ run_id: runId, kind }) => life.cancel(kind, runId, keyRevoked)));
  for (const [index, end] of ended.entries())
    if (end.status === 'rejected')
      log.error(
        { runId: slots[index]?.run_id, err: end.reason as unknown },
        'a run of a revoked key could not be ended',
      );
}
