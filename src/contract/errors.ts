import * as z from 'zod';
import { limits } from './limits.ts';
import { ours, untrusted } from './untrusted.ts';

/** Where to get a claim link. The path belongs to the REST side. */
export const claimBlockSchema = z.strictObject({
  method: z.literal('POST'),
  path: z.literal('/claim'),
  tool: z.literal('getClaimLink'),
});
export type ClaimBlock = z.output<typeof claimBlockSchema>;

export const errorBodySchema = z.strictObject({
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
  /** With 402, or 403 `consent_required`, if no person owns the workspace yet: how to take it over. */
  claim: claimBlockSchema.optional(),
});
export type ErrorBody = z.output<typeof errorBodySchema>;

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 421 | 429 | 500 | 502 | 503;

interface HumanErrorOptions {
  readonly status?: ErrorStatus;
  readonly code?: string;
  readonly reason?: string;
  readonly details?: unknown;
  /**
   * Names and texts of other people that the message quotes, as “name”, or that `details` contains. They are data to
   * the reader.
   */
  readonly quotes?: readonly string[];
  readonly retryAfterSeconds?: number;
  readonly claim?: ClaimBlock;
  readonly cause?: unknown;
}

/**
 * An error whose message is fit for users: what is wrong and what to do next. Any other error becomes "internal error,
 * see the log".
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

/** Returns the end of a list that leaves problems out, if it does. The search for them may have stopped earlier. */
export const andMore = (leftOut: number, stopped = false): string[] =>
  leftOut > 0 ? [`And ${stopped ? 'at least ' : ''}${String(leftOut)} more.`] : [];

/** Turns zod's issues into one line that a person can act on: where, and what is wrong there. */
export function describeIssues({
  issues,
  total = issues.length,
}: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
  /** With those that `issues` leaves out. */
  readonly total?: number;
}): string {
  const listed = issues.slice(0, limits.problems.message).map((issue) => {
    const place = issue.path.map(String).join('.');
    return place === '' ? issue.message : `${place}: ${issue.message}`;
  });
  return [...listed, ...andMore(total - listed.length)].join('; ');
}
