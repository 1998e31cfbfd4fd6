import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was asked of a load test beside its size: calls a second, conditions of its end, keys. */
export const loadShapeMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('load_tests').addColumn('shape', 'jsonb').execute();
  },
};
