import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Responses to requests that can be sent twice. */
export const idempotencyMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('idempotency_keys')
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('key', 'varchar(255)', (column) => column.notNull())
      .addColumn('request_sha256', 'text', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .addColumn('answer', 'jsonb')
      .addPrimaryKeyConstraint('idempotency_keys_key', ['workspace_id', 'key'])
      .execute();
    await db.schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').columns(['at']).execute();
  },
};
