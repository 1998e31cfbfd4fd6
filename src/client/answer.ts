import type * as z from 'zod';

/**
 * Parses a response by its schema, but keeps properties that the schema doesn't have, because a newer service can send
 * more.
 */
export function readAnswer(schema: z.ZodType, answer: unknown): z.ZodSafeParseResult<unknown> {
  const read = schema.safeParse(answer);
  return !read.success && read.error.issues.every(({ code }) => code === 'unrecognized_keys')
    ? { success: true, data: answer }
    : read;
}
