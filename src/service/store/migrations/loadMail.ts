import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/**
 * Messages between the processes that place the calls of one load test. Unlogged: they are needed for a moment only,
 * and a load test doesn't survive a crash of the database either.
 */
export const loadMailMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('load_mail')
      .modifyFront(sql`UNLOGGED`)
      .addColumn('load_test_id', 'uuid', (column) => column.notNull().references('load_tests.id').onDelete('cascade'))
      .addColumn('receiver', 'uuid', (column) => column.notNull())
      .addColumn('sender', 'uuid', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('body', 'bytea', (column) => column.notNull())
      .addPrimaryKeyConstraint('load_mail_key', ['receiver', 'sender', 'number'])
      .execute();
    await db.schema.createIndex('load_mail_by_test').on('load_mail').column('load_test_id').execute();
  },
};
