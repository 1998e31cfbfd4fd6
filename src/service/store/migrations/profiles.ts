import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How a workspace calls, and the profile with which each active run started. The default profile has a row once it was
 * changed.
 */
export const profilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('profiles')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('caller', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('profiles_by_workspace').on('profiles').column('workspace_id').execute();
    await db.schema.alterTable('mapping_runs').addColumn('caller', 'jsonb').execute();
    await db.schema.alterTable('load_tests').addColumn('caller', 'jsonb').execute();
  },
};
