import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What several processes on one store need: who owns a run, which process should end it, and shared counts. */
export const processesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('slots')
      .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('cancelled', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute();
    // The format of rate-limiter-flexible: `expire` is milliseconds since 1970.
    await db.schema
      .createTable('request_counts')
      .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
      .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();
  },
};
