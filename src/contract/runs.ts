import * as z from 'zod';
import {
  consentedBySchema,
  cursorSchema,
  dialTargetSchema,
  endedBySchema,
  filterTargetSchema,
  filterTimeSchema,
  isoDateSchema,
  limitSchema,
  pageSchemaOf,
} from './common.ts';
import { runOutcomeSchema, runTypeSchema } from './testRuns.ts';
import { ours, partsSchema, untrusted } from './untrusted.ts';

/** A run of a test, or a load test. */
export const runKindSchema = z.enum([...runTypeSchema.options, 'load']);

/** What all runs have, whatever they run. The resource of a run's kind has its details. */
export const runSchema = z.strictObject({
  id: z.uuid(),
  kind: runKindSchema,
  name: untrusted(z.string()).optional().describe("The test's current name; absent if only a number was called"),
  status: z.enum(['running', 'completed']),
  outcome: runOutcomeSchema
    .optional()
    .describe('Absent until the run ends, and for a load test without criteria that took its course'),
  phoneNumber: dialTargetSchema,
  configId: z.uuid().optional().describe('The saved test'),
  catalogueTestId: ours(z.string()).optional(),
  startedAt: isoDateSchema,
  completedAt: isoDateSchema.optional(),
  endedBy: endedBySchema.optional(),
  consentedBy: consentedBySchema.optional(),
  guided: z.boolean().optional().describe('It gets steps during its call'),
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
