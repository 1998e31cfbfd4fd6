import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/**
 * Lists and counts of test runs read every row of a workspace but never a result, so results are stored separately to
 * keep rows short.
 */
export const testRunListsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    // The minimum that Postgres allows. It applies to new rows, and to results that make a row longer than 2 kB.
    await sql`ALTER TABLE test_runs SET (toast_tuple_target = 128)`.execute(db);
  },
};
