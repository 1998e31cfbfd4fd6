import * as z from 'zod';
import { cursorSchema, dialTargetSchema, isoDateSchema, limitSchema, pageOf } from './common.ts';
import { limits } from './limits.ts';

export const loadTestStatusSchema = z.enum(['running', 'completed', 'failed', 'aborted']);
const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).strict();

/** N calls at once to one number, and what they had in common. */
export const loadTestSchema = z.object({
  id: z.uuid(),
  phoneNumber: dialTargetSchema,
  configId: z.uuid().optional(),
  concurrency: z.int().min(limits.loadTest.calls.min).max(limits.loadTest.calls.max),
  rampSeconds: z.number().min(limits.loadTest.rampSeconds.min).max(limits.loadTest.rampSeconds.max),
  holdSeconds: z.number().min(limits.loadTest.holdSeconds.min).max(limits.loadTest.holdSeconds.max),
  status: loadTestStatusSchema,
  reason: z.string().optional(),
  stats: z.object({
    callsPlaced: z.int(),
    callsAnswered: z.int(),
    setupSuccess: z.number().min(0).max(1),
    answerSeconds: percentiles.optional(),
    promptSeconds: percentiles.optional(),
    outcomes: z.record(z.string(), z.int()),
    callSeconds: z.number(),
  }).strict().optional(),
  startedAt: isoDateSchema,
  completedAt: isoDateSchema.optional(),
}).strict();
export type LoadTest = z.output<typeof loadTestSchema>;

export const loadTestPageSchema = pageOf(loadTestSchema);
export const listLoadTestsSchema = z.object({ status: loadTestStatusSchema.optional(), cursor: cursorSchema, limit: limitSchema }).strict();
export type ListLoadTests = z.output<typeof listLoadTestsSchema>;
