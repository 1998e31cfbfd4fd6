import type { ColumnType, Generated } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import type { MappingConfig, MappingStats, LimitReason, RunStatus } from '../../contract/mapping.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import type { Tier } from '../../contract/limits.ts';
import type { LoadShape, LoadTest } from '../../contract/loadTests.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { RunOutcome, RunResults, RunType } from '../../contract/testRuns.ts';
import type { TreeNode } from '../../contract/tree.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import type { MissionResult, TestPlan } from './testPlan.ts';
import type { StoredMemory } from './stepMemory.ts';

/** The database works it out. */
type Computed<Value> = ColumnType<Value, never, never>;
/** A jsonb column: read as a value, written as JSON text, which every driver takes alike. */
type Json<Value> = ColumnType<Value, string, string>;
type OptionalJson<Value> = ColumnType<Value | null, string | null, string | null>;
/** A timestamptz column; written with millisecond precision, so that a cursor compares exactly. */
type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null, Date | null>;
/** May be left out when the row is made. */
type Optional<Column> =
  Column extends ColumnType<infer Read, infer Write, infer Change>
    ? ColumnType<Read | null, Write | null | undefined, Change | null>
    : never;

/** A mapping run, a launch of tests, a load test, or an echo call over a line. */
export type SlotKind = 'mapping' | 'tests' | 'load' | 'echo';

/** What a run ended with, beside the columns that lists filter by. */
export type StoredResult = Pick<
  RunResults,
  'reason' | 'steps' | 'transcript' | 'row' | 'hangUp' | 'endedBy' | 'postDialMs' | 'callSeconds' | 'awaitsCallAt'
> & { readonly recorded?: boolean } & { readonly mission?: MissionResult };

export interface Database {
  workspaces: {
    id: string;
    /**
     * local: that of an embedded service; agent: registered by a program, with no person yet; person: a person owns it.
     */
    kind: 'local' | 'agent' | 'person';
    name: string;
    default_profile_id: string;
    created_at: Time;
    tier: Generated<Tier>;
    /** Its owner pays the carrier: calls are counted and never refused. */
    unlimited: Generated<boolean>;
    tokens_granted: Generated<number>;
    tokens_used: Generated<number>;
    claimed_at: Optional<Time>;
  };
  /** What the workspace asks of its calls; no row where it asks nothing. */
  workspace_settings: { workspace_id: string; settings: Json<Partial<WorkspaceSettings>>; updated_at: Time };
  profiles: {
    id: string;
    workspace_id: string;
    caller: Json<CallerProfile>;
    created_at: Time;
    updated_at: Time;
    made_by: Optional<ColumnType<string, string, string>>;
  };
  api_keys: {
    id: string;
    workspace_id: string;
    name: Generated<string>;
    secret_sha256: string;
    scopes: Json<string[]>;
    created_at: Time;
    last_used_at: Optional<Time>;
    revoked_at: OptionalTime;
    /** Null where the key may do what its workspace may. */
    limits: Optional<Json<KeyLimits>>;
    /** A person made it, or a key that a person made. */
    by_person: Generated<boolean>;
  };
  /** Who registered when, by network address. */
  registrations: { network: string; at: Time };
  /** Seconds of calls that a workspace was given or bought. */
  balances: {
    id: string;
    workspace_id: string;
    pool: Pool;
    source: 'grant' | 'pack';
    seconds_granted: number;
    seconds_used: Generated<number>;
    at: Time;
  };
  /** A row for each run in flight; one past its time is that of a dead process and counts no more. */
  slots: {
    run_id: string;
    workspace_id: string;
    kind: SlotKind;
    pool: Pool;
    reserved_seconds: number | null;
    expires_at: Time;
    /** The attempt of the run that renews it; 0 while the run waits in the queue. */
    attempt: Generated<number>;
    /** Whoever carries the run out shall end it. */
    cancelled: Generated<boolean>;
    /**
     * What its calls that have not been counted yet may take at most, whether minutes limit it or not: for the budgets
     * of the workspace.
     */
    seconds_at_most: Generated<number>;
    calls_at_most: Generated<number>;
    cost_per_minute: Optional<ColumnType<number, number, number>>;
    /** The key, or the person, that launched it; null in rows that are older than this column. */
    key_id: Optional<ColumnType<string, string, string>>;
  };
  /**
   * A row for each call that a run in flight has dialled, written before its INVITE leaves; gone once the ledger counts
   * it. `slot_of`: whose slot it is taken from. `seconds`: null until the call has ended.
   */
  dials: { id: string; run_id: string; slot_of: string; attempt: number; dialled_at: Time; seconds: number | null };
  /** What the language model took on a UTC day; `key_id` is empty for questions of no key. */
  model_tokens: { workspace_id: string; key_id: string; day: Time; tokens: number };
  /** What runs have used, and for whom. A run has one row, also where its end is stored twice. */
  ledger: {
    run_id: string;
    workspace_id: string;
    pool: Pool;
    seconds: number;
    at: Time;
    calls: Generated<number>;
    cost: Generated<number>;
    key_id: Optional<ColumnType<string, string, string>>;
  };
  anchors: { phone_number: string; workspace_id: string; verified_at: Time };
  anchor_codes: {
    id: string;
    workspace_id: string;
    phone_number: string;
    code_sha256: string;
    created_at: Time;
    expires_at: Time;
    wrong_tries: Generated<number>;
    used_at: Optional<Time>;
  };
  /**
   * Text messages that were asked for within a day; `sent` is false where the number had had as many as it may. Numbers
   * as hashes.
   */
  text_messages: { number_hmac: string; network: string; sent: boolean; at: Time };
  free_grants: { phone_number: string; workspace_id: string; granted_at: Time };
  people: { id: string; email: string; password: string; created_at: Time };
  memberships: { workspace_id: string; person_id: string };
  sessions: { token_sha256: string; person_id: string; workspace_id: string; expires_at: Time };
  claim_links: { token_sha256: string; workspace_id: string; expires_at: Time; used_at: Optional<Time> };
  /**
   * People who were sent a code and have not given it yet. Rows of the last day, for its limits. `code_sha256` is empty
   * where the mail held no code.
   */
  sign_ups: {
    token_sha256: string;
    email: string;
    network: string;
    code_sha256: string;
    created_at: Time;
    expires_at: Time;
    wrong_tries: Generated<number>;
    used_at: Optional<Time>;
    /** The claim link that the person opened; null for a sign-up without one. */
    claim_sha256: Optional<ColumnType<string, string, string>>;
  };
  /** By these the operator vouches for an address, each for one new person. */
  invitations: { token_sha256: string; email: string; expires_at: Time; used_at: Optional<Time> };
  /** Keys, numbers and money: who did what. Never a secret. */
  audit: { id: string; workspace_id: string; event: string; detail: Json<Readonly<Record<string, unknown>>>; at: Time };
  /** Secrets of this store: what signs recordings' addresses and cursors. */
  settings: { name: string; value: string };
  mapping_jobs: {
    id: string;
    workspace_id: string;
    name: string;
    phone_number: string;
    profile_id: string;
    tags: Json<string[]>;
    config: Json<MappingConfig>;
    created_at: Time;
    /** The key that made it; null in rows that are older than this column. */
    made_by: Optional<ColumnType<string, string, string>>;
    /** The key that last changed what a run may press. */
    guard_by: Optional<ColumnType<string, string, string>>;
  };
  mapping_runs: {
    id: string;
    job_id: string;
    run_number: number;
    status: RunStatus;
    stats: Json<MappingStats>;
    in_flight: Generated<number>;
    limit_reason: LimitReason | null;
    reason: string | null;
    ended_by: Optional<ColumnType<EndedBy, EndedBy, EndedBy>>;
    /** What the run began with, whatever its job says since; null in rows that are older than this column. */
    config: Optional<Json<MappingConfig>>;
    /** How often a worker began this run; more than one after an interruption. */
    attempts: Generated<number>;
    started_at: Time;
    completed_at: OptionalTime;
    /** As the profile of its job stood when it was launched; null in rows that are older than this column. */
    caller: Optional<Json<CallerProfile>>;
    /** As of its job when it was launched. */
    guard_by: Optional<ColumnType<string, string, string>>;
    /** As of the consent when it was launched; null where none was needed. */
    consented_by: Optional<ColumnType<string, string, string>>;
  };
  mapping_steps: {
    run_id: string;
    step_id: string;
    parent_id: string | null;
    position: number;
    status: string;
    depth: number;
    node: Json<TreeNode>;
    /** What the crawl needs to go on from here after an interruption; never leaves the service. */
    memory: Json<StoredMemory>;
  };
  recordings: { run_id: string; step_id: string; bytes: number; seconds: number };
  mission_configs: {
    id: string;
    workspace_id: string;
    name: string;
    description: string | null;
    phone_number: string;
    sector: string | null;
    mission: string;
    acceptance: string;
    profile_id: string;
    tags: Json<string[]>;
    created_at: Time;
    updated_at: Time;
    from_file: Generated<boolean>;
    votes: number | null;
    max_turns: number | null;
    max_seconds: number | null;
    /** The key that made it; null in rows that are older than this column. */
    made_by: Optional<ColumnType<string, string, string>>;
  };
  test_configs: {
    id: string;
    workspace_id: string;
    name: string;
    description: string | null;
    phone_number: string;
    language: string;
    steps: Json<TestStep[]>;
    rows: OptionalJson<Record<string, string>[]>;
    profile_id: string;
    tags: Json<string[]>;
    created_at: Time;
    updated_at: Time;
    from_file: Generated<boolean>;
    /** Of steps and rows, as JSON text. */
    bytes: Computed<number>;
    /** The key that made it; null in rows that are older than this column. */
    made_by: Optional<ColumnType<string, string, string>>;
  };
  test_runs: {
    id: string;
    workspace_id: string;
    run_type: RunType;
    outcome: RunOutcome | null;
    phone_number: string;
    config_id: string | null;
    catalogue_test_id: string | null;
    config_name: string | null;
    started_at: Time;
    completed_at: OptionalTime;
    result: Json<StoredResult>;
    launch_id: Optional<ColumnType<string, string, string>>;
    position: Optional<ColumnType<number, number, number>>;
    /** The attempt of its launch that placed its call; null before that. */
    attempt: Optional<ColumnType<number, number, number>>;
    /** Whoever carries the run out shall end it. */
    cancelled: Generated<boolean>;
    plan: Optional<Json<TestPlan>>;
    /** 0 where nothing is recorded, and in rows that are older than this column. */
    recording_bytes: Generated<number>;
    /** As of `mapping_runs`. */
    consented_by: Optional<ColumnType<string, string, string>>;
  };
  test_launches: { id: string; workspace_id: string; attempts: Generated<number>; created_at: Time };
  load_tests: {
    id: string;
    workspace_id: string;
    phone_number: string;
    config_id: string | null;
    concurrency: number;
    ramp_seconds: number;
    hold_seconds: number;
    status: LoadTest['status'];
    reason: string | null;
    stats: OptionalJson<NonNullable<LoadTest['stats']>>;
    started_at: Time;
    completed_at: OptionalTime;
    /** A process has begun to call, and when. */
    begun: Generated<boolean>;
    begun_at: Optional<Time>;
    progress: Optional<Json<NonNullable<LoadTest['progress']>>>;
    ended_by: Optional<ColumnType<EndedBy, EndedBy, EndedBy>>;
    /** Null in rows that are older than it. */
    shape: Optional<Json<LoadShape>>;
    /** As of `mapping_runs`. */
    caller: Optional<Json<CallerProfile>>;
  };
  /** `answer` is null while the request goes on, and for ever where it broke off. */
  idempotency_keys: {
    workspace_id: string;
    key: string;
    request_sha256: string;
    at: Time;
    answer: ColumnType<{ readonly result: unknown } | null, string | undefined, string>;
    bytes: Computed<number>;
  };
  consents: {
    workspace_id: string;
    phone_number: string;
    statement: string;
    recorded_at: Time;
    /** The key; null in rows that are older than this column. */
    consented_by: Optional<ColumnType<string, string, string>>;
  };
}
