import { isIP } from 'node:net';
import { hostReference, isPort, parseHostPort, parseParams } from './uri.ts';

/** One Via value (RFC 3261 section 20.42). */
export interface Via {
  readonly protocol: string;
  readonly host: string;
  readonly port: number | undefined;
  readonly params: ReadonlyMap<string, string>;
}

export const MAGIC_COOKIE = 'z9hG4bK';
export const DEFAULT_SIP_PORT = 5060;
/** RFC 3261 section 19.1.2. */
export const defaultPortOf = (transport: string | undefined): number =>
  transport?.toLowerCase() === 'tls' ? 5061 : DEFAULT_SIP_PORT;

export function parseVia(text: string): Via | undefined {
  const first = text.indexOf('/');
  const second = text.indexOf('/', first + 1);
  if (first < 0 || second < 0) return undefined;
  if (text.slice(0, first).trim().toUpperCase() !== 'SIP' || text.slice(first + 1, second).trim() !== '2.0')
    return undefined;
  const semicolon = text.indexOf(';', second);
  const sent = text.slice(second + 1, semicolon < 0 ? undefined : semicolon).trim();
  let end = 0;
  while (end < sent.length && sent.charCodeAt(end) > 0x20) end++;
  const place = parseHostPort(sent.slice(end).trim());
  if (end === 0 || !place) return undefined;
  return {
    protocol: sent.slice(0, end).toUpperCase(),
    host: place.host,
    port: place.port,
    params: parseParams(semicolon < 0 ? '' : text.slice(semicolon + 1)),
  };
}

export function formatVia({ protocol, host, port, params }: Via): string {
  let text = `SIP/2.0/${protocol} ${hostReference(host)}${port === undefined ? '' : `:${String(port)}`}`;
  for (const [name, value] of params) text += value === '' ? `;${name}` : `;${name}=${value}`;
  return text;
}

/**
 * Returns the top Via as the server that received the request from `from` stores it: `received` (RFC 3261 section
 * 18.2.1) and `rport` (RFC 3581 section 4).
 */
export function stampVia(via: Via, from: { host: string; port: number }): Via {
  const params = new Map(via.params);
  // A value from the sender could direct the response to anyone.
  params.delete('received');
  if (params.has('rport')) {
    params.set('rport', String(from.port));
    params.set('received', from.host);
  } else if (via.host !== from.host) {
    params.set('received', from.host);
  }
  return { ...via, params };
}

/** Returns the address that the peer saw, from the Via of its response; undefined if it names none. */
export function seenPlace(via: Via | undefined): { host: string; port: number } | undefined {
  const host = via?.params.get('received') ?? via?.host ?? '';
  const port = Number(via?.params.get('rport'));
  return isIP(host) && isPort(port) ? { host, port } : undefined;
}

/** Returns where the response to a request with this stamped Via goes (RFC 3261 section 18.2.2, RFC 3581 section 4). */
export function responsePeer(via: Via): { host: string; port: number } {
  const rport = Number(via.params.get('rport'));
  const host = via.params.get('received') ?? via.host;
  return { host, port: Number.isInteger(rport) && rport > 0 ? rport : (via.port ?? DEFAULT_SIP_PORT) };
}
