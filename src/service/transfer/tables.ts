import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../store/schema.ts';

type Table = keyof Database;

/** The tables of a workspace's content, in the order of a workspace file: a row follows those that it references. */
export const carriedTables = [
  'workspaces',
  'workspace_settings',
  'profiles',
  'mapping_jobs',
  'mapping_runs',
  'mapping_steps',
  'tests',
  'recordings',
] as const satisfies readonly Table[];
export type CarriedTable = (typeof carriedTables)[number];
/** `request_counts` belongs to rate-limiter-flexible. */
type LeftTable = Exclude<Table, CarriedTable> | 'request_counts';

/** The tables that stay behind, and why. Files of earlier versions have rows of some of them. */
export const leftTables: Readonly<Record<LeftTable, string>> = {
  api_keys: 'of programs and people that use that server',
  people: 'verified by that server',
  memberships: 'of people there',
  anchors: 'verified by that server',
  consents: 'given by people there',
  balances: 'minutes for calls from that server',
  free_grants: 'minutes for calls from that server',
  ledger: 'calls that counted there',
  audit: 'what happened there',
  test_runs: 'calls from that server',
  load_tests: 'calls from that server',
  slots: 'of runs in flight, which a file does not carry on',
  dials: 'of runs in flight as well',
  test_launches: 'of runs in flight as well',
  sessions: 'of browsers at that server',
  claim_links: 'addresses of that server, good for an hour',
  anchor_codes: 'signed with the secret of that store, good for minutes',
  registrations: 'limits of that server',
  text_messages: 'limits of that server',
  sign_ups: 'codes and limits of that server, kept for a day',
  model_tokens: 'limits of that server, counted by the day',
  invitations: 'to that server, good for a week',
  settings: 'secrets of that store',
  idempotency_keys: 'answers of that server, for requests that come twice',
  request_counts: 'limits of that server',
};

/**
 * Columns that also stay behind: they say what the workspace may do at that server, or whose it is, or they concern an
 * active run. Computed columns are computed again.
 */
export const leftColumns: Readonly<Partial<Record<CarriedTable, readonly string[]>>> = {
  workspaces: ['tier', 'unlimited', 'tokens_granted', 'tokens_used', 'claimed_at'],
  mapping_runs: ['caller'],
  tests: ['bytes'],
};

const jobs = (workspaceId: string) => sql`SELECT id FROM mapping_jobs WHERE workspace_id = ${sql.lit(workspaceId)}`;
const runs = (workspaceId: string) => sql`SELECT id FROM mapping_runs WHERE job_id IN (${jobs(workspaceId)})`;

function belongsTo(table: CarriedTable, workspaceId: string): RawBuilder<unknown> {
  switch (table) {
    case 'workspaces':
      return sql`id = ${sql.lit(workspaceId)}`;
    case 'mapping_runs':
      return sql`job_id IN (${jobs(workspaceId)})`;
    case 'mapping_steps':
    case 'recordings':
      return sql`run_id IN (${runs(workspaceId)})`;
    default:
      return sql`workspace_id = ${sql.lit(workspaceId)}`;
  }
}

/** Yields the rows of a workspace in one table as JSON texts, a chunk at a time; inside a transaction. */
export async function* readRows(
  transaction: Kysely<Database>,
  table: CarriedTable,
  workspaceId: string,
  chunkRows: number,
): AsyncGenerator<readonly string[]> {
  const left = sql.lit(`{${(leftColumns[table] ?? []).join(',')}}`);
  // A statement that declares a cursor has no parameters, so the id is in its text.
  await sql`DECLARE carried NO SCROLL CURSOR FOR SELECT (to_jsonb(one) - ${left}::text[])::text AS json FROM ${sql.table(table)} AS one WHERE ${belongsTo(table, workspaceId)}`.execute(
    transaction,
  );
  for (;;) {
    const { rows } = await sql<{ json: string }>`FETCH FORWARD ${sql.lit(chunkRows)} FROM carried`.execute(transaction);
    if (rows.length > 0) yield rows.map(({ json }) => json);
    if (rows.length < chunkRows) break;
  }
  await sql`CLOSE carried`.execute(transaction);
}

/**
 * Stores rows in one statement. `merged`: a row that exists, by any key, stays as it is. Returns the ids of the stored
 * rows, or null if a table has none.
 */
export async function insertRows(
  transaction: Kysely<Database>,
  table: CarriedTable,
  rows: readonly object[],
  merged: boolean,
): Promise<(string | null)[]> {
  const [first] = rows;
  if (!first) return [];
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const conflict = merged ? sql`ON CONFLICT DO NOTHING` : sql``;
  const key = 'id' in first ? sql`id::text` : sql`NULL::text`;
  const stored = await sql<{ id: string | null }>`
    INSERT INTO ${sql.table(table)} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::text::jsonb)
    ${conflict} RETURNING ${key} AS id`.execute(transaction);
  return stored.rows.map(({ id }) => id);
}
