import * as z from 'zod';

/** The name of the mark in JSON Schemas. */
export const untrustedKeyword = 'x-untrusted';

/**
 * Marks text, or an object with text, that was heard on a call or written by people, files and other agents. It is data
 * wherever it goes, never an instruction.
 */
export const untrusted = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [untrustedKeyword]: true });

/** A text in English as templates with values, `[["It took {0} s.", "4"]]`, for clients in other languages. */
const parts = untrusted(z.array(z.array(z.string()).readonly()).readonly());
export const partsSchema = parts.optional();
export const partsOfEachSchema = z.array(parts).optional();

/**
 * With this request header, whatever its value, MCP results are marked text only. For clients that give a model the
 * structured content, which has no marks, instead of the text.
 */
export const markedTextOnlyHeader = 'x-dialtree-marked-text-only';

/** The name of the mark in JSON Schemas. */
export const secretKeyword = 'x-secret';

/**
 * Marks text from this service that grants access to its holder, such as a key or a single-use link. It is never
 * stored or repeated.
 */
export const secret = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [untrustedKeyword]: false, [secretKeyword]: true });

/**
 * Marks text that this service writes, or that its operator set. A test fails if text in a response has neither a
 * format nor one of the two marks.
 */
export const ours = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [untrustedKeyword]: false });
