import { sql, type Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import type { CarriedRow } from './rows.ts';
import type { CarriedTable } from './tables.ts';

/** The tables whose rows have an id. */
const holders = [
  'profiles',
  'balances',
  'audit',
  'mapping_jobs',
  'tests',
  'test_runs',
  'load_tests',
  'test_launches',
  'anchor_codes',
] as const;
/** They have a run's id beside the run itself. */
const besideRuns = ['ledger', 'slots'] as const;
type Holder = (typeof holders)[number] | (typeof besideRuns)[number] | 'workspaces' | 'people' | 'mapping_runs';

/**
 * Refuses rows of one table whose ids something else in the store has, in whatever table: recordings, usage and signed
 * addresses are found by the id of a run alone. The same row of the same workspace isn't something else.
 * @throws HumanError 409
 */
export async function refuseTakenIds(
  transaction: Transaction<Database>,
  table: CarriedTable,
  rows: readonly CarriedRow['row'][],
  workspaceId: string,
): Promise<void> {
  const ids = rows.flatMap((row) => ('id' in row ? row.id : []));
  if (ids.length === 0) return;
  const held = (holder: Holder, column: string) =>
    sql`SELECT ${sql.lit(holder)} AS holder, workspace_id FROM ${sql.table(holder)} WHERE ${sql.ref(column)} IN (SELECT id FROM named)`;
  const all = [...holders.map((holder) => held(holder, 'id')), ...besideRuns.map((holder) => held(holder, 'run_id'))];
  const found = await sql<{ holder: Holder; workspace_id: string | null }>`
    WITH named AS MATERIALIZED (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)::uuid AS id)
    ${sql.join(all, sql` UNION ALL `)}
    UNION ALL SELECT 'workspaces', id FROM workspaces WHERE id IN (SELECT id FROM named)
    UNION ALL SELECT 'people', NULL FROM people WHERE id IN (SELECT id FROM named)
    UNION ALL SELECT 'mapping_runs', job.workspace_id FROM mapping_runs AS run JOIN mapping_jobs AS job ON job.id = run.job_id
      WHERE run.id IN (SELECT id FROM named)`.execute(transaction);
  const isSame = ({ holder, workspace_id: holderId }: (typeof found.rows)[number]): boolean =>
    // Ids of tests come from files, which several workspaces can have.
    (holder === 'tests' && table === 'tests') ||
    (holderId === workspaceId &&
      (holder === table || (table === 'mapping_runs' && besideRuns.some((beside) => beside === holder))));
  if (!found.rows.every(isSame))
    throw new HumanError(
      'Nothing was imported, because ids in this file already belong to something else in this store. The file may have been imported before.',
      { status: 409 },
    );
}
