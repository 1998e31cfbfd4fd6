import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { quotas, tiers } from '../../contract/limits.ts';
import type { Quota, Tier } from '../../contract/limits.ts';
import type { Database } from '../store/schema.ts';

interface Keeper {
  readonly id: string;
  readonly tier: Tier;
}
type Amounts = Partial<Readonly<Record<Quota, number>>>;

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

/**
 * Refuses what was just stored if it exceeds the tier's quota; the transaction then undoes it. Exact, however many
 * requests store simultaneously, because the workspace is locked (`lockWorkspace`) before anything is stored.
 * @param added what the transaction has stored; 0 for something whose size isn't known yet, which is accepted as long
 *   as there is space
 * @throws HumanError 409 `quota_exceeded`
 */
export async function assertQuota(db: Kysely<Database>, keeper: Keeper, added: Amounts): Promise<void> {
  const names = quotas.filter((quota) => added[quota] !== undefined);
  const amounts = await readStored(db, keeper.id, names);
  for (const quota of names) assertBelow(keeper, quota, amounts[quota] - (added[quota] ?? 0), added[quota] ?? 0);
}

/** Returns the refusal that a launch with this many runs would get. */
export async function checkRoom(db: Kysely<Database>, keeper: Keeper, wanted: Amounts): Promise<void> {
  const names = quotas.filter((quota) => wanted[quota] !== undefined);
  const amounts = await readStored(db, keeper.id, names);
  for (const quota of names) assertBelow(keeper, quota, amounts[quota], wanted[quota] ?? 0);
}

function assertBelow({ tier }: Keeper, quota: Quota, used: number, more: number): void {
  const limit = tiers[tier].stored[quota];
  if (more === 0 ? used >= limit : used + more > limit) throw quotaExceeded(quota, used, limit, more);
}

/** Its name, and how to free space. */
const words: Readonly<Record<Quota, readonly [what: string, room: string]>> = {
  mappings: ['mapping jobs', 'Delete jobs that you no longer need (deleteMapping).'],
  mappingRuns: ['mapping runs', 'Delete jobs that you no longer need, with their runs (deleteMapping).'],
  missionTests: ['mission tests', 'Delete tests that you no longer need (deleteMissionTestConfig).'],
  tests: ['scripted tests', 'Delete tests that you no longer need (deleteTestConfig).'],
  testBytes: ['steps and rows of scripted tests', 'Delete or shorten tests (deleteTestConfig, updateTestConfig).'],
  testRuns: ['test runs', 'Delete runs that you no longer need (deleteTestRun).'],
  loadTests: ['load tests', 'Delete load tests that you no longer need (deleteLoadTest).'],
  recordingBytes: [
    'recordings',
    'Delete mapping jobs, test runs or load tests (deleteMapping, deleteTestRun, deleteLoadTest), or set recordingDays to delete old recordings (updateWorkspaceSettings).',
  ],
  consents: ['numbers with consent', 'Ask the operator of this service for a higher tier.'],
  answers: ['responses stored for Idempotency-Key', 'Leave out the header, or wait: responses are kept for a day.'],
  answerBytes: ['responses stored for Idempotency-Key', 'Leave out the header, or wait: responses are kept for a day.'],
};

function quotaExceeded(quota: Quota, used: number, limit: number, wanted: number): HumanError {
  const [what, room] = words[quota];
  const isBytes = quota.endsWith('Bytes');
  const amount = (value: number): string => (isBytes ? `${(value / 1e6).toFixed(2)} MB` : String(value));
  const more = wanted > 0 ? ` This request would add ${amount(wanted)}.` : '';
  return new HumanError(
    `This workspace has ${amount(used)}${isBytes ? ' of' : ''} ${what}. Its tier allows up to ${amount(limit)}.${more} ${room}`,
    { status: 409, code: 'quota_exceeded', details: { quota, used, limit, ...(wanted > 0 && { wanted }) } },
  );
}
