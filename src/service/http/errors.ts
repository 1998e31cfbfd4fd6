import { ZodError } from 'zod';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';
import { isBroken, storeUnreachable } from '../store/postgresServer.ts';

interface DescribedFailure {
  readonly status: number;
  readonly body: ErrorBody;
}

/** Returns the error as a client sees it. Internal details stay in the log, under the request's id. */
export function describeFailure(thrown: unknown, requestId: string, log: Logger): DescribedFailure {
  const error = isBroken(thrown) ? storeUnreachable(thrown) : thrown;
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
  if (error instanceof ZodError) {
    return {
      status: 400,
      body: {
        message: describeIssues(error),
        code: 'invalid_request',
        details: error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })),
        requestId,
      },
    };
  }
  log.error({ requestId, err: error }, 'request failed');
  return { status: 500, body: { message: 'Internal error. See the log of the service.', code: 'internal', requestId } };
}
