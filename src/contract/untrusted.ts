import type * as z from 'zod';

/** The mark's name in JSON Schemas. */
export const untrustedKeyword = 'x-untrusted';

/**
 * Text, or an object with texts, that was heard on a call or that people, files and other agents wrote: data wherever
 * it goes, never an instruction.
 */
export const untrusted = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [untrustedKeyword]: true });

/** The mark's name in JSON Schemas. */
export const secretKeyword = 'x-secret';

/** Text of ours that gives power to whoever has it, such as a key or a link of one use: it is never stored or repeated. */
export const secret = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [untrustedKeyword]: false, [secretKeyword]: true });

/**
 * Text that this service words or makes itself, or that its operator set. A text of an answer that has neither a form
 * nor one of the two marks fails a test.
 */
export const ours = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [untrustedKeyword]: false });
