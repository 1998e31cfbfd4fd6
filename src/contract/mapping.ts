import * as z from 'zod';
import {
  cursorSchema,
  dialTargetSchema,
  isoDateSchema,
  limitSchema,
  nameSchema,
  pageOf,
  partSchema,
  queryInt,
  sortDirSchema,
  tagSchema,
  tagsSchema,
} from './common.ts';
import { defaultMappingMode, defaultProbeMode, limits } from './limits.ts';

export const mappingModeSchema = z.enum(['dtmf', 'voice', 'hybrid']);
export const probeModeSchema = z.enum(['off', 'auto']);

export const mappingConfigSchema = z
  .object({
    mappingMode: mappingModeSchema
      .default(defaultMappingMode)
      .describe('hybrid: keypress first, voice where a menu offers no keys'),
    maxDepth: z
      .int()
      .min(limits.maxDepth.min)
      .max(limits.maxDepth.max)
      .default(limits.maxDepth.default)
      .describe('Deepest node; the root is depth 0'),
    maxCalls: z.int().min(limits.maxCalls.min).max(limits.maxCalls.max).default(limits.maxCalls.default),
    probeMode: probeModeSchema.default(defaultProbeMode),
    concurrency: z
      .int()
      .min(limits.concurrency.min)
      .max(limits.concurrency.max)
      .default(limits.concurrency.default)
      .describe('Parallel calls'),
  })
  .strict();
export type MappingConfig = z.output<typeof mappingConfigSchema>;

export const runStatusSchema = z.enum(['running', 'completed', 'failed', 'limited']);
export type RunStatus = z.output<typeof runStatusSchema>;
export const limitReasonSchema = z.enum([
  'max_calls',
  'max_depth',
  'capacity',
  'concurrency',
  'target_refused',
  'time',
]);
export type LimitReason = z.output<typeof limitReasonSchema>;

/** The bound that no caller beats on this tree with these lines, and where the run stands against it. */
export const limitMeterSchema = z
  .object({
    minimumCalls: z.int(),
    minimumWallSeconds: z.number(),
    elapsedSeconds: z.number(),
    /** elapsedSeconds / minimumWallSeconds. */
    ratio: z.number(),
  })
  .strict();

export const mappingStatsSchema = z
  .object({
    callsPlaced: z.int(),
    callsFailed: z.int(),
    nodesDiscovered: z.int(),
    terminalNodes: z.int(),
    maxDepthReached: z.int(),
    callSeconds: z.number(),
    linkedMenus: z.int(),
    promptSeconds: z.number(),
    limit: limitMeterSchema.optional(),
  })
  .strict();
export type MappingStats = z.output<typeof mappingStatsSchema>;

export const mappingRunSchema = z
  .object({
    id: z.uuid(),
    status: runStatusSchema,
    runNumber: z.int().min(1),
    stats: mappingStatsSchema,
    inFlightCount: z.int().min(0),
    limitReason: limitReasonSchema.optional(),
    /** Why a failed, limited or cancelled run ended, for a person to read. */
    reason: z.string().optional(),
    startedAt: isoDateSchema.optional(),
    completedAt: isoDateSchema.optional(),
  })
  .strict();
export type MappingRun = z.output<typeof mappingRunSchema>;

export const mappingJobSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    phoneNumber: dialTargetSchema,
    profileId: z.uuid(),
    tags: tagsSchema,
    config: mappingConfigSchema,
    createdAt: isoDateSchema,
    currentRun: mappingRunSchema.optional().describe('The active or latest run, or the one that `version` selects'),
    status: z.enum(['idle', 'running']).describe('A job never reaches completed: read currentRun.status'),
    runNumber: z.int().optional(),
    stats: mappingStatsSchema.optional(),
    inFlightCount: z.int().optional(),
    limitReason: limitReasonSchema.optional(),
    startedAt: isoDateSchema.optional(),
    completedAt: isoDateSchema.optional(),
  })
  .strict();
export type MappingJob = z.output<typeof mappingJobSchema>;

export const mappingPageSchema = pageOf(mappingJobSchema);
export type MappingPage = z.output<typeof mappingPageSchema>;

export const createMappingSchema = z
  .object({
    phoneNumber: dialTargetSchema,
    name: nameSchema.optional().describe('Default: the number'),
    tags: tagsSchema.optional(),
    profileId: z.uuid().optional(),
    config: mappingConfigSchema.partial().optional(),
  })
  .strict();

export const updateMappingSchema = z
  .object({ id: z.uuid(), name: nameSchema.optional(), tags: tagsSchema.optional() })
  .strict();

export const versionSchema = queryInt(z.int().min(1)).optional().describe('Run number, from 1; default the latest');

export const listMappingsSchema = z
  .object({
    status: z
      .enum(['idle', 'running', 'completed', 'failed', 'limited'])
      .optional()
      .describe('Compared with the latest run after the query, so pages may underfill'),
    tag: tagSchema.optional(),
    phoneNumber: dialTargetSchema.optional(),
    name: partSchema.optional().describe('Case-insensitive substring'),
    profileId: z.uuid().optional(),
    createdAfter: isoDateSchema.optional(),
    createdBefore: isoDateSchema.optional(),
    limit: limitSchema,
    sortDir: sortDirSchema.describe('Always by createdAt'),
    cursor: cursorSchema,
  })
  .strict();
export type ListMappings = z.output<typeof listMappingsSchema>;

export const runPageSchema = z.object({ items: z.array(mappingRunSchema) }).strict();
