import * as z from 'zod';
import { isCancelling, pageNoticeSchema } from './pageNotice.ts';
import { runResultsSchema } from './testRuns.ts';

/**
 * The messages between the editor and the page of a call by hand, for both sides. The page says `ready`, then receives
 * whole snapshots.
 */

const handSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  /** The name of what is called. */
  name: z.string(),
  run: runResultsSchema,
  /** Milliseconds since the answer. Absent until then. */
  answeredMs: z.number().min(0).optional(),
  /** What the next step of the test does. Absent after its last step, and on a call without a test. */
  next: z
    .object({
      text: z.string(),
      /** Whether the steps before it have ended. */
      isReady: z.boolean(),
    })
    .optional(),
  /** Why something that the user did wasn't sent, or why the last step failed. */
  trouble: z.string().optional(),
  isCancelling,
});
export type HandSnapshot = z.output<typeof handSnapshotSchema>;

/**
 * A part of the sound of an active call, for a page that listens: 8 kHz, 16 bit, mono. Without `pcm`, the sound ends,
 * and `error` says why if the call isn't over.
 */
export const soundSchema = z.object({
  type: z.literal('sound'),
  pcm: z.instanceof(Int16Array).optional(),
  error: z.string().optional(),
});
export type SoundMessage = z.output<typeof soundSchema>;

/** The page asks for the sound of the call, or for no more of it. */
export const listenSchema = z.object({ type: z.literal('listen'), on: z.boolean() });

export const toHandSchema = z.discriminatedUnion('type', [handSnapshotSchema, pageNoticeSchema, soundSchema]);
export type ToHand = z.output<typeof toHandSchema>;

/** What can be done with a call by hand that is over, on its page and in its report. */
export const afterHandCall = [
  z.object({ type: z.literal('callAgain') }),
  z.object({ type: z.literal('save'), as: z.enum(['calltest', 'mission']) }),
] as const;

export const fromHandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('press'), key: z.string().regex(/^[0-9*#]$/), secret: z.boolean() }),
  z.object({ type: z.literal('say'), text: z.string().trim().min(1).max(500) }),
  z.object({ type: z.literal('next') }),
  listenSchema,
  z.object({ type: z.literal('hangUp') }),
  z.object({ type: z.literal('openReport') }),
  ...afterHandCall,
]);
export type FromHand = z.output<typeof fromHandSchema>;
