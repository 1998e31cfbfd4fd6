import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Saved tests, their runs, and load tests. */
export const testingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('mission_configs')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('sector', 'text')
      .addColumn('mission', 'text', (column) => column.notNull())
      .addColumn('acceptance', 'text', (column) => column.notNull())
      .addColumn('profile_id', 'uuid', (column) => column.notNull())
      .addColumn('tags', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('mission_configs_by_age')
      .on('mission_configs')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('mission_configs_by_name')
      .on('mission_configs')
      .columns(['workspace_id', 'name', 'id'])
      .execute();
    await db.schema
      .createTable('test_configs')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('steps', 'jsonb', (column) => column.notNull())
      .addColumn('rows', 'jsonb')
      .addColumn('profile_id', 'uuid', (column) => column.notNull())
      .addColumn('tags', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('test_configs_by_age')
      .on('test_configs')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute();
    // Name and number of the test are stored with the run, so that its runs can be found after the test is renamed or
    // deleted.
    await db.schema
      .createTable('test_runs')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('run_type', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text')
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('config_id', 'uuid')
      .addColumn('catalogue_test_id', 'text')
      .addColumn('config_name', 'text')
      .addColumn('started_at', 'timestamptz', (column) => column.notNull())
      .addColumn('completed_at', 'timestamptz')
      .addColumn('result', 'jsonb', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('test_runs_by_start')
      .on('test_runs')
      .columns(['workspace_id', 'started_at', 'id'])
      .execute();
    await db.schema
      .createIndex('test_runs_by_end')
      .on('test_runs')
      .columns(['workspace_id', 'completed_at', 'id'])
      .execute();
    await db.schema
      .createTable('load_tests')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('config_id', 'uuid')
      .addColumn('concurrency', 'integer', (column) => column.notNull())
      .addColumn('ramp_seconds', 'double precision', (column) => column.notNull())
      .addColumn('hold_seconds', 'double precision', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('stats', 'jsonb')
      .addColumn('started_at', 'timestamptz', (column) => column.notNull())
      .addColumn('completed_at', 'timestamptz')
      .execute();
    await db.schema
      .createIndex('load_tests_by_start')
      .on('load_tests')
      .columns(['workspace_id', 'started_at', 'id'])
      .execute();
  },
};
