import * as z from 'zod';

/** What files of tests have beside the members of their config. */

export const schemaReferenceSchema = z.string().optional().describe('Address of the JSON Schema; for editors');

export const ivrReferenceSchema = z
  .string()
  .regex(
    /^(?!\/|[A-Za-z]:|.*\\).*\.ivr\.json$/,
    'Give the path of an *.ivr.json file, relative to this file, with forward slashes.',
  )
  .optional()
  .describe('Practice IVR that is played on this machine during the run and called, in place of phoneNumber');

/** Somebody has to be called, and only one. */
export function oneTarget(
  file: { readonly phoneNumber?: string | undefined; readonly ivr?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (file.phoneNumber === undefined && file.ivr === undefined)
    context.addIssue({
      code: 'custom',
      path: [],
      message: 'Nobody to call: give phoneNumber, or a practice IVR as ivr.',
    });
  if (file.phoneNumber !== undefined && file.ivr !== undefined)
    context.addIssue({ code: 'custom', path: ['ivr'], message: 'Give phoneNumber or ivr, not both.' });
}
