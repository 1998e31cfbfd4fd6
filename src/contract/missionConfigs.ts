import * as z from 'zod';
import { cursorSchema, descriptionSchema, dialTargetSchema, isoDateSchema, limitSchema, nameSchema, pageOf, partSchema, sortDirSchema, tagSchema, tagsSchema } from './common.ts';
import { limits } from './limits.ts';

export const sectorSchema = z.string().regex(limits.sector.pattern, 'A sector has 1 to 60 lower-case letters, digits and hyphens, such as financial-services.');
const missionTextSchema = z.string().trim().min(limits.missionText.min).max(limits.missionText.max);

/** A mission test: who calls, what for, and what counts as reached. */
export const missionTestConfigSchema = z.object({
  id: z.uuid(),
  name: nameSchema,
  description: descriptionSchema.optional(),
  phoneNumber: dialTargetSchema,
  sector: sectorSchema.optional(),
  mission: missionTextSchema.describe('Persona and goal'),
  acceptance: missionTextSchema.describe('The criterion that the judge decides by'),
  profileId: z.uuid(),
  tags: tagsSchema,
  createdAt: isoDateSchema,
  updatedAt: isoDateSchema.describe('Changes with each edit'),
}).strict();
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
  profileId: z.uuid().optional(),
  tags: tagsSchema.optional(),
};

/** A file that carries its id keeps it, where the workspace does not hold it yet. */
export const createMissionTestConfigSchema = z.object({ id: z.uuid().optional(), ...editable }).strict();
export const updateMissionTestConfigSchema = z.object(editable).partial().extend({
  id: z.uuid(),
  description: descriptionSchema.nullable().optional().describe('null takes it away'),
  sector: sectorSchema.nullable().optional().describe('null takes it away'),
}).strict();

export const listMissionTestConfigsSchema = z.object({
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
}).strict();
export type ListMissionTestConfigs = z.output<typeof listMissionTestConfigsSchema>;
