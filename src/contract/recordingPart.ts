import * as z from 'zod';

/**
 * The members of a message with a recording from the requested byte: to its end, or as much as fits into one message.
 * `total` is its size in bytes.
 */
export const recordingPart = {
  wav: z.instanceof(Uint8Array).optional(),
  from: z.int().min(0).optional(),
  total: z.int().min(0).optional(),
  error: z.string().optional(),
};
export type RecordingPart = z.output<z.ZodObject<typeof recordingPart>>;
