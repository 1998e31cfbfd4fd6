import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { tagOf } from './message.ts';

const REASONS: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  513: 'Message Too Large',
  600: 'Busy Everywhere',
  603: 'Decline',
  604: 'Does Not Exist Anywhere',
  606: 'Not Acceptable',
};

function reasonPhrase(status: number): string {
  return REASONS[status] ?? (status < 300 ? 'OK' : 'Failed');
}

export type HeaderFields = readonly (readonly [name: string, value: string])[];

export interface ResponseParts {
  readonly reason?: string | undefined;
  /** Added to To unless the request already has a tag there. */
  readonly toTag?: string;
  readonly headers?: HeaderFields;
  readonly body?: string;
}

/** How a request is refused. */
export type Refusal = readonly [status: number, parts?: ResponseParts];

/** Returns the response to `request` with what RFC 3261 section 8.2.6 copies from it. */
export function createResponse(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const headers = new SipHeaders();
  for (const via of request.headers.all('Via')) headers.add('Via', via);
  headers.add('From', request.headers.get('From') ?? '');
  const to = request.headers.get('To') ?? '';
  headers.add('To', parts.toTag === undefined || tagOf(request, 'To') !== undefined ? to : `${to};tag=${parts.toTag}`);
  headers.add('Call-ID', request.headers.get('Call-ID') ?? '');
  headers.add('CSeq', request.headers.get('CSeq') ?? '');
  if (status < 300 && request.method === 'INVITE')
    for (const route of request.headers.all('Record-Route')) headers.add('Record-Route', route);
  for (const [name, value] of parts.headers ?? []) headers.add(name, value);
  return { kind: 'response', status, reason: parts.reason ?? reasonPhrase(status), headers, body: parts.body ?? '' };
}
