import * as z from 'zod';
import { consentTargetSchema, isoDateSchema, queryInt, waitSecondsSchema } from './common.ts';
import {
  createMappingSchema,
  listMappingsSchema,
  mappingJobSchema,
  mappingPageSchema,
  runPageSchema,
  updateMappingSchema,
  versionSchema,
} from './mapping.ts';
import { limits } from './limits.ts';
import { launchLineSchema } from './lines.ts';
import { calling, operation, reading, sets, writes } from './operation.ts';
import { createTestConfigSchema } from './testConfigs.ts';
import { treeFormatSchema, treeResponseSchema } from './tree.ts';
import { treeComparisonSchema } from './treeDiff.ts';
import { ours, untrusted } from './untrusted.ts';

const jobIdSchema = z.uuid().describe('Id of the job');
const idSchema = z.strictObject({ id: jobIdSchema });

export const mappingOperations = {
  createMapping: operation({
    title: 'Create a mapping job',
    description:
      'Creates a job that maps the menu tree (IVR) of a phone number. Places no call: use startMapping next.',
    input: createMappingSchema,
    output: mappingJobSchema,
    rest: { method: 'post', path: '/mapping', status: 201 },
    errors: [404],
    scope: 'mapping:write',
    tool: writes,
  }),
  getMapping: reading('/mapping/{id}', {
    title: 'Read a mapping job',
    description:
      'Reads a job and its latest run, or the run of a version. currentRun.status shows whether the run has ended.',
    input: z.strictObject({ id: jobIdSchema, version: versionSchema, waitSeconds: waitSecondsSchema }),
    output: mappingJobSchema,
    scope: 'mapping:read',
  }),
  listMappings: reading('/mapping', {
    title: 'List mapping jobs',
    description: 'Lists jobs, newest first, with filters.',
    input: listMappingsSchema,
    output: mappingPageSchema,
    scope: 'mapping:read',
  }),
  startMapping: calling('/mapping/{id}/start', {
    title: 'Start a mapping run',
    description: "Places real calls: maps the job's number. 409 if the job is running.",
    input: idSchema.extend({ line: launchLineSchema, waitSeconds: waitSecondsSchema }),
    output: mappingJobSchema,
    errors: [402, 409],
    scope: 'mapping:write',
  }),
  cancelMapping: operation({
    title: 'Cancel a mapping run',
    description: 'Hangs up all calls of the active run and keeps what it found.',
    input: idSchema,
    output: mappingJobSchema,
    rest: { method: 'post', path: '/mapping/{id}/cancel', status: 200 },
    scope: 'mapping:write',
    tool: sets,
  }),
  getMappingTree: reading('/mapping/{id}/tree', {
    title: 'Read a mapped tree',
    description:
      'Reads the menu tree of a run: nested (format tree) or as a list of steps (flat). tree is null, with a message, while there is nothing to show.',
    input: z.strictObject({
      id: jobIdSchema,
      format: treeFormatSchema.default('tree').describe('tree: nested; flat: a list of steps'),
      version: versionSchema,
      waitSeconds: waitSecondsSchema,
    }),
    output: treeResponseSchema,
    scope: 'mapping:read',
  }),
  compareMappingRuns: reading('/mapping/{id}/compare', {
    title: 'Compare two mapping runs',
    description:
      "Reports what changed in the menu tree between two runs of a job, or of two jobs (baseId): options added, removed, moved, renumbered or relinked, and prompts reworded or slower. Ignores recognition errors and paths that one run didn't call.",
    input: z.strictObject({
      id: jobIdSchema,
      baseId: z.uuid().optional().describe('Job of run base; default: the same job'),
      base: queryInt(z.int().min(1)).describe('Number of the run to compare with, from 1'),
      version: versionSchema,
    }),
    output: treeComparisonSchema,
    errors: [409],
    scope: 'mapping:read',
  }),
  generateTestsFromTree: operation({
    title: 'Generate tests from a mapped tree',
    description:
      'Generates scripted tests from a mapped tree: to the steps in stepIds, or to every end. skipped lists the other paths, with reasons. Places no call.',
    input: z.strictObject({
      id: jobIdSchema,
      version: versionSchema,
      stepIds: z
        .array(z.string().min(1))
        .min(1)
        .max(limits.maxCalls.max)
        .optional()
        .describe('Steps to generate tests for; default: each end of the tree'),
      save: z.boolean().default(false).describe('Whether to save the tests'),
    }),
    output: z.strictObject({
      tests: z
        .array(createTestConfigSchema)
        .describe('The generated tests, in the form that createTestConfig takes; with an id if they were saved'),
      skipped: z.array(
        z.strictObject({ stepId: ours(z.string()), path: untrusted(z.string()), reason: untrusted(z.string()) }),
      ),
    }),
    rest: { method: 'post', path: '/mapping/{id}/tests', status: 200 },
    scope: 'testing:write',
    tool: writes,
  }),
  listMappingRuns: operation({
    title: 'List the runs of a job',
    description: 'Lists all runs of a job, newest first.',
    input: idSchema,
    output: runPageSchema,
    rest: { method: 'get', path: '/mapping/{id}/runs', status: 200 },
    scope: 'mapping:read',
  }),
  probeMappingRun: operation({
    title: 'Enrich a run',
    description:
      "Adds information for a reviewer to the steps of an ended run: probeCategory, probeClassification and probeRationale if the words have a topic, menuLabel if a language model read them. Uses the service's language model and one enrichment token per prompt, or rules if it has none. 409 while the run is in progress.",
    input: z.strictObject({ id: jobIdSchema, runId: z.uuid().describe('Id of the run') }),
    output: z.strictObject({
      runId: z.uuid(),
      enriched: z.int().describe('Steps that were read'),
      byModel: z.int().describe('Steps that the language model read'),
    }),
    rest: { method: 'post', path: '/mapping/{id}/runs/{runId}/probe', status: 200 },
    errors: [409],
    scope: 'mapping:write',
  }),
  updateMapping: operation({
    title: 'Change a mapping job',
    description:
      'Changes the name, the tags, the profile or members of config, such as maxCalls after a run that ended as limited. The next startMapping uses the new config.',
    input: updateMappingSchema,
    output: mappingJobSchema,
    rest: { method: 'patch', path: '/mapping/{id}', status: 200 },
    scope: 'mapping:write',
    tool: sets,
  }),
  recordConsent: operation({
    title: 'Record consent to call a number',
    description:
      'Records, once and permanently for this workspace, that a person confirmed "I may test this number". Live calls need this consent; calls to practice IVRs don\'t. 403 `unclaimed` before a person owns the workspace, and `program_key` for keys of the program that registered it.',
    input: z.strictObject({ phoneNumber: consentTargetSchema, statement: z.literal('I may test this number') }),
    output: z.strictObject({ phoneNumber: consentTargetSchema, recordedAt: isoDateSchema }),
    rest: { method: 'post', path: '/workspace/consents', status: 201 },
    scope: 'workspace:admin',
  }),
  deleteMapping: operation({
    title: 'Delete a job',
    description: 'Deletes an idle job with its runs, trees and recordings. 409 while the job is running.',
    input: idSchema,
    output: z.strictObject({ deleted: z.literal(true) }),
    rest: { method: 'delete', path: '/mapping/{id}', status: 200 },
    errors: [409],
    scope: 'mapping:write',
  }),
} as const;
