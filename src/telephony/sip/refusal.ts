import type { CallEnd } from '../call.ts';
import type { SipResponse } from './message.ts';
import { parseReason } from './reason.ts';

const KINDS: Readonly<Record<number, CallEnd['kind']>> = {
  401: 'unauthorized',
  407: 'unauthorized',
  404: 'notFound',
  410: 'notFound',
  484: 'notFound',
  604: 'notFound',
  // RFC 3398 section 7.2.4.1: no user responding, no answer, subscriber absent.
  408: 'noAnswer',
  480: 'noAnswer',
  487: 'cancelled',
  486: 'busy',
  600: 'busy',
};

/** Returns how a refused INVITE ends the leg. */
export function refusalEnd(response: SipResponse): CallEnd {
  const { q850, text } = parseReason(response);
  const reason = text ?? (response.reason === '' ? `refused with ${String(response.status)}` : response.reason);
  return {
    by: 'remote',
    kind: KINDS[response.status] ?? 'rejected',
    status: response.status,
    reason,
    ...(q850 === undefined ? {} : { q850 }),
  };
}
