import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Tokens that the language model used, per key and UTC day. The count outlives its key, so `key_id` isn't a reference.
 */
export const modelTokensMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('model_tokens')
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('day', 'timestamptz', (column) => column.notNull())
      .addColumn('tokens', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('model_tokens_key', ['workspace_id', 'day', 'key_id'])
      .execute();
  },
};
