import type * as z from 'zod';
import { checkProblems } from './checkProblems.ts';
import { dialTargetSchema } from './common.ts';
import { inAnyFile, ivrReferenceSchema, schemaReferenceSchema, withOneTarget } from './fileMembers.ts';
import { createMissionTestConfigSchema } from './missionConfigs.ts';

/** The mission test as a file, `*.mission.json`: the source of truth of its config. */
export const missionFileSchema = withOneTarget(
  createMissionTestConfigSchema
    .omit({ fromFile: true })
    .extend({
      $schema: schemaReferenceSchema,
      id: createMissionTestConfigSchema.shape.id.describe(
        'Identifies the test in the service and in baselines, even if the file moves. Without it, the place of the file in its repository does. If you copy the file, remove the id from the copy.',
      ),
      phoneNumber: dialTargetSchema
        .optional()
        .describe('What to call: an E.164 number such as +12025550101, or a SIP URI. Leave it out if you use ivr.'),
      ivr: ivrReferenceSchema,
    })
    .strict()
    .refine(({ acceptance, checks }) => acceptance !== undefined || (checks?.length ?? 0) > 0, {
      ...inAnyFile,
      path: ['acceptance'],
      message: 'Checks are missing. Give checks, or acceptance.',
    })
    .superRefine(({ checks = [], maxSeconds }, context) => {
      // All other problems of checks are found without the limits of the mission.
      for (const { path, message } of maxSeconds === undefined ? [] : checkProblems(checks, { maxSeconds }))
        if (path.at(-1) === 'within') context.addIssue({ code: 'custom', path: ['checks', ...path], message });
    }),
);
export type MissionFile = z.output<typeof missionFileSchema>;
