import { sql, type Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import type { CarriedRow } from './rows.ts';
import type { CarriedTable } from './tables.ts';

type Holder = CarriedTable | 'slots' | 'test_launches' | 'anchor_codes';

/** The tables whose rows have their own id, or that of a run. */
const holders = [
  'profiles',
  'balances',
  'ledger',
  'audit',
  'mapping_jobs',
  'tests',
  'test_runs',
  'load_tests',
  'slots',
  'test_launches',
  'anchor_codes',
] as const satisfies readonly Holder[];
const runTables: readonly Holder[] = ['mapping_runs', 'test_runs', 'load_tests'];
/** They have a run's id beside the run itself. */
const besideRuns: readonly Holder[] = ['ledger', 'slots'];

/**
 * Refuses rows whose ids something else in the store has, in whatever table: recordings, usage and signed addresses are
 * found by the id of a run alone. The same row of the same workspace, and the same person, aren't something else.
 * @throws HumanError 409
 */
export async function refuseTakenIds(
  transaction: Transaction<Database>,
  rows: readonly CarriedRow[],
  workspaceId: string,
): Promise<void> {
  const [first] = rows;
  const ids = rows.flatMap(({ row }) => ('id' in row ? row.id : 'run_id' in row ? row.run_id : []));
  if (!first || ids.length === 0 || first.table === 'mapping_steps' || first.table === 'recordings') return;
  const held = holders.map(
    (table) =>
      sql`SELECT ${sql.lit(table)} AS holder, workspace_id FROM ${sql.table(table)} WHERE ${sql.ref(besideRuns.includes(table) ? 'run_id' : 'id')} IN (SELECT id FROM named)`,
  );
  const found = await sql<{ holder: Holder; workspace_id: string | null }>`
    WITH texts AS MATERIALIZED (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) AS id),
      named AS MATERIALIZED (SELECT CASE WHEN id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN id::uuid END AS id FROM texts)
    ${sql.join(held, sql` UNION ALL `)}
    UNION ALL SELECT 'workspaces', id FROM workspaces WHERE id IN (SELECT id FROM named)
    UNION ALL SELECT 'people', NULL FROM people WHERE id IN (SELECT id FROM named)
    UNION ALL SELECT 'api_keys', workspace_id FROM api_keys WHERE id IN (SELECT id FROM texts)
    UNION ALL SELECT 'mapping_runs', job.workspace_id FROM mapping_runs AS run JOIN mapping_jobs AS job ON job.id = run.job_id
      WHERE run.id IN (SELECT id FROM named)`.execute(transaction);
  const { table } = first;
  const isSame = ({ holder, workspace_id: holderId }: { holder: Holder; workspace_id: string | null }): boolean =>
    holder === table
      ? // Ids of tests come from files, which several workspaces can have.
        holder === 'people' || holder === 'tests' || holderId === workspaceId
      : holderId === workspaceId &&
        (runTables.includes(table)
          ? besideRuns.includes(holder)
          : table === 'ledger' && (holder === 'slots' || runTables.includes(holder)));
  if (!found.rows.every(isSame))
    throw new HumanError(
      'Nothing was imported, because ids in this file already belong to something else in this store. The file may have been imported before.',
      { status: 409 },
    );
}
