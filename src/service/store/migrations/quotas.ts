import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** What quotas and the limits of text messages count. */
export const quotasMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('text_messages')
      .addColumn('number_hmac', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('sent', 'boolean', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('text_messages_by_age').on('text_messages').columns(['at']).execute();
    // Computed by the database, so that a row's size always matches its content.
    await sql`ALTER TABLE test_configs ADD COLUMN bytes integer GENERATED ALWAYS AS (octet_length(steps::text) + coalesce(octet_length("rows"::text), 0)) STORED`.execute(
      db,
    );
    await sql`ALTER TABLE idempotency_keys ADD COLUMN bytes integer GENERATED ALWAYS AS (coalesce(octet_length(answer::text), 0)) STORED`.execute(
      db,
    );
    await db.schema
      .alterTable('test_runs')
      .addColumn('recording_bytes', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
