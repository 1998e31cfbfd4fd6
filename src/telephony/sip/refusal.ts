import type { CallEnd } from '../call.ts';
import type { SipResponse } from './message.ts';
import { parseReason } from './reason.ts';
import { maskPassword } from './trace.ts';
import { parseNameAddress, unquote } from './uri.ts';

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

const MOST_ADVICE_CHARACTERS = 200;
const shown = (text: string): string => maskPassword(text).replaceAll(/\p{C}/gu, '').slice(0, MOST_ADVICE_CHARACTERS);

/** Returns what the response's header fields say about the refusal, as parts of a sentence. */
function adviceOf({ status, headers }: SipResponse): string[] {
  const list = (name: string): string => headers.list(name).join(', ');
  const warnings = headers.list('Warning').map((value) => {
    const open = value.indexOf('"');
    return unquote(open < 0 ? value : value.slice(open));
  });
  const contacts = headers.list('Contact').flatMap((value) => parseNameAddress(value)?.uri ?? []);
  const realms = ['WWW-Authenticate', 'Proxy-Authenticate']
    .flatMap((name) => headers.all(name))
    .flatMap((value) => /\brealm\s*=\s*"([^"]*)"/i.exec(value)?.[1] ?? []);
  const said: readonly (readonly [when: boolean, words: string, value: string])[] = [
    [true, 'it warns: ', warnings.join('; ')],
    [true, 'retry after (s): ', headers.get('Retry-After') ?? ''],
    [status >= 300 && status < 400, 'it has moved to: ', contacts.join(', ')],
    [status === 401 || status === 407, 'it asks for a login for: ', realms.join(', ')],
    [status === 405 || status === 501, 'it allows only: ', list('Allow')],
    [status === 406 || status === 415 || status === 488 || status === 606, 'it accepts: ', list('Accept')],
    [status === 415, 'it accepts the encoding: ', list('Accept-Encoding')],
    [status === 420, "it doesn't support: ", list('Unsupported')],
    [status === 421 || status === 494, 'it requires: ', list('Require')],
    [status === 608, 'its contact for disputes: ', list('Call-Info')],
    [status === 422, 'its minimum session timer (s): ', headers.get('Min-SE') ?? ''],
  ];
  return said.flatMap(([when, words, value]) => (when && value.trim() !== '' ? [words + shown(value)] : []));
}

/** Returns how a refused INVITE ends the leg. */
export function refusalEnd(response: SipResponse): CallEnd {
  const { q850, text } = parseReason(response);
  const said = [...(text === undefined ? [] : [`its reason: ${shown(text)}`]), ...adviceOf(response)];
  const advice = said.length === 0 ? undefined : said.join('; ');
  const reason = text ?? (response.reason === '' ? `refused with ${String(response.status)}` : response.reason);
  // ATIS-1000099: the phrase, or the fields of the analytics service in the Reason header.
  const isBlocked =
    response.status === 603 && (/^network blocked$/i.test(response.reason) || /^v=analytics/i.test(text ?? ''));
  return {
    by: 'remote',
    kind: KINDS[response.status] ?? 'rejected',
    status: response.status,
    reason,
    ...(isBlocked && { isBlocked }),
    ...(advice !== undefined && { advice }),
    ...(q850 === undefined ? {} : { q850 }),
  };
}
