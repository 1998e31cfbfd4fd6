import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One process places all calls of a load test, so it sends no messages to others. */
export const dropLoadMailMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable('load_mail').execute();
  },
};
