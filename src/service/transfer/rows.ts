import { partsSchema } from '../../contract/untrusted.ts';
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { dialTargetSchema, endedBySchema } from '../../contract/common.ts';
import { loadShapeSchema, loadTestSchema } from '../../contract/loadTests.ts';
import { limitReasonSchema, mappingConfigSchema, mappingStatsSchema, runStatusSchema } from '../../contract/mapping.ts';
import { keyLimitsSchema } from '../../contract/keyLimits.ts';
import { callerSchema } from '../../contract/profiles.ts';
import { scopeSchema } from '../../contract/scopes.ts';
import { columnNameSchema, testStepSchema } from '../../contract/testConfigs.ts';
import { missionTestRunSchema, runOutcomeSchema, runResultsSchema, runTypeSchema } from '../../contract/testRuns.ts';
import { nodeStatusSchema, treeStepSchema } from '../../contract/tree.ts';
import { poolSchema, tierSchema } from '../../contract/workspace.ts';
import { workspaceSettingsSchema } from '../../contract/workspaceSettings.ts';
import { isStoredPassword } from '../people/passwords.ts';
import type { CarriedTable } from './tables.ts';

const text = z.string();
const id = z.uuid();
const time = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const amount = z.number().min(0);
const tags = z.array(z.string());

/** An id that isn't a UUID. It is shown as Dialtree's own text, so it can't be a sentence. */
const key = z.string().regex(/^\S{1,100}$/);

const memory = z.looseObject({ id: key, label: text, depth: count, status: nodeStatusSchema, attempts: count });
/** Other members are left out, because an answer shows all of them. */
const result = runResultsSchema
  .pick({
    reason: true,
    reasonParts: true,
    steps: true,
    transcript: true,
    hangUp: true,
    endedBy: true,
    postDialMs: true,
    callSeconds: true,
  })
  .extend({
    row: z.record(columnNameSchema, text).optional(),
    awaitsCallAt: key.optional(),
    recorded: z.boolean().optional(),
    mission: missionTestRunSchema
      .pick({
        verdict: true,
        passReasoning: true,
        passReasoningParts: true,
        passEvidence: true,
        judgeReasoning: true,
        judgeReasoningParts: true,
        judgedBy: true,
        gaveUp: true,
        unstable: true,
        compliance: true,
        turnLatencyMs: true,
      })
      .strip()
      .optional(),
  })
  .strip();

/**
 * The rows of a workspace file, as Postgres writes them as JSON: times are text, and every column of the table is
 * present. A column that a later migration adds is optional here, so that older files are still readable; the store
 * then uses its default.
 */
export const rowSchemas = {
  workspaces: z.strictObject({
    id,
    kind: z.enum(['local', 'agent', 'person']),
    name: text,
    default_profile_id: id,
    created_at: time,
    tier: tierSchema,
    unlimited: z.boolean(),
    tokens_granted: count,
    tokens_used: count,
    claimed_at: time.nullable(),
  }),
  workspace_settings: z.strictObject({
    workspace_id: id,
    settings: workspaceSettingsSchema.partial(),
    updated_at: time,
  }),
  profiles: z.strictObject({
    id,
    workspace_id: id,
    caller: callerSchema,
    created_at: time,
    updated_at: time,
    made_by: key.nullable().optional(),
  }),
  api_keys: z.strictObject({
    id: key,
    workspace_id: id,
    name: text,
    secret_sha256: z.string().regex(/^[0-9a-f]{64}$/),
    scopes: z.array(scopeSchema),
    created_at: time,
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
    limits: keyLimitsSchema.nullable().optional(),
    by_person: z.boolean().optional(),
  }),
  people: z.strictObject({ id, email: text, password: text.refine(isStoredPassword), created_at: time }),
  memberships: z.strictObject({ workspace_id: id, person_id: id }),
  balances: z.strictObject({
    id,
    workspace_id: id,
    pool: poolSchema,
    source: z.enum(['grant', 'pack']),
    seconds_granted: amount,
    seconds_used: amount,
    at: time,
  }),
  ledger: z.strictObject({
    run_id: id,
    workspace_id: id,
    pool: poolSchema,
    seconds: amount,
    at: time,
    calls: count.optional(),
    cost: amount.optional(),
    key_id: key.nullable().optional(),
  }),
  anchors: z.strictObject({ phone_number: text, workspace_id: id, verified_at: time }),
  free_grants: z.strictObject({ phone_number: text, workspace_id: id, granted_at: time }),
  audit: z.strictObject({ id, workspace_id: id, event: text, detail: z.record(z.string(), z.unknown()), at: time }),
  consents: z.strictObject({
    workspace_id: id,
    phone_number: text,
    statement: text,
    recorded_at: time,
    consented_by: key.nullable().optional(),
  }),
  mapping_jobs: z.strictObject({
    id,
    workspace_id: id,
    name: text,
    phone_number: dialTargetSchema,
    profile_id: id,
    tags,
    config: mappingConfigSchema,
    created_at: time,
    made_by: key.nullable().optional(),
    guard_by: key.nullable().optional(),
  }),
  mapping_runs: z.strictObject({
    id,
    job_id: id,
    run_number: z.int().min(1),
    status: runStatusSchema,
    stats: mappingStatsSchema,
    in_flight: count,
    limit_reason: limitReasonSchema.nullable(),
    reason: text.nullable(),
    reason_parts: partsSchema.unwrap().nullable().optional(),
    attempts: count,
    started_at: time,
    completed_at: time.nullable(),
    ended_by: endedBySchema.nullable().optional(),
    config: mappingConfigSchema.nullable().optional(),
    guard_by: key.nullable().optional(),
    consented_by: key.nullable().optional(),
  }),
  mapping_steps: z.strictObject({
    run_id: id,
    step_id: key,
    parent_id: key.nullable(),
    position: count,
    status: nodeStatusSchema,
    depth: count,
    node: treeStepSchema
      .extend({ stepId: key, digit: key, linksTo: key, probeCategory: key, probeClassification: key })
      .partial()
      .omit({ audioUrl: true }),
    memory,
  }),
  tests: z
    .strictObject({
      id,
      workspace_id: id,
      kind: z.enum(['script', 'mission']),
      name: text,
      phone_number: dialTargetSchema,
      profile_id: id,
      tags,
      content: z.union([
        z.strictObject({
          description: text.optional(),
          language: text,
          steps: z.array(testStepSchema),
          rows: z.array(z.record(columnNameSchema, text)).optional(),
        }),
        z.strictObject({
          description: text.optional(),
          sector: text.optional(),
          mission: text,
          acceptance: text,
          votes: count.optional(),
          maxTurns: count.optional(),
          maxSeconds: count.optional(),
        }),
      ]),
      created_at: time,
      updated_at: time,
      from_file: z.boolean().optional(),
      made_by: key.nullable().optional(),
    })
    .refine(({ kind, content }) => (kind === 'script') === 'steps' in content, 'This content belongs to another kind.'),
  test_runs: z.strictObject({
    id,
    workspace_id: id,
    run_type: runTypeSchema,
    outcome: runOutcomeSchema.nullable(),
    phone_number: dialTargetSchema,
    config_id: id.nullable(),
    catalogue_test_id: key.nullable(),
    config_name: text.nullable(),
    started_at: time,
    completed_at: time.nullable(),
    result,
    recording_bytes: count.optional(),
    consented_by: key.nullable().optional(),
  }),
  load_tests: z.strictObject({
    id,
    workspace_id: id,
    phone_number: dialTargetSchema,
    config_id: id.nullable(),
    concurrency: count,
    ramp_seconds: amount,
    hold_seconds: amount,
    status: loadTestSchema.shape.status,
    reason: text.nullable(),
    reason_parts: partsSchema.unwrap().nullable().optional(),
    stats: loadTestSchema.shape.stats.unwrap().nullable(),
    started_at: time,
    completed_at: time.nullable(),
    shape: loadShapeSchema.nullable().optional(),
    ended_by: endedBySchema.nullable().optional(),
  }),
  recordings: z.strictObject({ run_id: id, step_id: key, bytes: count, seconds: amount }),
} satisfies Readonly<Record<CarriedTable, z.ZodType>>;

export type Row<Table extends CarriedTable> = z.output<(typeof rowSchemas)[Table]>;
/** One row, with the name of its table. */
export type CarriedRow = {
  readonly [Table in CarriedTable]: { readonly table: Table; readonly row: Row<Table> };
}[CarriedTable];

/** The tables of files from before the tests of both kinds had one. */
export const formerTables = ['mission_configs', 'test_configs'] as const;

/** Returns a row of a former table as a row of `tests`. A broken row stays broken. */
export function fromFormerTable(table: (typeof formerTables)[number], row: unknown): unknown {
  if (!isRecord(row)) return row;
  const { description, language, steps, rows, sector, mission, acceptance, ...others } = row;
  const { votes, max_turns: maxTurns, max_seconds: maxSeconds, ...kept } = others;
  const content =
    table === 'test_configs'
      ? { description, language, steps, rows }
      : { description, sector, mission, acceptance, votes, maxTurns, maxSeconds };
  return {
    ...kept,
    kind: table === 'test_configs' ? 'script' : 'mission',
    content: Object.fromEntries(Object.entries(content).filter(([, value]) => (value ?? undefined) !== undefined)),
  };
}
