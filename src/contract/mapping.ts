import * as z from 'zod';
import {
  consentedBySchema,
  cursorSchema,
  dialTargetSchema,
  filterTargetSchema,
  filterTimeSchema,
  endedBySchema,
  isoDateSchema,
  limitSchema,
  nameSchema,
  pageSchemaOf,
  partSchema,
  profileIdSchema,
  queryInt,
  ringSecondsSchema,
  sortDirSchema,
  tagSchema,
  tagsSchema,
} from './common.ts';
import { defaultMappingMode, defaultProbeMode, limits } from './limits.ts';
import { outlines } from './outlines.ts';
import { ours, partsSchema, untrusted } from './untrusted.ts';

export const mappingModeSchema = z.enum(['dtmf', 'voice', 'hybrid']);
const probeModeSchema = z.enum(['off', 'auto']);

/** A label without a word would allow everything. */
export const allowedLabelSchema = z
  .string()
  .trim()
  .min(1)
  .max(limits.allowedLabels.characters)
  .refine(
    (label) => /[\p{L}\p{N}](?:[^*]*[\p{L}\p{N}])/u.test(label),
    'Give a label with at least two letters in a row, such as "prescription refills" or "check in*".',
  );

const configMembers = {
  mappingMode: mappingModeSchema.describe('hybrid: keys first, speech in menus without keys'),
  maxDepth: z.int().min(limits.maxDepth.min).max(limits.maxDepth.max).describe('Maximum depth; the root is 0'),
  maxCalls: z.int().min(limits.maxCalls.min).max(limits.maxCalls.max).describe('Maximum calls per run'),
  maxCallSeconds: z
    .int()
    .min(limits.maxCallSeconds.min)
    .max(limits.maxCallSeconds.max)
    .describe('Maximum seconds of one call; what it was at then is explored on another call'),
  ringSeconds: ringSecondsSchema.describe('Maximum seconds of ringing; default: ringSeconds of the line, otherwise 60'),
  probeMode: probeModeSchema.describe('auto: enriches steps for a reviewer'),
  concurrency: z.int().min(limits.concurrency.min).max(limits.concurrency.max).describe('Simultaneous calls'),
  allowedLabels: z
    .array(untrusted(allowedLabelSchema))
    .max(limits.allowedLabels.max)
    .describe(
      'Options to press on live numbers although not plainly harmless; * stands for any text: "prescription refills", "check in*"',
    ),
  pressUnsure: z
    .boolean()
    .describe(
      "Presses options on live numbers that Dialtree doesn't understand; options that may pay, cancel, order, report, change or agree to something still need allowedLabels",
    ),
};
export const mappingConfigSchema = z.strictObject({
  mappingMode: configMembers.mappingMode.default(defaultMappingMode),
  maxDepth: configMembers.maxDepth.default(limits.maxDepth.default),
  maxCalls: configMembers.maxCalls.default(limits.maxCalls.default),
  maxCallSeconds: configMembers.maxCallSeconds.default(limits.maxCallSeconds.default),
  ringSeconds: configMembers.ringSeconds.optional(),
  probeMode: configMembers.probeMode.default(defaultProbeMode),
  concurrency: configMembers.concurrency.default(limits.concurrency.default),
  allowedLabels: configMembers.allowedLabels.default([]),
  pressUnsure: configMembers.pressUnsure.default(false),
});
/** Properties to change. They have no defaults: a property that is left out keeps its value. */
const mappingConfigChangesSchema = z
  .object(configMembers)
  .partial()
  .strict()
  .register(outlines, { outline: 'members of config of createMapping' });
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

/** The theoretical minimum for this tree and this number of simultaneous calls, and how the run compares with it. */
const limitMeterSchema = z.strictObject({
  minimumCalls: z.int(),
  minimumWallSeconds: z.number(),
  elapsedSeconds: z.number(),
  /** elapsedSeconds / minimumWallSeconds. */
  ratio: z.number(),
});

export const mappingStatsSchema = z
  .strictObject({
    callsPlaced: z.int(),
    callsFailed: z.int(),
    nodesDiscovered: z.int(),
    menusHeard: z.int().optional().describe('Menus whose prompt was heard'),
    optionsToExplore: z.int().optional().describe('Options whose call has not ended'),
    terminalNodes: z.int(),
    maxDepthReached: z.int(),
    callSeconds: z.number(),
    linkedMenus: z.int(),
    promptSeconds: z.number(),
    limit: limitMeterSchema.optional(),
  })
  .meta({ id: 'MappingStats' });
export type MappingStats = z.output<typeof mappingStatsSchema>;

export const mappingRunSchema = z.strictObject({
  id: z.uuid(),
  status: runStatusSchema,
  runNumber: z.int().min(1),
  stats: mappingStatsSchema,
  inFlightCount: z.int().min(0),
  limitReason: limitReasonSchema.optional(),
  /** Why a failed, limited or cancelled run ended, for a person. */
  reason: untrusted(z.string()).optional(),
  reasonParts: partsSchema,
  endedBy: endedBySchema.optional(),
  config: mappingConfigSchema
    .optional()
    .describe('Configuration at the start of the run; absent for runs from older servers'),
  guardChangedBy: ours(z.string()).optional().describe('Key that last changed allowedLabels or pressUnsure'),
  consentedBy: consentedBySchema.optional(),
  startedAt: isoDateSchema.optional(),
  completedAt: isoDateSchema.optional(),
});
export type MappingRun = z.output<typeof mappingRunSchema>;

export const mappingJobSchema = z.strictObject({
  id: z.uuid(),
  name: untrusted(z.string()),
  phoneNumber: dialTargetSchema,
  profileId: z.uuid(),
  tags: tagsSchema,
  config: mappingConfigSchema,
  createdAt: isoDateSchema,
  currentRun: mappingRunSchema.optional().describe('The active or latest run, or the one selected by `version`'),
  status: z.enum(['idle', 'running']).describe('A job never reaches completed: read currentRun.status'),
  runNumber: z.int().optional(),
  stats: mappingStatsSchema.optional(),
  inFlightCount: z.int().optional(),
  limitReason: limitReasonSchema.optional(),
  startedAt: isoDateSchema.optional(),
  completedAt: isoDateSchema.optional(),
  warnings: z.array(untrusted(z.string())).optional().describe("Why its number can't be called"),
});
export type MappingJob = z.output<typeof mappingJobSchema>;

export const mappingPageSchema = pageSchemaOf(mappingJobSchema);
export type MappingPage = z.output<typeof mappingPageSchema>;

export const createMappingSchema = z.strictObject({
  phoneNumber: dialTargetSchema,
  name: nameSchema.optional().describe('Name of the job; default: the number'),
  tags: tagsSchema.optional(),
  profileId: profileIdSchema.optional(),
  config: mappingConfigSchema.partial().optional().describe('How to map'),
});

export const updateMappingSchema = z.strictObject({
  id: z.uuid().describe('Id of the job'),
  name: nameSchema.optional().describe('Name of the job'),
  tags: tagsSchema.optional(),
  profileId: profileIdSchema.optional(),
  config: mappingConfigChangesSchema
    .optional()
    .describe('Members to change for the next run; the others stay as they are'),
});

export const versionSchema = queryInt(z.int().min(1)).optional().describe('Run number, from 1; default: the latest');

export const listMappingsSchema = z.strictObject({
  status: z
    .enum(['idle', 'running', 'completed', 'failed', 'limited'])
    .optional()
    .describe('Status of the latest run; filtered after the query, so pages may be shorter'),
  tag: tagSchema.optional(),
  phoneNumber: filterTargetSchema,
  name: partSchema.optional().describe('Case-insensitive substring'),
  profileId: z.uuid().optional(),
  createdAfter: filterTimeSchema,
  createdBefore: filterTimeSchema,
  limit: limitSchema,
  sortDir: sortDirSchema.describe('Ascending or descending, always by createdAt'),
  cursor: cursorSchema,
});
export type ListMappings = z.output<typeof listMappingsSchema>;

export const runPageSchema = z.strictObject({ items: z.array(mappingRunSchema) });
