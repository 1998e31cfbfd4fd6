import { isIPv6 } from 'node:net';
import { splitOutside } from './headers.ts';

/** A SIP URI (RFC 3261 section 19.1). `user` and parameters stay escaped as on the wire. */
export interface SipUri {
  readonly scheme: 'sip' | 'sips';
  readonly user: string | undefined;
  /** Without the brackets of an IPv6 reference. */
  readonly host: string;
  readonly port: number | undefined;
  /** Names in lower case; a flag has the empty string. */
  readonly params: ReadonlyMap<string, string>;
}

/** A From, To, Contact or Route value (RFC 3261 section 20.10). */
interface NameAddress {
  readonly display: string | undefined;
  readonly uri: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Returns true if packets can be sent to this port. */
export const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;

const HOST_CHARACTERS = /^[A-Za-z0-9_.-]+$/;

export function parseUri(text: string): SipUri | undefined {
  const colon = text.indexOf(':');
  const scheme = text.slice(0, colon).toLowerCase();
  if (scheme !== 'sip' && scheme !== 'sips') return undefined;
  let rest = text.slice(colon + 1);
  for (let i = 0; i < rest.length; i++) {
    const code = rest.charCodeAt(i);
    if (code <= 0x20 || code === 0x7f || code === 0x3c || code === 0x3e || code === 0x22) return undefined;
  }
  const at = rest.lastIndexOf('@');
  const user = at < 0 ? undefined : rest.slice(0, at);
  if (user === '') return undefined;
  rest = rest.slice(at + 1);
  const question = rest.indexOf('?');
  if (question >= 0) rest = rest.slice(0, question);
  const semicolon = rest.indexOf(';');
  const params = parseParams(semicolon < 0 ? '' : rest.slice(semicolon + 1));
  const place = parseHostPort(semicolon < 0 ? rest : rest.slice(0, semicolon));
  return place && { scheme, user, host: place.host, port: place.port, params };
}

/** Returns the transport of a URI, in lower case (RFC 3263 section 4.1), or undefined if it names none. */
export const transportOf = ({ scheme, params }: SipUri): string | undefined =>
  scheme === 'sips' ? 'tls' : params.get('transport')?.toLowerCase();

/** Returns the URI for To, which must not contain a transport (RFC 3261 section 19.1.1). */
export const addressOfRecord = (uri: string): string => uri.replaceAll(/;transport=[^;?]*/gi, '');

/** Returns the destination of a request to a URI, as a name or an address; undefined if its `maddr` isn't valid. */
export function targetHost({ host, params }: SipUri): string | undefined {
  const maddr = params.get('maddr');
  return maddr === undefined ? host : parseHostPort(maddr)?.host;
}

/** `host`, `host:port`, `[v6]`, `[v6]:port`. */
export function parseHostPort(text: string): { host: string; port: number | undefined } | undefined {
  let host = text,
    rest = '';
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    host = text.slice(1, close);
    rest = text.slice(close + 1);
    if (close < 0 || !isIPv6(host)) return undefined;
  } else {
    const colon = text.indexOf(':');
    if (colon >= 0) {
      host = text.slice(0, colon);
      rest = text.slice(colon);
    }
    host = host.trim();
    if (!HOST_CHARACTERS.test(host)) return undefined;
  }
  rest = rest.trim();
  if (rest === '') return { host, port: undefined };
  const digits = rest.slice(1).trim();
  if (!rest.startsWith(':') || !/^\d{1,5}$/.test(digits)) return undefined;
  const port = Number(digits);
  return isPort(port) ? { host, port } : undefined;
}

/** Returns the host as written in a URI, a Via or a Contact. */
export function hostReference(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** Parses `;`-separated parameters; values lose their quotes. */
export function parseParams(text: string): Map<string, string> {
  const params = new Map<string, string>();
  for (const part of splitOutside(text, ';')) {
    const equals = part.indexOf('=');
    if (equals < 0) params.set(part.toLowerCase(), '');
    else params.set(part.slice(0, equals).trim().toLowerCase(), unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

export function parseNameAddress(text: string): NameAddress | undefined {
  let quoted = false,
    open = -1;
  for (let i = 0; i < text.length && open < 0; i++) {
    const character = text.charAt(i);
    if (quoted && character === '\\') i++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '<') open = i;
  }
  if (quoted) return undefined;
  if (open < 0) {
    // Without brackets, parameters belong to the header, not to the URI.
    const semicolon = text.indexOf(';');
    const uri = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
    return hasScheme(uri)
      ? { display: undefined, uri, params: parseParams(semicolon < 0 ? '' : text.slice(semicolon + 1)) }
      : undefined;
  }
  const close = text.indexOf('>', open);
  if (close < 0) return undefined;
  const uri = text.slice(open + 1, close).trim();
  if (!hasScheme(uri)) return undefined;
  const display = unquote(text.slice(0, open).trim());
  const rest = text.slice(close + 1).trim();
  if (rest !== '' && !rest.startsWith(';')) return undefined;
  return { display: display === '' ? undefined : display, uri, params: parseParams(rest.slice(1)) };
}

function hasScheme(uri: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]{0,31}:[^ ]/.test(uri);
}

export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  let plain = '';
  for (let i = 1; i < text.length - 1; i++) {
    if (text.charAt(i) === '\\') i++;
    plain += text.charAt(i);
  }
  return plain;
}

/** Returns the quoted-string of RFC 3261 section 25.1. */
export function quote(text: string): string {
  let quoted = '"';
  for (const character of text) quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  return `${quoted}"`;
}
