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
import type { Database } from '../store/schema.ts';

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
 * The rows of a workspace file, as Postgres writes them as JSON: times are text. A row follows those that it references.
 * Only the columns here are carried. They say nothing about people, keys, minutes, prices or permissions, and other
 * columns of a file are ignored. A column that a later migration adds is optional here, so that older files are still
 * readable; the store then uses its default.
 */
export const rowSchemas = {
  workspaces: z.object({
    id,
    name: text,
    default_profile_id: id,
    created_at: time,
  }),
  workspace_settings: z.object({
    workspace_id: id,
    settings: z.object(workspaceSettingsSchema.pick({ recordingDays: true, forbiddenKeys: true }).partial().shape),
    updated_at: time,
  }),
  profiles: z.object({
    id,
    workspace_id: id,
    caller: callerSchema,
    created_at: time,
    updated_at: time,
  }),
  mapping_jobs: z.object({
    id,
    workspace_id: id,
    name: text,
    phone_number: dialTargetSchema,
    profile_id: id,
    tags,
    config: mappingConfigSchema,
    created_at: time,
  }),
  mapping_runs: z.object({
    id,
    job_id: id,
    run_number: z.int().min(1),
    status: runStatusSchema.exclude(
      ['running'],
      'The run was active during the export. Wait until it ends, or cancel it, then export again.',
    ),
    stats: mappingStatsSchema,
    limit_reason: limitReasonSchema.nullable(),
    reason: text.nullable(),
    reason_parts: partsSchema.unwrap().nullable().optional(),
    started_at: time,
    completed_at: time.nullable(),
    ended_by: endedBySchema.nullable().optional(),
    config: mappingConfigSchema.nullable().optional(),
  }),
  mapping_steps: z.object({
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
    .object({
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
    })
    .refine(({ kind, content }) => (kind === 'script') === 'steps' in content, 'This content belongs to another kind.')
    .refine(
      ({ content }) => !holdsPatterns('steps' in content ? content.steps.map(({ checks }) => checks) : content.checks),
      'Only the probes of Dialtree have regular expressions.',
    ),
  recordings: z.object({ run_id: id, step_id: key, bytes: count, seconds: amount }),
} satisfies Readonly<Partial<Record<keyof Database, z.ZodType>>>;

export type CarriedTable = keyof typeof rowSchemas;
export const isCarried = (table: string): table is CarriedTable => Object.hasOwn(rowSchemas, table);

export type CarriedTableRow<Table extends CarriedTable> = z.output<(typeof rowSchemas)[Table]>;
/** One row, with the name of its table. */
export type CarriedRow = {
  readonly [Table in CarriedTable]: { readonly table: Table; readonly row: CarriedTableRow<Table> };
}[CarriedTable];

/** Returns a row of the two tables that held the tests in files of version 1 as a row of `tests`. */
export function testRowFromVersion1(table: 'test_configs' | 'mission_configs', row: unknown): unknown {
  if (!isRecord(row)) return row;
  const { description, language, steps, rows, sector, mission, acceptance, votes, ...columns } = row;
  const content =
    table === 'test_configs'
      ? { description, language, steps, rows }
      : { description, sector, mission, acceptance, votes, maxTurns: row['max_turns'], maxSeconds: row['max_seconds'] };
  return {
    ...columns,
    kind: table === 'test_configs' ? 'script' : 'mission',
    content: Object.fromEntries(Object.entries(content).filter(([, value]) => (value ?? undefined) !== undefined)),
  };
}
