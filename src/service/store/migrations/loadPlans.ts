import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the calls of a load test carry out, as of its launch. */
export const loadPlansMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('load_tests').addColumn('plans', 'jsonb').execute();
  },
};
