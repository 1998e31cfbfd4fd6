import { partsSchema } from '../../contract/untrusted.ts';
import * as z from 'zod';
import { checksSchema, holdsPatterns } from '../../contract/checks.ts';
import { isRecord } from '../../base/isRecord.ts';
import { dialTargetSchema, endedBySchema } from '../../contract/common.ts';
import { limitReasonSchema, mappingConfigSchema, mappingStatsSchema, runStatusSchema } from '../../contract/mapping.ts';
import { callerSchema } from '../../contract/profiles.ts';
import { columnNameSchema, testStepSchema } from '../../contract/testConfigs.ts';
import { nodeStatusSchema, treeStepSchema } from '../../contract/tree.ts';
import { workspaceSettingsSchema } from '../../contract/workspaceSettings.ts';
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

/**
 * The rows of a workspace file, as Postgres writes them as JSON: times are text. A column that a later migration adds is
 * optional here, so that older files are still readable; the store then uses its default.
 */
export const rowSchemas = {
  workspaces: z.strictObject({
    id,
    kind: z.enum(['local', 'agent', 'person']),
    name: text,
    default_profile_id: id,
    created_at: time,
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
          checks: checksSchema.optional(),
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
    .refine(({ kind, content }) => (kind === 'script') === 'steps' in content, 'This content belongs to another kind.')
    .refine(
      ({ content }) => !holdsPatterns('steps' in content ? content.steps.map(({ checks }) => checks) : content.checks),
      'Only the probes of Dialtree have regular expressions.',
    ),
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
