import type { ColumnType, Generated } from 'kysely';
import type { MappingConfig, MappingStats, LimitReason, RunStatus } from '../../contract/mapping.ts';
import type { TreeNode } from '../../contract/tree.ts';
import type { StoredMemory } from './stepMemory.ts';

/** A jsonb column: read as a value, written as JSON text, which every driver takes alike. */
type Json<Value> = ColumnType<Value, string, string>;
/** A timestamptz column; written with millisecond precision, so that a cursor compares exactly. */
type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null, Date | null>;

export interface Database {
  workspaces: { id: string; kind: 'local'; name: string; default_profile_id: string; created_at: Time };
  api_keys: { id: string; workspace_id: string; secret_sha256: string; scopes: Json<string[]>; created_at: Time; revoked_at: OptionalTime };
  /** Secrets of this store: what signs recordings' addresses and cursors. */
  settings: { name: string; value: string };
  mapping_jobs: {
    id: string; workspace_id: string; name: string; phone_number: string; profile_id: string; tags: Json<string[]>; config: Json<MappingConfig>; created_at: Time;
  };
  mapping_runs: {
    id: string; job_id: string; run_number: number; status: RunStatus; stats: Json<MappingStats>; in_flight: Generated<number>;
    limit_reason: LimitReason | null; reason: string | null;
    /** How often a worker began this run; more than one after an interruption. */
    attempts: Generated<number>;
    started_at: Time; completed_at: OptionalTime;
  };
  mapping_steps: {
    run_id: string; step_id: string; parent_id: string | null; position: number; status: string; depth: number;
    node: Json<TreeNode>;
    /** What the crawl needs to go on from here after an interruption; never leaves the service. */
    memory: Json<StoredMemory>;
  };
  recordings: { run_id: string; step_id: string; bytes: number; seconds: number };
  consents: { workspace_id: string; phone_number: string; statement: string; recorded_at: Time };
}
