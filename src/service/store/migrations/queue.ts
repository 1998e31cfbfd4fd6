import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

const statements = [
  `ALTER TABLE slots ADD COLUMN IF NOT EXISTS lane text,
    ADD COLUMN IF NOT EXISTS place bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN IF NOT EXISTS taken_at timestamptz`,
  // What an earlier version queued waits on. A run that its process was performing has the lease of that process.
  `UPDATE slots SET lane = kind, taken_at = CASE WHEN attempt > 0 THEN clock_timestamp() END WHERE kind <> 'echo'`,
  // Only if it has that queue: the database can have a schema of this name for something else.
  `DO $$ BEGIN
    IF to_regclass('queue.job') IS NOT NULL AND to_regclass('queue.version') IS NOT NULL
      AND to_regclass('queue.subscription') IS NOT NULL AND to_regclass('queue.queue') IS NOT NULL
    THEN
      IF EXISTS (SELECT 1 FROM queue.queue WHERE name = 'mapping-run') THEN DROP SCHEMA queue CASCADE; END IF;
    END IF;
  END $$`,
];

/** Slots are the queue too. Previously, a library had its own tables for it. */
export const queueMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
