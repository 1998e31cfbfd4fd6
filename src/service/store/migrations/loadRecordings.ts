import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The recordings of a load test: of calls that didn't pass, and of reference calls. */
export const loadRecordingsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('load_tests').addColumn('recordings', 'jsonb').execute();
  },
};
