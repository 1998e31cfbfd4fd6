import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** Removes figures of ended load tests that reports no longer show: what was heard instead, and each step over time. */
export const loadFiguresMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      UPDATE load_tests SET stats = jsonb_set(stats, '{tested}', (stats->'tested') - 'columnSeconds' - 'unknownPrompts'
        || jsonb_build_object(
          'steps', (SELECT COALESCE(jsonb_agg(item - 'overTime' ORDER BY place), '[]')
            FROM jsonb_array_elements(stats->'tested'->'steps') WITH ORDINALITY AS items(item, place)),
          'failures', (SELECT COALESCE(jsonb_agg(item - 'heard' ORDER BY place), '[]')
            FROM jsonb_array_elements(stats->'tested'->'failures') WITH ORDINALITY AS items(item, place))))
      WHERE stats->'tested' IS NOT NULL`.execute(db);
  },
};
