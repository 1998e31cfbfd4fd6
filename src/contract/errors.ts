import * as z from 'zod';
import { ours, untrusted } from './untrusted.ts';

/** Where a claim link is to be had; the path is one of the REST side. */
export const claimBlockSchema = z
  .object({ method: z.literal('POST'), path: z.literal('/claim'), tool: z.literal('getClaimLink') })
  .strict();
export type ClaimBlock = z.output<typeof claimBlockSchema>;

export const errorBodySchema = z
  .object({
    message: ours(z.string()).describe('What happened and what to do'),
    code: ours(z.string()).optional(),
    reason: ours(z.string()).optional(),
    details: z.unknown().optional(),
    quotes: z
      .array(untrusted(z.string()))
      .optional()
      .describe('Names and texts that others wrote and that message or details quotes'),
    requestId: ours(z.string()),
    retryAfterSeconds: z.number().optional(),
    /** With 402 on a workspace that no person owns yet: how one takes it over. */
    claim: claimBlockSchema.optional(),
  })
  .strict();
export type ErrorBody = z.output<typeof errorBodySchema>;

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 421 | 429 | 500 | 502 | 503;

export interface HumanErrorOptions {
  readonly status?: ErrorStatus;
  readonly code?: string;
  readonly reason?: string;
  readonly details?: unknown;
  /** Names and texts of others that the message quotes, as “name”, or that stand in `details`: data to the reader. */
  readonly quotes?: readonly string[];
  readonly retryAfterSeconds?: number;
  readonly claim?: ClaimBlock;
  readonly cause?: unknown;
}

/**
 * An error whose message is fit for a user: what is wrong and what to do next. Everything else is "internal error, see
 * the log".
 */
export class HumanError extends Error {
  override readonly name = 'HumanError';
  readonly status: ErrorStatus;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly details: unknown;
  readonly quotes: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  readonly claim: ClaimBlock | undefined;

  constructor(message: string, options: HumanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status ?? 500;
    this.code = options.code;
    this.reason = options.reason;
    this.details = options.details;
    this.quotes = options.quotes ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.claim = options.claim;
  }
}

/** One line a person can act on, from zod's issues: where, and what is wrong there. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => {
      const place = issue.path.map(String).join('.');
      return place === '' ? issue.message : `${place}: ${issue.message}`;
    })
    .join('; ');
}
