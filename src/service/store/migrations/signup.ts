import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sign-ups that wait for their code, and the config with which a mapping run started. */
export const signupMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('mapping_runs').addColumn('config', 'jsonb').execute();
    await db.schema
      .createTable('sign_ups')
      .addColumn('token_sha256', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('code_sha256', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('wrong_tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('used_at', 'timestamptz')
      .execute();
    await db.schema.createIndex('sign_ups_by_time').on('sign_ups').columns(['created_at']).execute();
  },
};
