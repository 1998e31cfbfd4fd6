import * as z from 'zod';
import {
  cursorSchema,
  descriptionSchema,
  dialTargetSchema,
  filterTargetSchema,
  filterTimeSchema,
  expectedVersionSchema,
  fromFileSchema,
  isoDateSchema,
  limitSchema,
  nameSchema,
  pageSchemaOf,
  partSchema,
  profileIdSchema,
  sortDirSchema,
  tagSchema,
  tagsSchema,
} from './common.ts';
import { checkProblems } from './checkProblems.ts';
import { checksSchema } from './checks.ts';
import { limits } from './limits.ts';
import { untrusted } from './untrusted.ts';

export const sectorSchema = z
  .string()
  .regex(
    limits.sector.pattern,
    'A sector has 1 to 60 lower-case letters, digits and hyphens, such as financial-services.',
  );
const missionTextSchema = untrusted(z.string().trim().min(limits.missionText.min).max(limits.missionText.max));

export const votesSchema = z.int().min(limits.judgeVotes.min).max(limits.judgeVotes.max);
const turnsSchema = z.int().min(limits.missionTurns.min).max(limits.missionTurns.max);
const secondsSchema = z.int().min(limits.missionSeconds.min).max(limits.missionSeconds.max);
/** Only for new missions: stored ones stay readable. */
const newChecksSchema = checksSchema.superRefine((checks, context) => {
  for (const { path, message } of checkProblems(checks)) context.addIssue({ code: 'custom', path: [...path], message });
});
const bounds = {
  votes: votesSchema.optional().describe('How many times the judge votes; the majority decides'),
  maxTurns: turnsSchema.optional().describe('Turns until the caller gives up'),
  maxSeconds: secondsSchema.optional().describe('Seconds until the caller gives up'),
};
/** How long a mission can last, and how often it is judged. */
export interface MissionBounds {
  readonly votes?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxSeconds?: number | undefined;
}

export const missionTestConfigSchema = z.strictObject({
  id: z.uuid(),
  name: nameSchema,
  description: descriptionSchema.optional(),
  phoneNumber: dialTargetSchema,
  sector: sectorSchema.optional(),
  mission: missionTextSchema.describe('Persona and goal'),
  acceptance: untrusted(z.string()).describe('Criterion for the judge; empty: only the checks decide'),
  checks: checksSchema.optional(),
  ...bounds,
  profileId: z.uuid(),
  tags: tagsSchema,
  createdAt: isoDateSchema,
  updatedAt: isoDateSchema.describe('Changes with each edit'),
  fromFile: fromFileSchema.describe('True if the last edit came from a file'),
});
export type MissionTestConfig = z.output<typeof missionTestConfigSchema>;

/** Without the full text of the mission and its acceptance criterion. */
export const missionTestConfigRowSchema = missionTestConfigSchema.omit({
  mission: true,
  acceptance: true,
  checks: true,
});
export type MissionTestConfigRow = z.output<typeof missionTestConfigRowSchema>;
export const missionTestConfigPageSchema = pageSchemaOf(missionTestConfigRowSchema);

const editable = {
  name: nameSchema.describe('Name of the test'),
  description: descriptionSchema.optional().describe('Purpose of the test'),
  phoneNumber: dialTargetSchema,
  sector: sectorSchema.optional().describe('Sector, such as financial-services'),
  mission: missionTextSchema.describe('Persona and goal'),
  acceptance: missionTextSchema
    .optional()
    .describe('Criterion by which the call is judged; may be left out if there are checks'),
  checks: newChecksSchema.optional().describe('What the call must do'),
  ...bounds,
  profileId: profileIdSchema.optional(),
  tags: tagsSchema.optional(),
  fromFile: fromFileSchema.describe('True if it comes from a file; otherwise it counts as an edit on the service'),
};

const boundsWithDefaults = {
  votes: bounds.votes.meta({ default: limits.judgeVotes.min }),
  maxTurns: bounds.maxTurns.meta({ default: limits.missionTurns.max }),
  maxSeconds: bounds.maxSeconds.meta({ default: limits.missionSeconds.max }),
};

/** An id from a file is kept if the workspace doesn't have it yet. */
export const createMissionTestConfigSchema = z.strictObject({
  id: z.uuid().optional().describe('Id to use; default: a new one'),
  ...editable,
  ...boundsWithDefaults,
});
export const updateMissionTestConfigSchema = z
  .object(editable)
  .partial()
  .extend({
    id: z.uuid().describe('Id of the test'),
    description: descriptionSchema.nullable().optional().describe('null removes it'),
    sector: sectorSchema.nullable().optional().describe('null removes it'),
    checks: newChecksSchema.optional().describe('Checks; an empty list removes them'),
    votes: votesSchema.nullable().optional().describe('null removes it'),
    maxTurns: turnsSchema.nullable().optional().describe('null removes it'),
    maxSeconds: secondsSchema.nullable().optional().describe('null removes it'),
    expectedUpdatedAt: expectedVersionSchema,
  })
  .strict();

export const listMissionTestConfigsSchema = z.strictObject({
  name: partSchema.optional().describe('Case-sensitive substring'),
  phoneNumber: filterTargetSchema,
  sector: sectorSchema.optional(),
  profileId: z.uuid().optional(),
  tag: tagSchema.optional(),
  createdAfter: filterTimeSchema,
  createdBefore: filterTimeSchema,
  sort: z.enum(['createdAt', 'name']).default('createdAt'),
  sortDir: sortDirSchema,
  cursor: cursorSchema,
  limit: limitSchema,
});
export type ListMissionTestConfigs = z.output<typeof listMissionTestConfigsSchema>;
