import type { ErrorBody } from '../contract/errors.ts';
import { errorBodySchema } from '../contract/errors.ts';
import { readAnswer } from './answer.ts';
import { ConnectionError, errorOf, TimeoutError } from './errors.ts';

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
    if (timeout?.aborted === true) throw new TimeoutError("The service didn't answer in time.", { cause });
    throw new ConnectionError("Couldn't reach the service. Check its address, and that it's running.", {
      cause,
      preFlight: isPreFlight(cause),
    });
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => undefined);
  const body = readErrorBody(text ?? '');
  signal?.throwIfAborted();
  const requestId = body.requestId ?? response.headers.get('x-request-id');
  throw errorOf(
    response.status,
    { ...body, ...(requestId !== null && { requestId }) },
    retryAfterOf(response.headers),
    text === '',
  );
}

/** Reads the body of a response, with the same errors. */
export async function readBody<Value>(reading: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await reading;
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof DOMException && cause.name === 'TimeoutError')
      throw new TimeoutError("The service didn't finish its answer in time.", { cause });
    throw new ConnectionError('The connection to the service was lost.', { cause, preFlight: false });
  }
}

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
    const member = readAnswer(schema, properties[name]);
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

function isPreFlight(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && preFlightCodes.has(error.code)) return true;
  if (error instanceof AggregateError) return error.errors.every(isPreFlight);
  return isPreFlight(error.cause);
}

function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
