import * as z from 'zod';
import { defaultMappingMode, defaultProbeMode, limits } from './limits.ts';

/** E.164: a plus sign and 7 to 15 digits (ITU-T E.164, section 6.2). */
export const phoneNumberSchema = z.string().regex(/^\+[1-9]\d{6,14}$/, 'Give the number in E.164 form: a plus sign, the country code and the number, digits only, such as +12025550101.')
  .describe('E.164 phone number, such as +12025550101');

/** What a mapping may call: a number of the dial plan, or a SIP URI on this machine (a practice IVR or a lab PBX). */
export const dialTargetSchema = z.string().max(320).regex(/^(\+[1-9]\d{6,14}|sips?:[^\s<>"]{1,310})$/,
  'Give an E.164 number such as +12025550101, or a SIP URI such as sip:practice@127.0.0.1:5070.')
  .describe('E.164 phone number, or a SIP URI');

export const tagSchema = z.string().regex(limits.tags.pattern, 'A tag has 1 to 40 lower-case letters, digits and hyphens.');
export const tagsSchema = z.array(tagSchema).max(limits.tags.max);
export const nameSchema = z.string().trim().min(limits.name.min).max(limits.name.max);
export const isoDateSchema = z.iso.datetime({ offset: true });

export const mappingModeSchema = z.enum(['dtmf', 'voice', 'hybrid']);
export const probeModeSchema = z.enum(['off', 'auto']);

export const mappingConfigSchema = z.object({
  mappingMode: mappingModeSchema.default(defaultMappingMode).describe('hybrid: keypress first, voice where a menu offers no keys'),
  maxDepth: z.int().min(limits.maxDepth.min).max(limits.maxDepth.max).default(limits.maxDepth.default).describe('Deepest node; the root is depth 0'),
  maxCalls: z.int().min(limits.maxCalls.min).max(limits.maxCalls.max).default(limits.maxCalls.default),
  probeMode: probeModeSchema.default(defaultProbeMode),
  concurrency: z.int().min(limits.concurrency.min).max(limits.concurrency.max).default(limits.concurrency.default).describe('Parallel calls'),
}).strict();
export type MappingConfig = z.output<typeof mappingConfigSchema>;

export const runStatusSchema = z.enum(['running', 'completed', 'failed', 'limited']);
export type RunStatus = z.output<typeof runStatusSchema>;
export const limitReasonSchema = z.enum(['max_calls', 'max_depth', 'capacity', 'concurrency', 'target_refused', 'time']);
export type LimitReason = z.output<typeof limitReasonSchema>;

/** The bound that no caller beats on this tree with these lines, and where the run stands against it. */
export const limitMeterSchema = z.object({
  minimumCalls: z.int(),
  minimumWallSeconds: z.number(),
  elapsedSeconds: z.number(),
  /** elapsedSeconds / minimumWallSeconds. */
  ratio: z.number(),
}).strict();

export const mappingStatsSchema = z.object({
  callsPlaced: z.int(),
  callsFailed: z.int(),
  nodesDiscovered: z.int(),
  terminalNodes: z.int(),
  maxDepthReached: z.int(),
  callSeconds: z.number(),
  linkedMenus: z.int(),
  promptSeconds: z.number(),
  limit: limitMeterSchema.optional(),
}).strict();
export type MappingStats = z.output<typeof mappingStatsSchema>;

export const mappingRunSchema = z.object({
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
}).strict();
export type MappingRun = z.output<typeof mappingRunSchema>;

export const mappingJobSchema = z.object({
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
}).strict();
export type MappingJob = z.output<typeof mappingJobSchema>;

export const mappingListRowSchema = mappingJobSchema;
export const mappingPageSchema = z.object({ items: z.array(mappingListRowSchema), nextCursor: z.string().optional() }).strict();
export type MappingPage = z.output<typeof mappingPageSchema>;

export const createMappingSchema = z.object({
  phoneNumber: dialTargetSchema,
  name: nameSchema.optional().describe('Default: the number'),
  tags: tagsSchema.optional(),
  profileId: z.uuid().optional(),
  config: mappingConfigSchema.partial().optional(),
}).strict();

export const updateMappingSchema = z.object({ id: z.uuid(), name: nameSchema.optional(), tags: tagsSchema.optional() }).strict();

const queryInt = (schema: z.ZodInt) => z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), schema);
export const versionSchema = queryInt(z.int().min(1)).optional().describe('Run number, from 1; default the latest');

export const listMappingsSchema = z.object({
  status: z.enum(['idle', 'running', 'completed', 'failed', 'limited']).optional()
    .describe('Compared with the latest run after the query, so pages may underfill'),
  tag: tagSchema.optional(),
  phoneNumber: dialTargetSchema.optional(),
  name: z.string().max(limits.name.max).optional().describe('Case-insensitive substring'),
  profileId: z.uuid().optional(),
  createdAfter: isoDateSchema.optional(),
  createdBefore: isoDateSchema.optional(),
  limit: queryInt(z.int().min(limits.list.min).max(limits.list.max)).default(limits.list.default),
  sortDir: z.enum(['asc', 'desc']).default('desc').describe('Always by createdAt'),
  cursor: z.string().max(500).optional(),
}).strict();
export type ListMappings = z.output<typeof listMappingsSchema>;

export const runPageSchema = z.object({ items: z.array(mappingRunSchema) }).strict();
