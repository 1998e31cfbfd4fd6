import { SipHeaders } from './headers.ts';
import { parseNameAddress } from './uri.ts';
import type { Via } from './via.ts';
import { parseVia } from './via.ts';

export interface SipRequest {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
  readonly headers: SipHeaders;
  readonly body: string;
}

export interface SipResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
  readonly headers: SipHeaders;
  readonly body: string;
}

export type SipMessage = SipRequest | SipResponse;

/** The largest UDP datagram; streams have the same limit. */
export const MAX_MESSAGE_BYTES = 65_535;
const MAX_FIELDS = 512;
const TOKEN = /^[A-Za-z0-9.!%*_+`'~-]+$/;
const CR = 13,
  LF = 10;

/**
 * Parses one datagram (RFC 3261 sections 7 and 18.3). Time is linear in its length. Returns undefined for keepalives
 * and for anything without a well-formed start line, Via, From, To, Call-ID or CSeq: such a request can't be answered
 * reliably, so it is dropped, as section 18 allows.
 */
export function parseMessage(datagram: Uint8Array): SipMessage | undefined {
  if (datagram.length > MAX_MESSAGE_BYTES) return undefined;
  let start = 0;
  while (start < datagram.length && (datagram[start] === CR || datagram[start] === LF)) start++;
  const head = findHeadEnd(datagram, start);
  if (!head) return undefined;
  const text = Buffer.from(datagram.buffer, datagram.byteOffset + start, head.end - start).toString('utf8');
  const lines = unfold(text);
  const startLine = lines[0];
  if (startLine === undefined || lines.length > MAX_FIELDS) return undefined;

  const headers = new SipHeaders();
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trimEnd();
    if (colon <= 0 || !TOKEN.test(name)) return undefined;
    headers.add(name, line.slice(colon + 1).trim());
  }
  const body = readBody(datagram.subarray(head.body), headers);
  if (body === undefined || !hasEssentials(headers)) return undefined;
  return parseStartLine(startLine, headers, body);
}

/** Returns the message as a datagram; sets Content-Length. */
export function serialiseMessage(message: SipMessage): Buffer {
  const body = Buffer.from(message.body, 'utf8');
  message.headers.set('Content-Length', String(body.length));
  const first =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${String(message.status)} ${message.reason}`;
  const head = Buffer.from(`${first}\r\n${message.headers.serialise()}\r\n`, 'utf8');
  return body.length === 0 ? head : Buffer.concat([head, body]);
}

const ESSENTIAL_FIELDS = [
  ...['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Record-Route', 'Contact'],
  // The extensions that its caller has or needs.
  ...['Allow', 'Supported', 'Require', 'Session-Expires'],
];

/**
 * Returns what responses and a dialog need of a request, without its body. The strings are copies: a part of a string
 * keeps the whole alive, and the sender controls its size.
 */
export function copyEssentials(request: SipRequest): SipRequest {
  const copy = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
  const headers = new SipHeaders(
    ESSENTIAL_FIELDS.flatMap((name) => request.headers.all(name).map((value) => [name, copy(value)] as const)),
  );
  return { kind: 'request', method: copy(request.method), uri: copy(request.uri), headers, body: '' };
}

/** Returns the size of a message in characters. */
export function sizeOf(message: SipMessage): number {
  return (message.kind === 'request' ? message.uri.length : 0) + message.headers.size + message.body.length;
}

interface CSeq {
  readonly number: number;
  readonly method: string;
}

function parseCSeq(value: string | undefined): CSeq | undefined {
  const match = /^(\d{1,10})[ \t]+([^ \t]+)$/.exec(value ?? '');
  if (!match) return undefined;
  const number = Number(match[1]),
    method = match[2] as string;
  return number < 2 ** 31 && TOKEN.test(method) ? { number, method } : undefined;
}

/** Returns the CSeq of a parsed message, which always has one. */
export function cseqOf(message: SipMessage): CSeq {
  return parseCSeq(message.headers.get('CSeq')) ?? { number: 0, method: '' };
}

/** Returns the name of a field that makes this request ambiguous (RFC 4475 sections 3.1.2.1 and 3.3.9). */
export function malformedField({ headers }: SipRequest): string | undefined {
  if (headers.all('Content-Length').length > 1) return 'Content-Length';
  if (headers.list('Via').some((via) => parseVia(via) === undefined)) return 'Via';
  const isContact = (contact: string): boolean => contact === '*' || parseNameAddress(contact) !== undefined;
  return headers.list('Contact').every(isContact) ? undefined : 'Contact';
}

export function topVia(message: SipMessage): Via | undefined {
  const top = message.headers.list('Via')[0];
  return top === undefined ? undefined : parseVia(top);
}

export function tagOf(message: SipMessage, header: 'From' | 'To'): string | undefined {
  return parseNameAddress(message.headers.get(header) ?? '')?.params.get('tag');
}

function findHeadEnd(bytes: Uint8Array, start: number): { end: number; body: number } | undefined {
  for (let at = bytes.indexOf(LF, start); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return { end: at, body: at + 2 };
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return { end: at, body: at + 3 };
  }
  return undefined;
}

/** Returns lines with their continuations joined (RFC 3261 section 7.3.1). */
function unfold(text: string): string[] {
  const lines: string[] = [];
  for (let line of text.split('\n')) {
    if (line.endsWith('\r')) line = line.slice(0, -1);
    if (lines.length > 0 && (line.startsWith(' ') || line.startsWith('\t')))
      lines.push(`${lines.pop() ?? ''} ${line.trim()}`);
    else lines.push(line);
  }
  return lines;
}

/** If a body is shorter than its Content-Length, the message is void; a longer one is cut (RFC 3261 section 18.3). */
function readBody(rest: Uint8Array, headers: SipHeaders): string | undefined {
  const declared = headers.get('Content-Length');
  let length = rest.length;
  if (declared !== undefined) {
    if (!/^\d{1,8}$/.test(declared)) return undefined;
    length = Number(declared);
    if (length > rest.length) return undefined;
  }
  return length === 0 ? '' : Buffer.from(rest.buffer, rest.byteOffset, length).toString('utf8');
}

function hasEssentials(headers: SipHeaders): boolean {
  const vias = headers.list('Via');
  return (
    vias.length > 0 &&
    parseVia(vias[0] as string) !== undefined &&
    (headers.get('Call-ID') ?? '') !== '' &&
    parseCSeq(headers.get('CSeq')) !== undefined &&
    parseNameAddress(headers.get('From') ?? '') !== undefined &&
    parseNameAddress(headers.get('To') ?? '') !== undefined &&
    headers.all('From').length === 1 &&
    headers.all('To').length === 1 &&
    headers.all('Call-ID').length === 1 &&
    headers.all('CSeq').length === 1
  );
}

function parseStartLine(line: string, headers: SipHeaders, body: string): SipMessage | undefined {
  const method = cseqOf({ headers } as SipMessage).method;
  if (line.slice(0, 8).toUpperCase() === 'SIP/2.0 ') {
    const code = line.slice(8, 11);
    if (!/^[1-6]\d\d$/.test(code) || (line.length > 11 && line.charAt(11) !== ' ')) return undefined;
    return { kind: 'response', status: Number(code), reason: line.slice(12).trim(), headers, body };
  }
  const first = line.indexOf(' '),
    last = line.lastIndexOf(' ');
  const uri = line.slice(first + 1, last);
  if (first <= 0 || last <= first || line.slice(last + 1).toUpperCase() !== 'SIP/2.0') return undefined;
  if (
    !TOKEN.test(line.slice(0, first)) ||
    line.slice(0, first) !== method ||
    uri === '' ||
    uri.includes(' ') ||
    uri.includes('\t')
  )
    return undefined;
  return { kind: 'request', method, uri, headers, body };
}
