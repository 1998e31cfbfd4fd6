import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

const statements = [
  `ALTER TABLE slots ADD COLUMN IF NOT EXISTS lane text,
    ADD COLUMN IF NOT EXISTS place bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN IF NOT EXISTS taken_at timestamptz`,
  // What an earlier version queued waits on. A run that its process was performing has the lease of that process.
  `UPDATE slots SET lane = kind, taken_at = CASE WHEN attempt > 0 THEN clock_timestamp() END WHERE kind <> 'echo'`,
  'DROP SCHEMA IF EXISTS queue CASCADE',
];

/** Slots are the queue too. Previously, a library had its own tables for it. */
export const queueMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
