import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How often a mission is judged, and after how many turns and seconds its caller gives up. */
export const missionBoundsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['votes', 'max_turns', 'max_seconds'])
      await db.schema.alterTable('mission_configs').addColumn(column, 'integer').execute();
  },
};
