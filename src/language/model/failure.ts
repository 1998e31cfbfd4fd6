import { ModelError, type ModelErrorKind } from './modelError.ts';

interface Failure {
  /** The status of the response; absent without one. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** The system's code for a broken connection: ECONNREFUSED. */
  readonly code?: string | undefined;
}

interface Meaning {
  readonly kind: ModelErrorKind;
  readonly says: string;
  readonly passing?: boolean;
}

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: "the host doesn't exist",
  EAI_AGAIN: "the name service doesn't answer",
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Returns the error for a failed request. @param secrets keys that must not appear in it */
export function modelErrorOf(name: string, failure: Failure, secrets: readonly string[]): ModelError {
  const { kind, says, passing = false } = meaningOf(failure);
  const detail = endpointWords(detailOf(failure.body), secrets);
  return new ModelError(kind, `The language model ${name} ${says}${detail === '' ? '' : ` It says: ${detail}`}`, {
    passing,
    retryAfterSeconds: retryAfterOf(failure),
  });
}

function meaningOf({ status, body = '', code }: Failure): Meaning {
  if (status === undefined)
    return {
      kind: 'unreachable',
      says: `isn't reachable: ${codes[code ?? ''] ?? code ?? 'no answer'}. Check its address, and that it's running.`,
      passing: true,
    };
  if (status === 401 || status === 403)
    return { kind: 'unauthorized', says: `doesn't accept the API key (${status}). Set a valid key.` };
  if (status === 404)
    return { kind: 'refused', says: "isn't available at this address (404). Check the model's name and the address." };
  if (status === 402 || (status === 429 && /insufficient_quota|billing/i.test(body)))
    return { kind: 'refused', says: `needs a payment for its account (${status}). Check the account at its provider.` };
  if (status === 429 || status === 529)
    return {
      kind: 'refused',
      says: `got too many requests (${status}). Wait a little and try again.`,
      passing: true,
    };
  if (status === 408 || status >= 500)
    return {
      kind: 'unreachable',
      says: `failed (${status}). Try again later.`,
      passing: true,
    };
  if (status >= 400)
    return {
      kind: 'refused',
      says: `doesn't accept the request (${status}). Check the model's name and its settings.`,
    };
  if (status >= 300)
    return {
      kind: 'refused',
      says: `redirects to another address (${status}). Set that address.`,
    };
  // Nothing of an interrupted body is passed on.
  if (body === '') return { kind: 'unreachable', says: 'broke off in the middle of its answer.', passing: true };
  return {
    kind: 'nonsense',
    says: "didn't answer with a completion. Check that the address is a chat endpoint.",
  };
}

/** Returns the endpoint's own sentence, if it sent one. */
function detailOf(body = ''): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    const said =
      typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : (error ?? message);
    return typeof said === 'string' ? said : '';
  } catch {
    return '';
  }
}

/** Returns an endpoint's words without keys, credentials, queries and control characters, up to 200 characters. */
function endpointWords(text: string, secrets: readonly string[]): string {
  const withoutKeys = secrets
    .filter(({ length }) => length >= 4)
    .reduce((kept, secret) => kept.replaceAll(secret, '…'), text);
  return withoutKeys
    .replace(/\b(?:sk|pk|key|api)[-_][\w*.-]{6,}/gi, '…')
    .replace(/\bbearer\s+\S+/gi, 'Bearer …')
    .replace(/\/\/[^\s/@]+@/g, '//')
    .replace(/(https?:\/\/[^\s?]+)\?\S+/g, '$1')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

/** RFC 9110 section 10.2.3: seconds or a date. `retry-after-ms` is an extension of model services. */
function retryAfterOf({ headers = {} }: Failure): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] ?? NaN);
  if (milliseconds >= 0) return milliseconds / 1000;
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
