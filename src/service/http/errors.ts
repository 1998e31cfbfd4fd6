import * as z from 'zod';
import { andMore, describeIssues, errorBodySchema, HumanError, type ErrorBody } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Logger } from '../basics/log.ts';
import { ours } from '../../contract/untrusted.ts';
import { issueInWords } from './issueWords.ts';
import { isBroken, storeUnreachable } from '../store/postgresServer.ts';

export const httpErrorSchema = errorBodySchema.extend({
  error: ours(z.string()).optional().describe('With 401, for clients that expect OAuth (RFC 6749, section 5.2)'),
  error_description: ours(z.string()).optional().describe('Like message'),
});

/** Returns the body for clients that parse it as an OAuth error, and would otherwise hide its message. */
export const withOAuthError = (status: number, body: ErrorBody): z.output<typeof httpErrorSchema> => ({
  ...body,
  error: status === 401 ? 'invalid_token' : 'invalid_request',
  error_description: body.message,
});

/**
 * Returns true for addresses at which clients look for an OAuth server (RFC 8414, RFC 9728, RFC 7591, OpenID Connect
 * Discovery). This service has none, so they don't exist, with or without a key.
 */
export const isOAuthPath = (path: string): boolean =>
  /\/\.well-known(?:\/|$)|^\/(?:register|authorize|token|revoke|introspect)\/?$/.test(path);

/** @param further what is wrong with the key, if anything */
export const noOAuth = (further = 'Send a key in the header x-api-key.'): HumanError =>
  new HumanError(`This service uses API keys, not OAuth. ${further}`, { status: 404, code: 'not_found' });

interface DescribedFailure {
  readonly status: number;
  readonly body: ErrorBody;
}

/** Returns the error as a client sees it. Internal details stay in the log, under the request's id. */
export function describeFailure(thrown: unknown, requestId: string, log: Logger): DescribedFailure {
  // The message of a ZodError is all its issues, and made only if it is read.
  const error = !(thrown instanceof z.ZodError) && isBroken(thrown) ? storeUnreachable(thrown) : thrown;
  if (error instanceof HumanError) {
    if (error.status >= 500) log.error({ requestId, err: error }, 'request failed');
    return {
      status: error.status,
      body: {
        message: error.message,
        requestId,
        ...(error.code !== undefined && { code: error.code }),
        ...(error.reason !== undefined && { reason: error.reason }),
        ...(error.details !== undefined && { details: error.details }),
        ...(error.quotes.length > 0 && { quotes: [...error.quotes] }),
        ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
        ...(error.claim && { claim: error.claim }),
      },
    };
  }
  if (error instanceof z.ZodError) {
    const issues = error.issues.slice(0, limits.problems.details).map(issueInWords);
    const quotes = issues.flatMap((issue) => issue.quotes);
    const placed = issues.map(({ path, message }) => ({
      message,
      path: [quotes.includes(path) ? `“${path}”` : path].filter((place) => place !== ''),
    }));
    return {
      status: 400,
      body: {
        message: describeIssues({ issues: placed, total: error.issues.length }),
        code: 'invalid_request',
        details: [
          ...issues.map(({ path, message }) => ({ path, message })),
          ...andMore(error.issues.length - issues.length).map((message) => ({ path: '', message })),
        ],
        ...(quotes.length > 0 && { quotes }),
        requestId,
      },
    };
  }
  log.error({ requestId, err: error }, 'request failed');
  return { status: 500, body: { message: 'Internal error. See the log of the service.', code: 'internal', requestId } };
}
