import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether the text of a saved test comes from a file, or was edited in the service. */
export const fromFileMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['mission_configs', 'test_configs'])
      await db.schema
        .alterTable(table)
        .addColumn('from_file', 'boolean', (column) => column.notNull().defaultTo(false))
        .execute();
  },
};
