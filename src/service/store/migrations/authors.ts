import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which key created a resource, and which one last changed what a mapping may press. Null in older rows. The key may be
 * deleted, so these aren't references.
 */
export const authorsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['mapping_jobs', 'mission_configs', 'test_configs', 'profiles'])
      await db.schema.alterTable(table).addColumn('made_by', 'text').execute();
    for (const table of ['mapping_jobs', 'mapping_runs'])
      await db.schema.alterTable(table).addColumn('guard_by', 'text').execute();
  },
};
