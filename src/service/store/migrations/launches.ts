import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Launches of tests, whose runs are performed one after the other, and of load tests. */
export const launchesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('test_launches')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('test_runs')
      .addColumn('launch_id', 'uuid', (column) => column.references('test_launches.id').onDelete('set null'))
      .addColumn('position', 'integer')
      .addColumn('attempt', 'integer')
      .addColumn('cancelled', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('plan', 'jsonb')
      .execute();
    await db.schema
      .alterTable('load_tests')
      .addColumn('begun', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('progress', 'jsonb')
      .execute();
    await db.schema
      .createIndex('test_runs_by_launch')
      .on('test_runs')
      .columns(['launch_id', 'position'])
      .where('launch_id', 'is not', null)
      .execute();
  },
};
