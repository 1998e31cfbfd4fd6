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

/** Exactly one target must be named. */
export function oneTarget(
  file: { readonly phoneNumber?: string | undefined; readonly ivr?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (file.phoneNumber === undefined && file.ivr === undefined)
    context.addIssue({
      code: 'custom',
      path: [],
      message: 'The number is missing. Add phoneNumber, or add ivr with the path of a practice IVR.',
    });
  if (file.phoneNumber !== undefined && file.ivr !== undefined)
    context.addIssue({ code: 'custom', path: ['ivr'], message: 'Use either phoneNumber or ivr, not both.' });
}
