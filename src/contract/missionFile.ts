import type * as z from 'zod';
import { dialTargetSchema } from './common.ts';
import { ivrReferenceSchema, oneTarget, schemaReferenceSchema } from './fileMembers.ts';
import { createMissionTestConfigSchema } from './missionConfigs.ts';

/** The mission test as a file, `*.mission.json`: the source of truth of its config. */
export const missionFileSchema = createMissionTestConfigSchema
  .omit({ fromFile: true })
  .extend({
    $schema: schemaReferenceSchema,
    id: createMissionTestConfigSchema.shape.id.describe(
      'Names the test in the service and in baselines. Written at the first run; a copy of the file needs its own.',
    ),
    phoneNumber: dialTargetSchema
      .optional()
      .describe('Who is called: an E.164 number such as +12025550101, or a SIP URI. Left out where ivr is given.'),
    ivr: ivrReferenceSchema,
  })
  .strict()
  .superRefine(oneTarget);
export type MissionFile = z.output<typeof missionFileSchema>;
