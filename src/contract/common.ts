import * as z from 'zod';
import { readIsoTime } from './isoTime.ts';
import { limits, serverLimits } from './limits.ts';
import { ours, untrusted } from './untrusted.ts';

/** E.164: a plus sign and 7 to 15 digits (ITU-T E.164, section 6.2). */
export const phoneNumberSchema = z
  .string()
  .regex(
    /^\+[1-9]\d{6,14}$/,
    'Give the number in E.164 form: a plus sign, the country code and the number, digits only, such as +12025550101.',
  )
  .describe('E.164 phone number, such as +12025550101');

const dialTarget = (text: z.ZodString): z.ZodString =>
  text
    .max(320)
    .regex(
      /^(\+[1-9]\d{6,14}|sips?:[^\s<>"]{1,310})$/,
      'Give an E.164 number such as +12025550101, or a SIP URI such as sip:practice@127.0.0.1:5070.',
    )
    .describe('E.164 number, or SIP URI');

/**
 * A target that can be called: a number of the dial plan, or a SIP URI on this machine (a practice IVR or a lab PBX).
 */
export const dialTargetSchema = dialTarget(z.string());
/** In a query, a plus sign that isn't escaped arrives as a space. */
const plusOfQuery = z.string().overwrite((text) => text.replace(/^ (?=\d)/, '+'));
export const filterTargetSchema = dialTarget(plusOfQuery).optional();

export const consentedBySchema = ours(z.string()).describe('Key that consented, if needed');

/** A target that a person can confirm for testing, as named by the refusal of a call without consent. */
export const consentTargetSchema = dialTargetSchema.describe(
  'E.164 phone number; for a short code or a name, the SIP address that the error gives',
);

export const tagSchema = z
  .string()
  .regex(limits.tags.pattern, 'A tag has 1 to 40 lower-case letters, digits and hyphens.');
export const tagsSchema = z.array(tagSchema).max(limits.tags.max).describe('Tags for filtering');
export const profileIdSchema = z.uuid().describe('Default: the default profile');
/** A time to filter by, in any form of ISO 8601. A date means its first moment, UTC. */
export const filterTimeSchema = z
  .string()
  .overwrite((text) => readIsoTime(text) ?? text)
  .refine(
    (text) => readIsoTime(text) !== undefined,
    'Give an ISO 8601 date such as 2026-11-24, or a date and time such as 2026-11-24T10:00:00Z.',
  )
  .optional()
  .describe('ISO 8601');
export const nameSchema = untrusted(z.string().trim().min(limits.name.min).max(limits.name.max));
export const descriptionSchema = untrusted(z.string().max(limits.description.max));
export const isoDateSchema = z.iso.datetime({ offset: true });
/** The version of a saved test. An edit or a launch that names a time other than that of the last edit is refused. */
export const expectedVersionSchema = isoDateSchema.optional().describe('updatedAt as last read; 409 if changed since');
/** Marks a test whose text comes from a file. */
export const fromFileSchema = z.boolean().optional();
export const languageSchema = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Give a language tag such as en-US.')
  .describe('BCP 47 language tag, such as en-US');

/** The reason why a run ended early. Absent if the run ended by itself. */
export const endedBySchema = z
  .enum(['cancel', 'budget', 'stop', 'crash'])
  .describe('cancel: also of its key; budget: seconds used up; stop, crash: of the service');
export type EndedBy = z.output<typeof endedBySchema>;

/** A query contains numbers as text. */
export const queryInt = (schema: z.ZodInt) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), schema);
/** The response waits for the end of the run. */
export const waitSecondsSchema = queryInt(z.int().min(0).max(serverLimits.waits.seconds))
  .default(0)
  .describe('Seconds to wait for the end of the run; the response then has the state so far');
export const ringSecondsSchema = z.int().min(limits.ringSeconds.min).max(limits.ringSeconds.max);
export const limitSchema = queryInt(z.int().min(limits.list.min).max(limits.list.max))
  .default(limits.list.default)
  .describe('Rows per page');
export const cursorSchema = z.string().max(500).optional().describe('nextCursor of the previous page');
export const sortDirSchema = z.enum(['asc', 'desc']).default('desc').describe('Ascending or descending');
/** Substrings are compared with stored names, which aren't longer. */
export const partSchema = z.string().max(limits.name.max);
export const numberPartSchema = plusOfQuery.max(limits.name.max);

export const pageSchemaOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), nextCursor: ours(z.string()).optional().describe('Absent on the last page') });
