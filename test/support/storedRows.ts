import { randomUUID } from 'node:crypto';
import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../../src/service/store/schema.ts';

type Row<Table extends keyof Database> = Insertable<Database[Table]>;

/** Writes a workspace of a person. */
export const insertWorkspace = async (
  db: Kysely<Database>,
  row: Pick<Row<'workspaces'>, 'id' | 'created_at'> & Partial<Row<'workspaces'>>,
): Promise<void> => {
  await db
    .insertInto('workspaces')
    .values({ kind: 'person', name: 'w', default_profile_id: randomUUID(), ...row })
    .execute();
};

/** Returns the row of a mission run that no saved test launched. */
export const testRunRow = (
  row: Pick<Row<'test_runs'>, 'id' | 'workspace_id' | 'started_at'> & Partial<Row<'test_runs'>>,
): Row<'test_runs'> => ({
  run_type: 'mission',
  outcome: null,
  phone_number: '+12025550101',
  config_id: null,
  catalogue_test_id: null,
  config_name: null,
  completed_at: null,
  result: JSON.stringify({ steps: [] }),
  ...row,
});

/** Writes a completed load test of a number. */
export const insertLoadTest = async (
  db: Kysely<Database>,
  row: Pick<Row<'load_tests'>, 'id' | 'workspace_id' | 'started_at'> & Partial<Row<'load_tests'>>,
): Promise<void> => {
  const shape = { concurrency: 5, ramp_seconds: 1, hold_seconds: 2, status: 'completed' as const };
  const rest = { phone_number: '+12025550101', config_id: null, reason: null, stats: null, completed_at: null };
  await db
    .insertInto('load_tests')
    .values({ ...shape, ...rest, ...row })
    .execute();
};
