import type { Clock } from '../../base/clock.ts';
import type { SipTraceEntry } from '../call.ts';
import type { SipPeer } from './transport.ts';
import { hostReference } from './uri.ts';

const MAX_ENTRIES = 500;
/** Limits for one message, and for all, because a peer can send a lot in one call. */
const MAX_MESSAGE_CHARACTERS = 16 * 1024;
const MAX_CHARACTERS = 128 * 1024;
/** The master key of SRTP (RFC 4568 section 6.1), wherever it is. */
const SRTP_KEY = /\b(inline:)[^\s|;]+/gi;
const SECRET_HEADER = /^(?:(?:proxy-)?authorization|authentication-info)[ \t]*:/i;

/** The SIP messages of one leg, credentials and INFO bodies masked before they are stored. */
export class Trace {
  readonly #clock: Clock;
  readonly #entries: SipTraceEntry[] = [];
  #characters = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(direction: 'sent' | 'received', peer: SipPeer, datagram: Uint8Array, method: string): void {
    if (this.#entries.length >= MAX_ENTRIES || this.#characters >= MAX_CHARACTERS) return;
    const text = Buffer.from(
      datagram.buffer,
      datagram.byteOffset,
      Math.min(datagram.byteLength, MAX_MESSAGE_CHARACTERS),
    ).toString('utf8');
    this.#characters += text.length;
    this.#entries.push({
      at: this.#clock.now(),
      direction,
      peer: `${hostReference(peer.host)}:${String(peer.port)}`,
      text: maskMessage(text, method),
    });
  }

  entries(): readonly SipTraceEntry[] {
    return [...this.#entries];
  }
}

/** Masks secrets: digest responses, whole bodies of INFO (they contain digits), SRTP keys, and passwords in URIs. */
export function maskMessage(text: string, method: string): string {
  const blank = /\r?\n\r?\n/.exec(text);
  const headEnd = blank ? blank.index : text.length;
  const lines = text.slice(0, headEnd).split('\n');
  let secret = false;
  const head = lines
    .map((line) => {
      // A continuation line belongs to the header before it.
      if (!line.startsWith(' ') && !line.startsWith('\t')) secret = SECRET_HEADER.test(line);
      return maskPassword(secret ? maskResponse(line) : line);
    })
    .join('\n');
  const rest = text.slice(headEnd);
  const body = blank ? rest.slice(blank[0].length) : '';
  return (head + (method === 'INFO' && body !== '' ? `${blank?.[0] ?? ''}[masked]` : rest)).replace(
    SRTP_KEY,
    '$1[masked]',
  );
}

/** `response="…"`, and everything in a scheme other than Digest. */
function maskResponse(line: string): string {
  const colon = line.indexOf(':');
  if (SECRET_HEADER.test(line) && !/^\s*digest\s/i.test(line.slice(colon + 1)))
    return `${line.slice(0, colon)}: [masked]${line.endsWith('\r') ? '\r' : ''}`;
  return line.replace(/\b(response\s{0,8}=\s{0,8})("[^"]*"?|[^\s,]+)/gi, '$1"[masked]"');
}

/** `sip:user:password@host`. */
export function maskPassword(line: string): string {
  return line.replace(/\b(sips?:[^\s:@<>]{1,128}:)[^\s@<>]{1,128}@/gi, '$1[masked]@');
}
