import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../store/schema.ts';
import { rowSchemas, type CarriedRow, type CarriedTable } from './rows.ts';

const jobs = (workspaceId: string) => sql`SELECT id FROM mapping_jobs WHERE workspace_id = ${sql.lit(workspaceId)}`;
/** An active run continues only in its store. */
const endedRuns = (workspaceId: string) =>
  sql`SELECT id FROM mapping_runs WHERE status <> 'running' AND job_id IN (${jobs(workspaceId)})`;

function belongsTo(table: CarriedTable, workspaceId: string): RawBuilder<unknown> {
  switch (table) {
    case 'workspaces':
      return sql`id = ${sql.lit(workspaceId)}`;
    case 'mapping_runs':
      return sql`id IN (${endedRuns(workspaceId)})`;
    case 'mapping_steps':
    case 'recordings':
      return sql`run_id IN (${endedRuns(workspaceId)})`;
    default:
      return sql`workspace_id = ${sql.lit(workspaceId)}`;
  }
}

const carriedColumns = (table: CarriedTable) =>
  sql.join(
    Object.keys(rowSchemas[table].shape).map((name) =>
      name === 'settings' ? sql`settings - 'budgets' - 'currency' AS settings` : sql.ref(name),
    ),
  );

/** Yields the rows of a workspace in one table as JSON texts, a chunk at a time; inside a transaction. */
export async function* readRows(
  transaction: Kysely<Database>,
  table: CarriedTable,
  workspaceId: string,
  chunkRows: number,
): AsyncGenerator<readonly string[]> {
  // A statement that declares a cursor has no parameters, so the id is in its text.
  await sql`DECLARE carried NO SCROLL CURSOR FOR SELECT to_jsonb(one)::text AS json FROM (SELECT ${carriedColumns(table)} FROM ${sql.table(table)} WHERE ${belongsTo(table, workspaceId)}) AS one`.execute(
    transaction,
  );
  for (;;) {
    const { rows } = await sql<{ json: string }>`FETCH FORWARD ${sql.lit(chunkRows)} FROM carried`.execute(transaction);
    if (rows.length > 0) yield rows.map(({ json }) => json);
    if (rows.length < chunkRows) break;
  }
  await sql`CLOSE carried`.execute(transaction);
}

/** Stores rows of one table in one statement. */
export async function insertRows(
  transaction: Kysely<Database>,
  table: CarriedTable,
  rows: readonly CarriedRow['row'][],
): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::text::jsonb)`.execute(
    transaction,
  );
}
