import * as z from 'zod';

/** Properties of test files in addition to those of their config. */

export const schemaReferenceSchema = z.string().optional().describe('Address of the JSON Schema, for editors');

export const ivrReferenceSchema = z
  .string()
  .regex(
    /^(?!\/|[A-Za-z]:|.*\\).*\.ivr\.json$/,
    'Give the path of an *.ivr.json file, relative to this file, with forward slashes.',
  )
  .optional()
  .describe('Practice IVR to start on this machine and call during the run, instead of phoneNumber');

interface FileTarget {
  readonly phoneNumber?: string | undefined;
  readonly ivr?: string | undefined;
}

/** Checked even if other parts of the file are wrong, so that a wrong pair of properties is always reported. */
export const inAnyFile = {
  when: ({ value }: { readonly value: unknown }): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Exactly one target must be named. */
export const withOneTarget = <Schema extends z.ZodType<FileTarget>>(schema: Schema): Schema =>
  schema
    .refine(({ phoneNumber, ivr }) => phoneNumber !== undefined || ivr !== undefined, {
      ...inAnyFile,
      path: ['phoneNumber'],
      message: 'The number is missing. Add phoneNumber, or add ivr with the path of a practice IVR.',
    })
    .refine(({ phoneNumber, ivr }) => phoneNumber === undefined || ivr === undefined, {
      ...inAnyFile,
      path: ['ivr'],
      message: 'Use either phoneNumber or ivr, not both.',
    });
