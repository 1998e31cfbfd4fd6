import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * An id that a client chooses is unique within its workspace, so it doesn't reveal whether another workspace uses it.
 */
export const ownIdsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['mission_configs', 'test_configs']) {
      await db.schema.alterTable(table).dropConstraint(`${table}_pkey`).execute();
      await db.schema.alterTable(table).addPrimaryKeyConstraint(`${table}_pkey`, ['workspace_id', 'id']).execute();
    }
  },
};
