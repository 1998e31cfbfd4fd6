import type * as z from 'zod';

/**
 * Reads an answer by its schema, but for members that the schema does not know: a later service may say more. They are
 * passed on, and all else is checked.
 */
export function readAnswer(schema: z.ZodType, answer: unknown): z.ZodSafeParseResult<unknown> {
  const read = schema.safeParse(answer);
  return !read.success && read.error.issues.every(({ code }) => code === 'unrecognized_keys')
    ? { success: true, data: answer }
    : read;
}
