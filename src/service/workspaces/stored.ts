import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Quota } from '../../contract/limits.ts';
import type { Database } from '../store/schema.ts';

const ofWorkspace = (table: keyof Database, id: string): RawBuilder<unknown> =>
  sql`SELECT count(*) FROM ${sql.table(table)} WHERE workspace_id = ${id}::uuid`;
const bytesOf = (table: keyof Database, column: string, id: string): RawBuilder<unknown> =>
  sql`SELECT sum(${sql.ref(column)}) FROM ${sql.table(table)} WHERE workspace_id = ${id}::uuid`;
const ofJobs = (from: RawBuilder<unknown>, id: string): RawBuilder<unknown> =>
  sql`${from} JOIN mapping_jobs ON mapping_jobs.id = mapping_runs.job_id WHERE mapping_jobs.workspace_id = ${id}::uuid`;

const stored: Readonly<Record<Quota, (id: string) => RawBuilder<unknown>>> = {
  mappings: (id) => ofWorkspace('mapping_jobs', id),
  mappingRuns: (id) => ofJobs(sql`SELECT count(*) FROM mapping_runs`, id),
  missionTests: (id) => sql`${ofWorkspace('tests', id)} AND kind = 'mission'`,
  tests: (id) => sql`${ofWorkspace('tests', id)} AND kind = 'script'`,
  testBytes: (id) => sql`${bytesOf('tests', 'bytes', id)} AND kind = 'script'`,
  testRuns: (id) => ofWorkspace('test_runs', id),
  loadTests: (id) => ofWorkspace('load_tests', id),
  recordingBytes: (id) =>
    sql`SELECT coalesce((${ofJobs(sql`SELECT sum(recordings.bytes) FROM recordings JOIN mapping_runs ON mapping_runs.id = recordings.run_id`, id)}), 0) + coalesce((${bytesOf('test_runs', 'recording_bytes', id)}), 0) + coalesce((SELECT sum((recordings ->> 'bytes')::bigint) FROM load_tests WHERE workspace_id = ${id}::uuid), 0)`,
  consents: (id) => ofWorkspace('consents', id),
  answers: (id) => ofWorkspace('idempotency_keys', id),
  answerBytes: (id) => bytesOf('idempotency_keys', 'bytes', id),
};

/** Returns how much a workspace stores of each kind, or of the requested kinds. */
export async function readStored<Some extends Quota>(
  db: Kysely<Database>,
  workspaceId: string,
  wanted: readonly Some[],
): Promise<Record<Some, number>> {
  const columns = wanted.map((quota) => sql`coalesce((${stored[quota](workspaceId)}), 0)::float8 AS ${sql.ref(quota)}`);
  const {
    rows: [row],
  } = await sql<Record<Some, number>>`SELECT ${sql.join(columns)}`.execute(db);
  if (!row) throw new Error('nothing was counted');
  return row;
}
