import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { ListLoadTests, LoadTest } from '../../contract/loadTests.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import { readPage } from '../store/keyset.ts';
import type { AudioAddress } from '../mapping/tree.ts';
import type { Signer } from '../basics/signing.ts';
import type { LoadTestRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { withRecordings } from './loadRecordings.ts';

export async function listLoadTests(
  store: Store,
  signer: Signer,
  workspaceId: string,
  input: ListLoadTests,
): Promise<OperationOutput<'listLoadTests'>> {
  let query = store.db.selectFrom('load_tests').selectAll().where('workspace_id', '=', workspaceId);
  if (input.status !== undefined) query = query.where('status', '=', input.status);
  const { rows, nextCursor } = await readPage<LoadTestRow>(query, {
    signer,
    scope: `${workspaceId} load`,
    direction: 'desc',
    limit: input.limit,
    cursor: input.cursor,
    type: 'time',
    key: sql.ref('started_at'),
    id: sql.ref('id'),
    keyOf: (row) => row.started_at.toISOString(),
  });
  return { items: rows.map(toLoadTest), ...(nextCursor !== undefined && { nextCursor }) };
}

/** Returns a load test with signed addresses of its recordings. */
export async function getLoadTest(
  store: Store,
  workspaceId: string,
  id: string,
  audioUrl: AudioAddress,
): Promise<LoadTest> {
  const row = await store.db
    .selectFrom('load_tests')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (!row)
    throw new HumanError("This load test doesn't exist. List the load tests to find the right one.", {
      status: 404,
      code: 'not_found',
    });
  const { stats, ...test } = toLoadTest(row);
  if (!stats) return test;
  const tested =
    row.recordings && stats.tested && withRecordings(stats.tested, row.recordings, (name) => audioUrl(id, name));
  return { ...test, stats: { ...stats, ...(tested && { tested }) } };
}

export const toLoadTest = (row: LoadTestRow): LoadTest => ({
  id: row.id,
  phoneNumber: row.phone_number,
  concurrency: row.concurrency,
  rampSeconds: row.ramp_seconds,
  holdSeconds: row.hold_seconds,
  ...row.shape,
  status: row.status,
  startedAt: row.started_at.toISOString(),
  ...(row.config_id !== null && { configId: row.config_id }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.reason_parts && { reasonParts: row.reason_parts }),
  ...(row.ended_by !== null && { endedBy: row.ended_by }),
  ...(row.stats !== null && { stats: row.stats }),
  ...(row.progress && { progress: row.progress }),
  ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
});
