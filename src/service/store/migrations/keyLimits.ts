import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The limits of a key, and the key that calls count for. The count of a deleted key stays, so it isn't a reference. */
export const keyLimitsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('api_keys').addColumn('limits', 'jsonb').execute();
    await db.schema.alterTable('slots').addColumn('key_id', 'text').execute();
    await db.schema.alterTable('ledger').addColumn('key_id', 'text').execute();
  },
};
