import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { HumanError, describeIssues } from '../../contract/errors.ts';
import { createMappingSchema } from '../../contract/mapping.ts';

/** Arguments of commands, from keybindings, tests, links and rows of the views. All are optional. */

/** A row of the mappings view also matches. */
export const mappingPlaceSchema = z.object({
  jobId: z.uuid(),
  runNumber: z.int().min(1).optional(),
  stepId: z.string().optional(),
});
export type MappingPlace = z.output<typeof mappingPlaceSchema>;

/** A run of any kind. A row of the runs view also matches. */
export const runPlaceSchema = z.object({ runId: z.uuid() });

/** The argument of a view's keybindings: the selected row. */
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

/** A `*.ivr.json` file, or a sample by its name. A row of the practice view also matches. */
export const practiceSchema = z.union([z.object({ file: z.string().min(1) }), z.object({ sample: z.string().min(1) })]);

/** Returns the argument, or undefined without one. @throws HumanError if the argument has another shape */
export function readArgument<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = schema.safeParse(value);
  // The editor passes the selected row of a view to the commands in its title too.
  if (!parsed.success && isRecord(value) && 'kind' in value) return undefined;
  if (!parsed.success) throw new HumanError(describeIssues(parsed.error), { status: 400, code: 'bad_argument' });
  return parsed.data;
}
