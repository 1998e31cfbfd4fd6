import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** Reasons as templates with values, which clients show in their language. */
export const reasonPartsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['mapping_runs', 'load_tests'])
      await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN IF NOT EXISTS reason_parts jsonb`.execute(db);
  },
};
