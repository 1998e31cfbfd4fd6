import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

const statements = [
  // An id that a client chooses is unique within its workspace, so it doesn't reveal whether another workspace uses it.
  // The database computes `bytes`, so that a row's size always matches its content.
  `CREATE TABLE tests (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    kind text NOT NULL,
    name text NOT NULL,
    phone_number text NOT NULL,
    profile_id uuid NOT NULL,
    tags jsonb NOT NULL,
    content jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    from_file boolean NOT NULL DEFAULT false,
    bytes integer GENERATED ALWAYS AS (octet_length(content::text)) STORED,
    made_by text,
    PRIMARY KEY (workspace_id, id)
  )`,
  'CREATE INDEX tests_by_age ON tests (workspace_id, kind, created_at, id)',
  'CREATE INDEX tests_by_name ON tests (workspace_id, kind, name, id)',
  `INSERT INTO tests (id, workspace_id, kind, name, phone_number, profile_id, tags, content, created_at, updated_at, from_file, made_by)
    SELECT id, workspace_id, 'script', name, phone_number, profile_id, tags,
      jsonb_strip_nulls(jsonb_build_object('description', description))
        || jsonb_build_object('language', language, 'steps', steps)
        || CASE WHEN rows IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('rows', rows) END,
      created_at, updated_at, from_file, made_by FROM test_configs`,
  `INSERT INTO tests (id, workspace_id, kind, name, phone_number, profile_id, tags, content, created_at, updated_at, from_file, made_by)
    SELECT id, workspace_id, 'mission', name, phone_number, profile_id, tags,
      jsonb_strip_nulls(jsonb_build_object('description', description, 'sector', sector, 'mission', mission,
        'acceptance', acceptance, 'votes', votes, 'maxTurns', max_turns, 'maxSeconds', max_seconds)),
      created_at, updated_at, from_file, made_by FROM mission_configs`,
  'DROP TABLE test_configs',
  'DROP TABLE mission_configs',
];

/** One table holds the saved tests of both kinds. */
export const testsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
