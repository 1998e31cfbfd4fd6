import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/**
 * Which key consented to the calls of a run, and which keys come from a person, directly or through another key of
 * theirs.
 */
export const consentersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['consents', 'mapping_runs', 'test_runs'])
      await db.schema.alterTable(table).addColumn('consented_by', 'text').execute();
    await db.schema
      .alterTable('api_keys')
      .addColumn('by_person', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute();
    await sql`
      WITH RECURSIVE of_people AS (
        SELECT api_keys.id FROM api_keys JOIN workspaces ON workspaces.id = workspace_id WHERE kind = 'local'
        UNION
        SELECT detail->>'keyId' FROM audit WHERE event = 'key.created' AND detail->>'by' LIKE 'person:%'
        UNION
        SELECT detail->>'keyId' FROM audit JOIN of_people ON detail->>'by' = of_people.id WHERE event = 'key.created'
      )
      UPDATE api_keys SET by_person = true WHERE id IN (SELECT id FROM of_people)`.execute(db);
  },
};
