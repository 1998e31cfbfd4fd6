import * as z from 'zod';
import { dialTargetSchema } from './common.ts';
import { createTestConfigSchema } from './testConfigs.ts';
import { ivrReferenceSchema, oneTarget, schemaReferenceSchema } from './fileMembers.ts';

/** The scripted test as a file, `*.calltest.json`: the source of truth of its config. */
export const callTestFileSchema = createTestConfigSchema
  .omit({ fromFile: true })
  .extend({
    $schema: schemaReferenceSchema,
    id: createTestConfigSchema.shape.id.describe(
      'Names the test in the service and in baselines. Written at the first run; a copy of the file needs its own.',
    ),
    phoneNumber: dialTargetSchema
      .optional()
      .describe('Who is called: an E.164 number such as +12025550101, or a SIP URI. Left out where ivr is given.'),
    ivr: ivrReferenceSchema,
    rowsFile: z
      .string()
      .regex(
        /^(?!\/|[A-Za-z]:|.*\\).+\.csv$/,
        'Give the path of a *.csv file, relative to this file, with forward slashes.',
      )
      .optional()
      .describe('CSV file beside this one, with column names in its first line: takes the place of rows'),
  })
  .strict()
  .superRefine((file, context) => {
    oneTarget(file, context);
    if (file.rows && file.rowsFile !== undefined)
      context.addIssue({ code: 'custom', path: ['rowsFile'], message: 'Give rows or rowsFile, not both.' });
  });
export type CallTestFile = z.output<typeof callTestFileSchema>;
