import type { Parts } from '../../base/sentences.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import type { MappingConfig, MappingStats, LimitReason, RunStatus } from '../../contract/mapping.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import type { Tier } from '../../contract/limits.ts';
import type { LoadShape, LoadTest } from '../../contract/loadTests.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { MissionTestConfig } from '../../contract/missionConfigs.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';
import type { RunOutcome, RunResults, RunType } from '../../contract/testRuns.ts';
import type { TreeNode } from '../../contract/tree.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import type { MissionResult, TestPlan } from './storedPlan.ts';
import type { StoredMemory } from './stepMemory.ts';

/** Computed by the database. */
type Computed<Value> = ColumnType<Value, never, never>;
/** A jsonb column: read as a value, written as JSON text, which every driver handles alike. */
type Json<Value> = ColumnType<Value, string, string>;
type OptionalJson<Value> = ColumnType<Value | null, string | null, string | null>;
/** A timestamptz column, written with millisecond precision, so that a cursor compares exactly. */
type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null, Date | null>;
/** Optional when the row is created. */
type Optional<Column> =
  Column extends ColumnType<infer Read, infer Write, infer Change>
    ? ColumnType<Read | null, Write | null | undefined, Change | null>
    : never;

/** A mapping run, a launch of tests, a load test, or an echo call over a line. */
export type SlotKind = 'mapping' | 'tests' | 'load' | 'echo';
/** The runs that wait for a worker. The request for an echo call performs it itself. */
export type QueuedKind = Exclude<SlotKind, 'echo'>;
/** `wait`: tests that only wait for an incoming call. They cost next to nothing, but anyone can start them. */
export type Lane = QueuedKind | 'wait';

export type TestKind = 'script' | 'mission';
/** What only scripted tests have. */
export type ScriptContent = Pick<TestConfig, 'description' | 'language' | 'steps' | 'rows'>;
/** What only missions have. */
export type MissionContent = Pick<
  MissionTestConfig,
  'description' | 'sector' | 'mission' | 'acceptance' | 'checks' | 'votes' | 'maxTurns' | 'maxSeconds'
>;

/** The result of a run, apart from the columns that lists filter by. */
export type StoredResult = Pick<
  RunResults,
  | 'reason'
  | 'reasonParts'
  | 'steps'
  | 'transcript'
  | 'hearing'
  | 'guided'
  | 'row'
  | 'hangUp'
  | 'endedBy'
  | 'postDialMs'
  | 'callSeconds'
  | 'awaitsCallAt'
> & { readonly recorded?: boolean } & { readonly mission?: MissionResult };

/** The recordings of a load test. Times are milliseconds in the recording; `row` counts from 1. */
export interface StoredLoadRecordings {
  readonly bytes: number;
  readonly calls: readonly { readonly call: number; readonly stepMs: number }[];
  readonly references: readonly { readonly row: number; readonly stepMs: readonly number[] }[];
}

export interface Database {
  workspaces: {
    id: string;
    /** local: of an embedded service; agent: registered by a program, no person yet; person: owned by a person. */
    kind: 'local' | 'agent' | 'person';
    name: string;
    default_profile_id: string;
    created_at: Time;
    tier: Generated<Tier>;
    /** Its owner pays the carrier, so calls are counted but never refused. */
    unlimited: Generated<boolean>;
    tokens_granted: Generated<number>;
    tokens_used: Generated<number>;
    claimed_at: Optional<Time>;
  };
  /** The workspace's settings for its calls; no row if it has none. */
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
    /** Null if the key may do whatever its workspace may. */
    limits: Optional<Json<KeyLimits>>;
    /** Created by a person, or with a key that a person created. */
    by_person: Generated<boolean>;
  };
  /** Registrations by time and network address. */
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
  /**
   * A row for each active run. It is also the run's place in the queue, and the lease of the process that performs it.
   * An expired one belongs to a dead process and doesn't count.
   */
  slots: {
    run_id: string;
    workspace_id: string;
    kind: SlotKind;
    pool: Pool;
    reserved_seconds: number | null;
    expires_at: Time;
    /** The attempt of the run that renews it; 0 while the run waits in the queue. */
    attempt: Generated<number>;
    /** The process that performs the run should end it. */
    cancelled: Generated<boolean>;
    /** The maximum usage of its calls that aren't counted yet, limited by minutes or not, for the budgets. */
    seconds_at_most: Generated<number>;
    calls_at_most: Generated<number>;
    cost_per_minute: Optional<ColumnType<number, number, number>>;
    /** The key, or the person, that launched it; null in older rows. */
    key_id: Optional<ColumnType<string, string, string>>;
    /** The workers for which it waits; null if it waits for none. */
    lane: Optional<ColumnType<Lane, Lane, Lane>>;
    /** The order in which the runs were queued. */
    place: Generated<string>;
    /** When a worker took it or last renewed it, by the clock of the database; null while it waits. */
    taken_at: OptionalTime;
  };
  /**
   * A row for each call that an active run has dialled, written before its INVITE is sent and deleted once the ledger
   * counts it. `slot_of`: the owner of its slot. `seconds`: null until the call has ended.
   */
  dials: { id: string; run_id: string; slot_of: string; attempt: number; dialled_at: Time; seconds: number | null };
  /** The language model's usage on a UTC day; `key_id` is empty for questions without a key. */
  model_tokens: { workspace_id: string; key_id: string; day: Time; tokens: number };
  /** The usage of runs, and for whom. A run has one row, even if its end is stored twice. */
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
  /** Text messages requested within a day; `sent` is false if the number is at its limit. Numbers are hashes. */
  text_messages: { number_hmac: string; network: string; sent: boolean; at: Time };
  free_grants: { phone_number: string; workspace_id: string; granted_at: Time };
  people: { id: string; email: string; password: string; created_at: Time };
  memberships: { workspace_id: string; person_id: string };
  sessions: { token_sha256: string; person_id: string; workspace_id: string; expires_at: Time };
  claim_links: { token_sha256: string; workspace_id: string; expires_at: Time; used_at: Optional<Time> };
  /**
   * People who were sent a code and haven't entered it yet. Rows of the last day, for its limits. `code_sha256` is
   * empty if the mail contained no code.
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
  /** Invitations by which the operator vouches for an address, each for one new person. */
  invitations: { token_sha256: string; email: string; expires_at: Time; used_at: Optional<Time> };
  /** Keys, numbers and money: who did what. Never a secret. */
  audit: { id: string; workspace_id: string; event: string; detail: Json<Readonly<Record<string, unknown>>>; at: Time };
  /** Secrets of this store, which sign recordings' addresses and cursors. */
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
    /** The key that created it; null in older rows. */
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
    /** Null in older rows. */
    reason_parts: Optional<Json<Parts>>;
    ended_by: Optional<ColumnType<EndedBy, EndedBy, EndedBy>>;
    /** The config with which the run started, whatever its job says since; null in older rows. */
    config: Optional<Json<MappingConfig>>;
    /** How often a worker started this run; more than one after an interruption. */
    attempts: Generated<number>;
    started_at: Time;
    completed_at: OptionalTime;
    /** The profile of its job when it was launched; null in older rows. */
    caller: Optional<Json<CallerProfile>>;
    /** From its job when it was launched. */
    guard_by: Optional<ColumnType<string, string, string>>;
    /** From the consent when it was launched; null if none was needed. */
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
    /** What the crawl needs to continue from here after an interruption. Never leaves the service. */
    memory: Json<StoredMemory>;
  };
  recordings: { run_id: string; step_id: string; bytes: number; seconds: number };
  tests: {
    id: string;
    workspace_id: string;
    kind: TestKind;
    name: string;
    phone_number: string;
    profile_id: string;
    tags: Json<string[]>;
    content: Json<ScriptContent | MissionContent>;
    created_at: Time;
    updated_at: Time;
    from_file: Generated<boolean>;
    /** The size of the content as JSON text. */
    bytes: Computed<number>;
    /** The key that created it; null in older rows. */
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
    /** The process that performs the run should end it. */
    cancelled: Generated<boolean>;
    plan: Optional<Json<TestPlan>>;
    /** 0 without a recording, and in older rows. */
    recording_bytes: Generated<number>;
    /** As in `mapping_runs`. */
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
    /** Null in older rows. */
    reason_parts: Optional<Json<Parts>>;
    stats: OptionalJson<NonNullable<LoadTest['stats']>>;
    started_at: Time;
    completed_at: OptionalTime;
    /** A process has started to call, and when. */
    begun: Generated<boolean>;
    begun_at: Optional<Time>;
    progress: Optional<Json<NonNullable<LoadTest['progress']>>>;
    ended_by: Optional<ColumnType<EndedBy, EndedBy, EndedBy>>;
    /** Null in older rows. */
    shape: Optional<Json<LoadShape>>;
    /** Null without any. */
    recordings: Optional<Json<StoredLoadRecordings>>;
    /** As in `mapping_runs`. */
    caller: Optional<Json<CallerProfile>>;
    /** One for each row of a test, as of the launch; wiped at the end. Null if the calls carry out nothing. */
    plans: Optional<Json<readonly TestPlan[]>>;
  };
  /** `answer` is null while the request is in progress, and forever if it was interrupted. */
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
    /** The key; null in older rows. */
    consented_by: Optional<ColumnType<string, string, string>>;
  };
}

export type LoadTestRow = Selectable<Database['load_tests']>;
export type TestRunRow = Selectable<Database['test_runs']>;
