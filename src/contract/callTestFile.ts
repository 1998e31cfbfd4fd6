import * as z from 'zod';
import { dialTargetSchema } from './common.ts';
import { createTestConfigSchema } from './testConfigs.ts';
import { inAnyFile, ivrReferenceSchema, schemaReferenceSchema, withOneTarget } from './fileMembers.ts';

/** The scripted test as a file, `*.calltest.json`: the source of truth of its config. */
export const callTestFileSchema = withOneTarget(
  createTestConfigSchema
    .omit({ fromFile: true })
    .extend({
      $schema: schemaReferenceSchema,
      id: createTestConfigSchema.shape.id.describe(
        'Identifies the test in the service and in baselines, even if the file moves. Without it, the place of the file in its repository does. If you copy the file, remove the id from the copy.',
      ),
      phoneNumber: dialTargetSchema
        .optional()
        .describe('What to call: an E.164 number such as +12025550101, or a SIP URI. Leave it out if you use ivr.'),
      ivr: ivrReferenceSchema,
      rowsFile: z
        .string()
        .regex(
          /^(?!\/|[A-Za-z]:|.*\\).+\.csv$/,
          'Give the path of a *.csv file, relative to this file, with forward slashes.',
        )
        .optional()
        .describe('CSV file to use instead of rows, with the column names in its first line'),
    })
    .strict(),
).refine(({ rows, rowsFile }) => !rows || rowsFile === undefined, {
  ...inAnyFile,
  path: ['rowsFile'],
  message: 'Use either rows or rowsFile, not both.',
});
export type CallTestFile = z.output<typeof callTestFileSchema>;
