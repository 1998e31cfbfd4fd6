import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** A workspace's settings for its calls, and what its budgets count. */
export const settingsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('workspace_settings')
      .addColumn('workspace_id', 'uuid', (column) =>
        column.primaryKey().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('settings', 'jsonb', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('ledger')
      .addColumn('calls', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('cost', 'double precision', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('slots')
      .addColumn('seconds_at_most', 'double precision', (column) => column.notNull().defaultTo(0))
      .addColumn('calls_at_most', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('cost_per_minute', 'double precision')
      .execute();
    // Finds recordings that may be too old without reading results, which are most of a row.
    await sql`CREATE INDEX test_runs_recorded ON test_runs (workspace_id, completed_at) WHERE result ->> 'recorded' = 'true'`.execute(
      db,
    );
  },
};
