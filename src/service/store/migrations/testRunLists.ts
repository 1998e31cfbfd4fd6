import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/**
 * Lists and counts of test runs read every row of a workspace and never a result: results lie apart, so that the rows
 * are short.
 */
export const testRunListsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    // The least that Postgres allows. It holds for what is written from now on, and for results that make a row longer
    // than 2 kB.
    await sql`ALTER TABLE test_runs SET (toast_tuple_target = 128)`.execute(db);
  },
};
