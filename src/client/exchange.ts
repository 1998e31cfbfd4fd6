import type * as z from 'zod';
import { errorBodySchema, type ErrorBody } from '../contract/errors.ts';
import { ConnectionError, errorOf, ServiceError, TimeoutError, type ServiceErrorOptions } from './errors.ts';

interface ExchangeOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal | undefined;
  /** For the whole response. Undefined: no limit. */
  readonly timeoutMs: number | undefined;
}

/**
 * Sends one request and returns its response. Rejects with the error of its status, a ConnectionError, a TimeoutError,
 * or the signal's reason.
 */
export async function exchange(
  url: string,
  request: RequestInit,
  { fetch, signal, timeoutMs }: ExchangeOptions,
): Promise<Response> {
  signal?.throwIfAborted();
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, timeout].filter((one) => one !== undefined);
  let response: Response;
  try {
    response = await fetch(url, { ...request, signal: AbortSignal.any(signals), redirect: 'error' });
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout?.aborted === true || hasCode(cause, timeOutCodes))
      throw new TimeoutError("The service didn't answer in time.", { cause, body: { code: 'timeout' } });
    throw hasCode(cause, lostCodes) ? connectionLost(cause, {}) : unreachable(cause);
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => undefined);
  const body = readErrorBody(text ?? '');
  signal?.throwIfAborted();
  throw errorOf(response.status, { ...requestOf(response), ...body }, retryAfterOf(response.headers), text === '');
}

/** Reads the body of a response, with the same errors. */
export async function readBody<Value>(
  response: Response,
  read: (response: Response) => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  try {
    return await read(response);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof SyntaxError) throw notUnderstood(response, cause);
    if ((cause instanceof DOMException && cause.name === 'TimeoutError') || hasCode(cause, timeOutCodes))
      throw new TimeoutError("The service didn't finish its answer in time.", answered(response, 'timeout', cause));
    throw connectionLost(cause, answered(response, 'connection_lost', cause));
  }
}

/** A response that arrived, but isn't one of the contract. */
export const notUnderstood = (response: Response, cause: unknown, operation?: string): ServiceError =>
  new ServiceError(
    `The service gave an answer that this version of Dialtree doesn't understand${operation === undefined ? '' : ` (${operation})`}. Update Dialtree or the service.`,
    answered(response, 'unknown_answer', cause),
  );

const answered = (response: Response, code: string, cause: unknown): ServiceErrorOptions => ({
  status: response.status,
  body: { code, ...requestOf(response) },
  cause,
});

function requestOf({ headers }: Response): { readonly requestId?: string } {
  const requestId = headers.get('x-request-id');
  return requestId === null ? {} : { requestId };
}

const unreachable = (cause: unknown): ConnectionError =>
  new ConnectionError("Couldn't reach the service. Check its address, and that it's running.", {
    cause,
    body: { code: 'unreachable' },
    preFlight: isPreFlight(cause),
  });

const connectionLost = (cause: unknown, options: ServiceErrorOptions): ConnectionError =>
  new ConnectionError(
    'The connection to the service was lost before its answer arrived. A change may have been carried out, so check before you repeat it.',
    { cause, body: { code: 'connection_lost' }, ...options, preFlight: false },
  );

/** A property that doesn't match the contract is left out. The others are still useful. */
function readErrorBody(text: string): Partial<ErrorBody> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const properties: Readonly<Record<string, unknown>> = { ...value };
  const members = Object.entries(errorBodySchema.shape).flatMap(([name, schema]): [string, unknown][] => {
    const member = readResponse(schema, properties[name]);
    return member.success && member.data !== undefined ? [[name, member.data]] : [];
  });
  return Object.fromEntries(members);
}

/** Causes that occur before any byte of the request is sent (errno of connect and name lookup). */
const preFlightCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The connection broke after it was made. */
const lostCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);
/** The limits of fetch itself. */
const timeOutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Returns true if the error, or what caused it, has one of these codes. */
const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && codes.has(error.code)) || hasCode(error.cause, codes));

function isPreFlight(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (hasCode(error, preFlightCodes)) return true;
  return error instanceof AggregateError ? error.errors.every(isPreFlight) : isPreFlight(error.cause);
}

function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/**
 * Parses a response by its schema, but keeps properties that the schema doesn't have, because a newer service can send
 * more.
 */
export function readResponse(schema: z.ZodType, answer: unknown): z.ZodSafeParseResult<unknown> {
  const read = schema.safeParse(answer);
  return !read.success && read.error.issues.every(({ code }) => code === 'unrecognized_keys')
    ? { success: true, data: answer }
    : read;
}
