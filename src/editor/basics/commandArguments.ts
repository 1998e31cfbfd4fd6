import * as z from 'zod';
import { HumanError, describeIssues } from '../../contract/errors.ts';
import { createMappingSchema } from '../../contract/mapping.ts';

/** What commands take from keybindings, tests, links and rows of the views; all of it is optional. */

/** A row of the mappings view is one too. */
export const mappingPlaceSchema = z.object({
  jobId: z.uuid(),
  runNumber: z.int().min(1).optional(),
  stepId: z.string().optional(),
});
export type MappingPlace = z.output<typeof mappingPlaceSchema>;

/** What keys of a view mean: the row that is selected there. */
export const selectedSchema = z.object({ selected: z.literal(true) });

export const newMappingSchema = z
  .object({
    /** An E.164 number or a SIP address. */
    target: createMappingSchema.shape.phoneNumber,
    name: createMappingSchema.shape.name,
    tags: createMappingSchema.shape.tags,
    profileId: createMappingSchema.shape.profileId,
    config: createMappingSchema.shape.config,
  })
  .strict();
export type NewMapping = z.output<typeof newMappingSchema>;

/** A `*.ivr.json`, or one of the samples by its name. A row of the practice view is one too. */
export const practiceSchema = z.union([z.object({ file: z.string().min(1) }), z.object({ sample: z.string().min(1) })]);

/** The argument, or undefined where there is none. @throws HumanError where there is one of another shape */
export function readArgument<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new HumanError(describeIssues(parsed.error), { status: 400, code: 'bad_argument' });
  return parsed.data;
}
