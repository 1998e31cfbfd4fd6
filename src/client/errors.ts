import type { ErrorBody } from '../contract/errors.ts';

export interface ServiceErrorOptions {
  readonly status?: number;
  readonly body?: Partial<ErrorBody>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** What a call of the interface may fail with; the message is fit for a user. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  /** Absent where no answer came. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;

  constructor(message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.code = options.body?.code;
    this.reason = options.body?.reason;
    this.details = options.body?.details;
    this.requestId = options.body?.requestId;
  }
}

/** 400, and other statuses that blame the request. */
export class ValidationError extends ServiceError { override readonly name = 'ValidationError'; }
/** 401 */
export class AuthenticationError extends ServiceError { override readonly name = 'AuthenticationError'; }
/** 403 */
export class PermissionError extends ServiceError { override readonly name = 'PermissionError'; }
/** 404 */
export class NotFoundError extends ServiceError { override readonly name = 'NotFoundError'; }
/** 409 */
export class ConflictError extends ServiceError { override readonly name = 'ConflictError'; }
/** 429 */
export class RateLimitError extends ServiceError {
  override readonly name = 'RateLimitError';
  /** Seconds, where the service says. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.retryAfter = options.retryAfterSeconds ?? options.body?.retryAfterSeconds;
  }
}
/** 5xx */
export class ServerError extends ServiceError { override readonly name = 'ServerError'; }
/** The service was not reached, or the connection broke. */
export class ConnectionError extends ServiceError {
  override readonly name = 'ConnectionError';
  /** Nothing was sent: the request can be repeated without harm. */
  readonly preFlight: boolean;

  constructor(message: string, options: ServiceErrorOptions & { readonly preFlight: boolean }) {
    super(message, options);
    this.preFlight = options.preFlight;
  }
}
export class TimeoutError extends ServiceError { override readonly name = 'TimeoutError'; }

const classes = { 401: AuthenticationError, 403: PermissionError, 404: NotFoundError, 409: ConflictError, 429: RateLimitError } as const;

export function errorOf(status: number, body: Partial<ErrorBody> | undefined, retryAfterSeconds: number | undefined): ServiceError {
  const message = body?.message ?? `The service answered ${String(status)}.`;
  const options = { status, ...(body && { body }), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const Class = status in classes ? classes[status as keyof typeof classes] : status >= 500 ? ServerError : ValidationError;
  return new Class(message, options);
}
