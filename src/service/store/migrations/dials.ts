import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Calls that active runs have dialled, and how runs ended that were ended from outside. */
export const dialsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('dials')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('run_id', 'uuid', (column) => column.notNull())
      .addColumn('slot_of', 'uuid', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('dialled_at', 'timestamptz', (column) => column.notNull())
      .addColumn('seconds', 'double precision')
      .execute();
    await db.schema.createIndex('dials_by_run').on('dials').column('run_id').execute();
    for (const table of ['mapping_runs', 'load_tests'])
      await db.schema.alterTable(table).addColumn('ended_by', 'text').execute();
    await db.schema.alterTable('load_tests').addColumn('begun_at', 'timestamptz').execute();
  },
};
