import * as z from 'zod';
import {
  cursorSchema,
  descriptionSchema,
  dialTargetSchema,
  expectedVersionSchema,
  fromFileSchema,
  isoDateSchema,
  limitSchema,
  nameSchema,
  pageOf,
  partSchema,
  sortDirSchema,
  tagSchema,
  tagsSchema,
} from './common.ts';
import { limits } from './limits.ts';

export const sectorSchema = z
  .string()
  .regex(
    limits.sector.pattern,
    'A sector has 1 to 60 lower-case letters, digits and hyphens, such as financial-services.',
  );
const missionTextSchema = z.string().trim().min(limits.missionText.min).max(limits.missionText.max);

export const votesSchema = z.int().min(limits.judgeVotes.min).max(limits.judgeVotes.max);
const turnsSchema = z.int().min(limits.missionTurns.min).max(limits.missionTurns.max);
const secondsSchema = z.int().min(limits.missionSeconds.min).max(limits.missionSeconds.max);
const bounds = {
  votes: votesSchema.optional().describe('How often the judge is asked; the majority decides. Default 1'),
  maxTurns: turnsSchema
    .optional()
    .describe(`The caller gives up after so many turns; default ${String(limits.missionTurns.max)}`),
  maxSeconds: secondsSchema
    .optional()
    .describe(`The caller gives up so many seconds after the answer; default ${String(limits.missionSeconds.max)}`),
};
/** How far a mission goes and how often it is judged. */
export interface MissionBounds {
  readonly votes?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxSeconds?: number | undefined;
}

/** A mission test: who calls, what for, and what counts as reached. */
export const missionTestConfigSchema = z
  .object({
    id: z.uuid(),
    name: nameSchema,
    description: descriptionSchema.optional(),
    phoneNumber: dialTargetSchema,
    sector: sectorSchema.optional(),
    mission: missionTextSchema.describe('Persona and goal'),
    acceptance: missionTextSchema.describe('The criterion that the judge decides by'),
    ...bounds,
    profileId: z.uuid(),
    tags: tagsSchema,
    createdAt: isoDateSchema,
    updatedAt: isoDateSchema.describe('Changes with each edit'),
    fromFile: fromFileSchema.describe('Its last edit put a file in its place; absent where it was edited here'),
  })
  .strict();
export type MissionTestConfig = z.output<typeof missionTestConfigSchema>;

/** Without the full texts of mission and acceptance. */
export const missionTestConfigRowSchema = missionTestConfigSchema.omit({ mission: true, acceptance: true });
export type MissionTestConfigRow = z.output<typeof missionTestConfigRowSchema>;
export const missionTestConfigPageSchema = pageOf(missionTestConfigRowSchema);

const editable = {
  name: nameSchema,
  description: descriptionSchema.optional(),
  phoneNumber: dialTargetSchema,
  sector: sectorSchema.optional(),
  mission: missionTextSchema,
  acceptance: missionTextSchema,
  ...bounds,
  profileId: z.uuid().optional(),
  tags: tagsSchema.optional(),
  fromFile: fromFileSchema.describe('The text lies in a file; without it this counts as an edit made here'),
};

/** A file that carries its id keeps it, where the workspace does not hold it yet. */
export const createMissionTestConfigSchema = z.object({ id: z.uuid().optional(), ...editable }).strict();
export const updateMissionTestConfigSchema = z
  .object(editable)
  .partial()
  .extend({
    id: z.uuid(),
    description: descriptionSchema.nullable().optional().describe('null takes it away'),
    sector: sectorSchema.nullable().optional().describe('null takes it away'),
    votes: votesSchema.nullable().optional().describe('null takes it away'),
    maxTurns: turnsSchema.nullable().optional().describe('null takes it away'),
    maxSeconds: secondsSchema.nullable().optional().describe('null takes it away'),
    expectedUpdatedAt: expectedVersionSchema,
  })
  .strict();

export const listMissionTestConfigsSchema = z
  .object({
    name: partSchema.optional().describe('Case-sensitive substring'),
    phoneNumber: dialTargetSchema.optional(),
    sector: sectorSchema.optional(),
    profileId: z.uuid().optional(),
    tag: tagSchema.optional(),
    createdAfter: isoDateSchema.optional(),
    createdBefore: isoDateSchema.optional(),
    sort: z.enum(['createdAt', 'name']).default('createdAt'),
    sortDir: sortDirSchema,
    cursor: cursorSchema,
    limit: limitSchema,
  })
  .strict();
export type ListMissionTestConfigs = z.output<typeof listMissionTestConfigsSchema>;
