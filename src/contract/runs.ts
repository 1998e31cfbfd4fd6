import * as z from 'zod';
import { cursorSchema, filterTargetSchema, filterTimeSchema, limitSchema, pageSchemaOf } from './common.ts';
import { runOutcomeSchema, runTypeSchema, testRunSchema } from './testRuns.ts';
import { partsSchema, untrusted } from './untrusted.ts';

/** A run of a test, or a load test. */
export const runKindSchema = z.enum([...runTypeSchema.options, 'load']);

/** What all runs have, whatever they run. The resource of a run's kind has its details. */
export const runSchema = testRunSchema.omit({ runType: true, testConfigId: true }).extend({
  kind: runKindSchema,
  name: untrusted(z.string()).optional().describe("The test's current name; absent if only a number was called"),
  outcome: runOutcomeSchema
    .optional()
    .describe('Absent until the run ends, and for a load test without criteria that took its course'),
  configId: z.uuid().optional().describe('The saved test'),
  load: z
    .strictObject({
      concurrency: z.int().min(1),
      answered: z.int().min(0).optional().describe('Calls answered so far; only while it runs'),
      setupSuccess: z.number().min(0).max(1).optional().describe('Share of the calls that were set up'),
      reason: untrusted(z.string()).optional(),
      reasonParts: partsSchema,
    })
    .optional()
    .describe('Only of a load test'),
});
export type Run = z.output<typeof runSchema>;
export const runListSchema = pageSchemaOf(runSchema);

export const listRunsSchema = z.strictObject({
  kind: runKindSchema.optional().describe('Runs of this kind'),
  outcome: runOutcomeSchema.optional().describe('Ended runs with this outcome'),
  phoneNumber: filterTargetSchema,
  configId: z.uuid().optional().describe('Runs of this saved test'),
  startedAfter: filterTimeSchema.describe('Started after this time'),
  startedBefore: filterTimeSchema.describe('Started before this time'),
  cursor: cursorSchema,
  limit: limitSchema,
});
export type ListRuns = z.output<typeof listRunsSchema>;
