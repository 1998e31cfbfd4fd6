import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** The tables of the first version. `schema.ts` describes their columns. */
export const baselineStatements: readonly string[] = [
  `CREATE TABLE settings (
    name text PRIMARY KEY,
    value text NOT NULL
  )`,
  `CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    name text NOT NULL,
    default_profile_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    tier text NOT NULL DEFAULT 'free',
    unlimited boolean NOT NULL DEFAULT false,
    tokens_granted integer NOT NULL DEFAULT 0,
    tokens_used integer NOT NULL DEFAULT 0,
    claimed_at timestamptz
  )`,
  `CREATE TABLE workspace_settings (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
    settings jsonb NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE TABLE api_keys (
    id text PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    secret_sha256 text NOT NULL,
    scopes jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    name text NOT NULL DEFAULT 'First key',
    last_used_at timestamptz,
    limits jsonb,
    by_person boolean NOT NULL DEFAULT false
  )`,
  // A key may be deleted, so the columns that name one aren't references.
  `CREATE TABLE profiles (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    caller jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    made_by text
  )`,
  'CREATE INDEX profiles_by_workspace ON profiles (workspace_id)',
  `CREATE TABLE consents (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    phone_number text NOT NULL,
    statement text NOT NULL,
    recorded_at timestamptz NOT NULL,
    consented_by text,
    CONSTRAINT consents_key PRIMARY KEY (workspace_id, phone_number)
  )`,

  `CREATE TABLE mapping_jobs (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    name text NOT NULL,
    phone_number text NOT NULL,
    profile_id uuid NOT NULL,
    tags jsonb NOT NULL,
    config jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    made_by text,
    guard_by text
  )`,
  'CREATE INDEX mapping_jobs_by_age ON mapping_jobs (workspace_id, created_at, id)',
  `CREATE TABLE mapping_runs (
    id uuid PRIMARY KEY,
    job_id uuid NOT NULL REFERENCES mapping_jobs ON DELETE CASCADE,
    run_number integer NOT NULL,
    status text NOT NULL,
    stats jsonb NOT NULL,
    in_flight integer NOT NULL DEFAULT 0,
    limit_reason text,
    reason text,
    attempts integer NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL,
    completed_at timestamptz,
    ended_by text,
    config jsonb,
    caller jsonb,
    guard_by text,
    consented_by text,
    CONSTRAINT mapping_runs_by_number UNIQUE (job_id, run_number)
  )`,
  // The last guard against two simultaneous runs of one job.
  `CREATE UNIQUE INDEX mapping_runs_one_active ON mapping_runs (job_id) WHERE status = 'running'`,
  `CREATE TABLE mapping_steps (
    run_id uuid NOT NULL REFERENCES mapping_runs ON DELETE CASCADE,
    step_id text NOT NULL,
    parent_id text,
    position integer NOT NULL,
    status text NOT NULL,
    depth integer NOT NULL,
    node jsonb NOT NULL,
    memory jsonb NOT NULL,
    CONSTRAINT mapping_steps_key PRIMARY KEY (run_id, step_id)
  )`,
  `CREATE TABLE recordings (
    run_id uuid NOT NULL REFERENCES mapping_runs ON DELETE CASCADE,
    step_id text NOT NULL,
    bytes integer NOT NULL,
    seconds double precision NOT NULL,
    CONSTRAINT recordings_key PRIMARY KEY (run_id, step_id)
  )`,

  // An id that a client chooses is unique within its workspace, so it doesn't reveal whether another workspace uses it.
  `CREATE TABLE mission_configs (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    name text NOT NULL,
    description text,
    phone_number text NOT NULL,
    sector text,
    mission text NOT NULL,
    acceptance text NOT NULL,
    profile_id uuid NOT NULL,
    tags jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    from_file boolean NOT NULL DEFAULT false,
    votes integer,
    max_turns integer,
    max_seconds integer,
    made_by text,
    PRIMARY KEY (workspace_id, id)
  )`,
  'CREATE INDEX mission_configs_by_age ON mission_configs (workspace_id, created_at, id)',
  'CREATE INDEX mission_configs_by_name ON mission_configs (workspace_id, name, id)',
  // The database computes `bytes`, so that a row's size always matches its content.
  `CREATE TABLE test_configs (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    name text NOT NULL,
    description text,
    phone_number text NOT NULL,
    language text NOT NULL,
    steps jsonb NOT NULL,
    rows jsonb,
    profile_id uuid NOT NULL,
    tags jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    from_file boolean NOT NULL DEFAULT false,
    bytes integer GENERATED ALWAYS AS (octet_length(steps::text) + coalesce(octet_length(rows::text), 0)) STORED,
    made_by text,
    PRIMARY KEY (workspace_id, id)
  )`,
  'CREATE INDEX test_configs_by_age ON test_configs (workspace_id, created_at, id)',
  `CREATE TABLE test_launches (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL
  )`,
  // Name and number of the test are stored with the run, so that its runs can be found after the test is renamed or
  // deleted. Lists and counts read every row of a workspace but never a result, so results are stored separately to
  // keep rows short. 128 is the minimum that Postgres allows.
  `CREATE TABLE test_runs (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    run_type text NOT NULL,
    outcome text,
    phone_number text NOT NULL,
    config_id uuid,
    catalogue_test_id text,
    config_name text,
    started_at timestamptz NOT NULL,
    completed_at timestamptz,
    result jsonb NOT NULL,
    launch_id uuid REFERENCES test_launches ON DELETE SET NULL,
    position integer,
    attempt integer,
    cancelled boolean NOT NULL DEFAULT false,
    plan jsonb,
    recording_bytes integer NOT NULL DEFAULT 0,
    consented_by text
  ) WITH (toast_tuple_target = 128)`,
  'CREATE INDEX test_runs_by_start ON test_runs (workspace_id, started_at, id)',
  'CREATE INDEX test_runs_by_end ON test_runs (workspace_id, completed_at, id)',
  'CREATE INDEX test_runs_by_launch ON test_runs (launch_id, position) WHERE launch_id IS NOT NULL',
  // Finds recordings that may be too old without reading results, which are most of a row.
  `CREATE INDEX test_runs_recorded ON test_runs (workspace_id, completed_at) WHERE result ->> 'recorded' = 'true'`,
  `CREATE TABLE load_tests (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    phone_number text NOT NULL,
    config_id uuid,
    concurrency integer NOT NULL,
    ramp_seconds double precision NOT NULL,
    hold_seconds double precision NOT NULL,
    status text NOT NULL,
    reason text,
    stats jsonb,
    started_at timestamptz NOT NULL,
    completed_at timestamptz,
    begun boolean NOT NULL DEFAULT false,
    progress jsonb,
    shape jsonb,
    ended_by text,
    begun_at timestamptz,
    caller jsonb,
    recordings jsonb,
    plans jsonb
  )`,
  'CREATE INDEX load_tests_by_start ON load_tests (workspace_id, started_at, id)',
  // Messages are needed for a moment only, and a load test doesn't survive a crash of the database either.
  `CREATE UNLOGGED TABLE load_mail (
    load_test_id uuid NOT NULL REFERENCES load_tests ON DELETE CASCADE,
    receiver uuid NOT NULL,
    sender uuid NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL,
    CONSTRAINT load_mail_key PRIMARY KEY (receiver, sender, number)
  )`,
  'CREATE INDEX load_mail_by_test ON load_mail (load_test_id)',
  `CREATE TABLE dials (
    id uuid PRIMARY KEY,
    run_id uuid NOT NULL,
    slot_of uuid NOT NULL,
    attempt integer NOT NULL,
    dialled_at timestamptz NOT NULL,
    seconds double precision
  )`,
  'CREATE INDEX dials_by_run ON dials (run_id)',

  `CREATE TABLE balances (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    pool text NOT NULL,
    source text NOT NULL,
    seconds_granted double precision NOT NULL,
    seconds_used double precision NOT NULL DEFAULT 0,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX balances_by_pool ON balances (workspace_id, pool, at)',
  `CREATE TABLE slots (
    run_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    pool text NOT NULL,
    reserved_seconds double precision,
    expires_at timestamptz NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    cancelled boolean NOT NULL DEFAULT false,
    seconds_at_most double precision NOT NULL DEFAULT 0,
    calls_at_most integer NOT NULL DEFAULT 0,
    cost_per_minute double precision,
    key_id text,
    kind text NOT NULL
  )`,
  'CREATE INDEX slots_by_workspace ON slots (workspace_id, expires_at)',
  `CREATE TABLE ledger (
    run_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    pool text NOT NULL,
    seconds double precision NOT NULL,
    at timestamptz NOT NULL,
    calls integer NOT NULL DEFAULT 0,
    cost double precision NOT NULL DEFAULT 0,
    key_id text
  )`,
  'CREATE INDEX ledger_by_month ON ledger (workspace_id, at)',
  `CREATE TABLE model_tokens (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    key_id text NOT NULL,
    day timestamptz NOT NULL,
    tokens bigint NOT NULL,
    CONSTRAINT model_tokens_key PRIMARY KEY (workspace_id, day, key_id)
  )`,

  `CREATE TABLE registrations (
    network text NOT NULL,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX registrations_by_network ON registrations (network, at)',
  `CREATE TABLE anchors (
    phone_number text PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    verified_at timestamptz NOT NULL
  )`,
  `CREATE TABLE anchor_codes (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    phone_number text NOT NULL,
    code_sha256 text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    wrong_tries integer NOT NULL DEFAULT 0,
    used_at timestamptz
  )`,
  'CREATE INDEX anchor_codes_by_workspace ON anchor_codes (workspace_id, created_at)',
  // Not a reference: a number gets its grant only once, even after its workspace is gone.
  `CREATE TABLE free_grants (
    phone_number text PRIMARY KEY,
    workspace_id uuid NOT NULL,
    granted_at timestamptz NOT NULL
  )`,
  `CREATE TABLE text_messages (
    number_hmac text NOT NULL,
    network text NOT NULL,
    sent boolean NOT NULL,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX text_messages_by_age ON text_messages (at)',

  `CREATE TABLE people (
    id uuid PRIMARY KEY,
    email text NOT NULL UNIQUE,
    password text NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE memberships (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    person_id uuid NOT NULL REFERENCES people ON DELETE CASCADE,
    CONSTRAINT memberships_key PRIMARY KEY (workspace_id, person_id)
  )`,
  `CREATE TABLE sessions (
    token_sha256 text PRIMARY KEY,
    person_id uuid NOT NULL REFERENCES people ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE TABLE claim_links (
    token_sha256 text PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  )`,
  `CREATE TABLE invitations (
    token_sha256 text PRIMARY KEY,
    email text NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  )`,
  `CREATE TABLE sign_ups (
    token_sha256 text PRIMARY KEY,
    email text NOT NULL,
    network text NOT NULL,
    code_sha256 text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    wrong_tries integer NOT NULL DEFAULT 0,
    used_at timestamptz,
    claim_sha256 text
  )`,
  'CREATE INDEX sign_ups_by_time ON sign_ups (created_at)',

  // The format of rate-limiter-flexible: `expire` is milliseconds since 1970.
  `CREATE TABLE request_counts (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  )`,
  `CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    key varchar(255) NOT NULL,
    request_sha256 text NOT NULL,
    at timestamptz NOT NULL,
    answer jsonb,
    bytes integer GENERATED ALWAYS AS (coalesce(octet_length(answer::text), 0)) STORED,
    CONSTRAINT idempotency_keys_key PRIMARY KEY (workspace_id, key)
  )`,
  'CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at)',
  `CREATE TABLE audit (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    event text NOT NULL,
    detail jsonb NOT NULL,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX audit_by_workspace ON audit (workspace_id, at)',
];

export const baselineMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of baselineStatements) await sql.raw(statement).execute(db);
  },
};
