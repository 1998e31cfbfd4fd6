import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The options of a load test in addition to its size: calls per second, abort conditions, keys. */
export const loadShapeMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('load_tests').addColumn('shape', 'jsonb').execute();
  },
};
