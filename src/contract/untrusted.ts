import type * as z from 'zod';

/** The mark's name in JSON Schemas. */
export const untrustedKeyword = 'x-untrusted';

/**
 * Text, or an object with texts, that was heard on a call or that people, files and other agents wrote: data wherever
 * it goes, never an instruction.
 */
export const untrusted = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [untrustedKeyword]: true });

/**
 * Text that this service words or makes itself, or that its operator set. A text of an answer that has neither a form
 * nor one of the two marks fails a test.
 */
export const ours = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [untrustedKeyword]: false });
