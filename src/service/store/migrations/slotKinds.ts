import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** Which kind of run holds a slot. Earlier, the table with its id showed that, but an echo call is in none. */
export const slotKindsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('slots').addColumn('kind', 'text').execute();
    await sql`UPDATE slots SET kind = CASE
      WHEN EXISTS (SELECT 1 FROM mapping_runs WHERE id = slots.run_id) THEN 'mapping'
      WHEN EXISTS (SELECT 1 FROM test_launches WHERE id = slots.run_id) THEN 'tests'
      WHEN EXISTS (SELECT 1 FROM load_tests WHERE id = slots.run_id) THEN 'load'
      ELSE 'echo' END`.execute(db);
    await db.schema
      .alterTable('slots')
      .alterColumn('kind', (column) => column.setNotNull())
      .execute();
  },
};
