import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * People prove their address before they claim a workspace: by a code that is sent there, or by an invitation of the
 * operator.
 */
export const verifiedPeopleMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sign_ups').addColumn('claim_sha256', 'text').execute();
    await db.schema
      .createTable('invitations')
      .addColumn('token_sha256', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('used_at', 'timestamptz')
      .execute();
  },
};
