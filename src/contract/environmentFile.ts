import * as z from 'zod';
import { dialTargetSchema } from './common.ts';
import { ivrReferenceSchema, schemaReferenceSchema } from './fileMembers.ts';
import { launchLineSchema } from './lines.ts';
import { columnNameSchema } from './testConfigs.ts';
import { untrusted } from './untrusted.ts';

export const environmentFileName = 'dialtree.env.json';

const environmentSchema = z.strictObject({
  numbers: z
    .record(
      columnNameSchema,
      z.union([ivrReferenceSchema.unwrap(), dialTargetSchema], {
        error: 'Give an E.164 number such as +12025550101, a SIP URI, or the path of an *.ivr.json file.',
      }),
    )
    .optional()
    .describe('What ${env:NAME} stands for: numbers, SIP URIs, or practice IVRs by their path from this file'),
  line: launchLineSchema.describe("Line for calls to these numbers, instead of the profile's"),
  variables: z
    .record(columnNameSchema, untrusted(z.string().max(500)))
    .optional()
    .describe('What {NAME} stands for in tests, unless a column or an earlier step has this name'),
});

/** The environments of the tests in a folder and below it, `dialtree.env.json`. */
export const environmentFileSchema = z.strictObject({
  $schema: schemaReferenceSchema,
  environments: z
    .record(z.string().regex(/^[\w-]{1,40}$/), environmentSchema, {
      error: ({ code }) =>
        code === 'invalid_key' ? 'A name has 1 to 40 letters, digits, hyphens and underscores.' : undefined,
    })
    .describe('Environments by name, such as dev, stage and live')
    .meta({
      examples: [{ dev: { numbers: { bank: 'bank.ivr.json' } }, stage: { numbers: { bank: '+12025550101' } } }],
    }),
  default: z.string().optional().describe('Environment to use unless another one is chosen'),
});
export type EnvironmentFile = z.output<typeof environmentFileSchema>;
