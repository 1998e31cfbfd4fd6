import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What a key is limited to, and the key that calls are counted for. Of keys that are gone the count stays: no
 * reference.
 */
export const keyLimitsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('api_keys').addColumn('limits', 'jsonb').execute();
    await db.schema.alterTable('slots').addColumn('key_id', 'text').execute();
    await db.schema.alterTable('ledger').addColumn('key_id', 'text').execute();
  },
};
