import { seededRandom } from './telephonyLink.ts';
import { listed } from './listed.ts';

/** A hostile peer's address, and how its messages are sent. */
export interface HostileGround {
  readonly host: string;
  readonly port: number;
  readonly mediaPort: number;
  readonly sendSip: (datagram: Uint8Array, to: 'caller' | 'callee') => void;
  readonly sendRtp: (datagram: Uint8Array, toPort: number) => void;
}

const NUMBERS = listed(`
  0 | 1 | -1 | 65535 | 65536 | 70000 | 4294967296 | 99999999999999999999 | 1.5 | 0x10 | NaN |  | ٣ | 2147483648 | 007
`);
const HOSTS = [
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '[::1]',
  '[fe80::1%lo]',
  'fe80::1%eth0',
  'localhost',
  'nobody.invalid',
  '1.2.3',
  '300.1.1.1',
  '',
  '.',
  'a'.repeat(300),
  '[',
  '10.0.0.2:70000',
  '224.0.0.1',
];
const HEADERS = listed(`
  Via Contact Record-Route Route To From CSeq Call-ID Content-Length Require Max-Forwards WWW-Authenticate
  Proxy-Authenticate Reason
`);
const VALUES = [
  '',
  ',',
  ';',
  '<>',
  '<sip:>',
  '"',
  '<sip:a@b',
  'SIP/2.0/UDP',
  'SIP/2.0/UDP 1.2.3.4:70000;branch=z9hG4bKx',
  '<sip:a@10.0.0.9:70000;lr>',
  '<sip:a@10.0.0.9:0>',
  '<sip:a@[fe80::1%lo]>',
  '<sips:a@10.0.0.9>',
  '<tel:+1>',
  '<sip:nobody.invalid;lr>',
  '<sip:a@10.0.0.9;maddr=>',
  '<sip:a@10.0.0.9;maddr=%00;transport=tcp>',
  '9'.repeat(40),
  '1 INVITE',
  '2147483648 BYE',
  'Digest realm="x", nonce="n", algorithm=MD5',
  'Digest',
  'Q.850;cause=-1',
  'x'.repeat(5000),
];
const SDP_LINES = listed(`
  m=audio 70000 RTP/AVP 0 | m=audio 0 RTP/AVP 0 | m=audio 7000 RTP/AVP 0 300 -1 x | m=audio | m= |
  m=video 7000 RTP/AVP 0 | c=IN IP6 fe80::1%lo | c=IN IP4 300.1.1.1 | c=IN IP4 7 | c=IN | c=IN IP4 224.0.0.1/127 |
  a=rtpmap:0 8000/8000 | a=rtpmap:101 0/0 | a=rtpmap:300 telephone-event/8000 | a=sendonly | a=inactive | a=fmtp |
  a=ptime:0 | a= | a=__proto__:1 | v=9 | t=x
`);
const STATUSES = [
  '100 Trying',
  '180 Ringing',
  '183 Session Progress',
  '200 OK',
  '200 OK',
  '200 OK',
  '299 ',
  '301 Moved',
  '401 Unauthorized',
  '407 Proxy',
  '486 Busy',
  '487 Gone',
  '500 No',
  '699 ?',
];

/** A peer that answers, calls and sends media normally except for random mutations; the same seed does the same. */
export class HostilePeer {
  readonly #ground: HostileGround;
  readonly #random: () => number;
  /** Requests of the agents that can be answered, newest last. */
  readonly #asked: string[] = [];
  /** Answers to our calls, newest last. */
  readonly #answered: string[] = [];
  readonly #mediaPorts: number[] = [];
  #next = 0;
  /** The messages sent, for the report of a failed test. */
  readonly last: string[] = [];

  constructor(ground: HostileGround, seed: number) {
    this.#ground = ground;
    this.#random = seededRandom(seed);
  }

  hear(text: string): void {
    const port = Number(/m=audio (\d+)/.exec(text)?.[1]);
    if (port > 0) keep(this.#mediaPorts, port);
    if (!text.startsWith('SIP/')) keep(this.#asked, text);
    else if (/^SIP\/2\.0 2/.test(text) && /CSeq: \d+ INVITE/.test(text)) keep(this.#answered, text);
  }

  /** Sends one message. */
  attack(): void {
    const dice = this.#random();
    if (dice < 0.35 && this.#mediaPorts.length > 0) this.#ground.sendRtp(this.#rtp(), this.#pick(this.#mediaPorts));
    else if (dice < 0.65 && this.#asked.length > 0) this.#send(this.#response(this.#pick(this.#asked)), 'caller');
    else if (dice < 0.8 && this.#answered.length > 0) this.#send(this.#within(this.#pick(this.#answered)), 'callee');
    else this.#send(this.#request(), this.#random() < 0.8 ? 'callee' : 'caller');
  }

  #send(text: string, to: 'caller' | 'callee'): void {
    const datagram = this.#mutated(text);
    keep(this.last, Buffer.from(datagram).toString('latin1'));
    this.#ground.sendSip(datagram, to);
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #sdp(): string {
    const { host, mediaPort } = this.#ground;
    return `v=0\r\no=- 1 ${String(++this.#next)} IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio ${String(mediaPort)} RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=sendrecv\r\n`;
  }

  #withBody(head: string, body: string): string {
    return `${head}${body === '' ? '' : 'Content-Type: application/sdp\r\n'}Content-Length: ${String(body.length)}\r\n\r\n${body}`;
  }

  #contact(): string {
    return `<sip:h@${this.#ground.host}:${String(this.#ground.port)}>`;
  }

  #response(request: string): string {
    const copied = request
      .split('\r\n')
      .filter((line) => /^(?:Via|From|Call-ID|CSeq):/.test(line))
      .join('\r\n');
    const to = /^To: (.*)$/m.exec(request)?.[1]?.trim() ?? '';
    const status = this.#pick(STATUSES);
    const tag = to.includes(';tag=') ? '' : `;tag=h${String(Math.floor(this.#random() * 3))}`;
    const route =
      this.#random() < 0.2 ? `Record-Route: <sip:${this.#ground.host}:${String(this.#ground.port)};lr>\r\n` : '';
    const asks = /^40[17]/.test(status)
      ? `${status.startsWith('401') ? 'WWW' : 'Proxy'}-Authenticate: Digest realm="h", nonce="${String(++this.#next)}", qop="auth"\r\n`
      : '';
    const body = /^(?:18|2)/.test(status) && request.startsWith('INVITE') ? this.#sdp() : '';
    return this.#withBody(
      `SIP/2.0 ${status}\r\n${copied}\r\nTo: ${to}${tag}\r\nContact: ${this.#contact()}\r\n${route}${asks}`,
      body,
    );
  }

  #head(method: string, parts: { from: string; to: string; callId: string; cseq: number; extra?: string }): string {
    const { host, port } = this.#ground;
    return `${method} sip:ivr@10.0.0.2 SIP/2.0\r\nVia: SIP/2.0/UDP ${host}:${String(port)};branch=z9hG4bKh${String(++this.#next)};rport\r\nMax-Forwards: 70\r\nFrom: ${parts.from}\r\nTo: ${parts.to}\r\nCall-ID: ${parts.callId}\r\nCSeq: ${String(parts.cseq)} ${method}\r\nContact: ${this.#contact()}\r\n${parts.extra ?? ''}`;
  }

  #request(): string {
    const method =
      this.#random() < 0.7 ? 'INVITE' : this.#pick(['OPTIONS', 'BYE', 'ACK', 'CANCEL', 'FROB', 'REFER', 'INFO']);
    return this.#withBody(
      this.#head(method, {
        from: `<sip:h@${this.#ground.host}>;tag=h`,
        to: '<sip:ivr@10.0.0.2>',
        callId: `hostile-${String(++this.#next)}`,
        cseq: 1,
      }),
      method === 'INVITE' && this.#random() < 0.9 ? this.#sdp() : '',
    );
  }

  /** Sends a request within an answered call of ours. */
  #within(answer: string): string {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(answer)?.[1]?.trim() ?? '';
    const method =
      this.#random() < 0.4 ? 'ACK' : this.#pick(['INVITE', 'INVITE', 'UPDATE', 'INFO', 'OPTIONS', 'BYE', 'CANCEL']);
    const cseq = method === 'ACK' ? Number.parseInt(field('CSeq'), 10) || 1 : ++this.#next;
    return this.#withBody(
      this.#head(method, { from: field('From'), to: field('To'), callId: field('Call-ID'), cseq }),
      /INVITE|UPDATE/.test(method) && this.#random() < 0.8 ? this.#sdp() : '',
    );
  }

  #mutated(text: string): Uint8Array {
    let changed = text;
    const times = this.#random() < 0.2 ? 0 : 1 + Math.floor(this.#random() * 4);
    for (let i = 0; i < times; i++) changed = this.#mutate(changed);
    // With a correct length, the mutated body reaches its parser.
    const body = changed.indexOf('\r\n\r\n');
    if (body >= 0 && this.#random() < 0.9)
      changed = changed.replace(
        /^Content-Length: .*$/m,
        `Content-Length: ${String(Buffer.byteLength(changed.slice(body + 4)))}`,
      );
    const datagram = Buffer.from(changed);
    if (this.#random() < 0.1)
      for (let i = 0; i < 4; i++)
        datagram[Math.floor(this.#random() * datagram.length)] = Math.floor(this.#random() * 256);
    return this.#random() < 0.03 ? datagram.subarray(0, Math.floor(this.#random() * datagram.length)) : datagram;
  }

  #mutate(text: string): string {
    const lines = text.split('\r\n');
    const at = Math.floor(this.#random() * lines.length),
      line = lines[at] ?? '';
    switch (Math.floor(this.#random() * 9)) {
      case 0:
        lines[at] = this.#replaced(line, /\d+/g, this.#pick(NUMBERS));
        break;
      case 1:
        return this.#replaced(
          text,
          /:\d{2,5}\b|audio \d+/g,
          `${this.#random() < 0.5 ? ':' : 'audio '}${this.#pick(NUMBERS)}`,
        );
      case 2:
        return this.#replaced(text, /\d+\.\d+\.\d+\.\d+/g, this.#pick(HOSTS));
      case 3:
        lines.splice(at, 1);
        break;
      case 4:
        lines.splice(at, 0, line);
        break;
      case 5:
        lines.splice(Math.min(at, 8), 0, `${this.#pick(HEADERS)}: ${this.#pick(VALUES)}`);
        break;
      case 6:
        lines[at] = `${line.slice(0, line.indexOf(':') + 1)} ${this.#pick(VALUES)}`;
        break;
      case 7:
        lines.splice(lines.length - 1, 0, this.#pick(SDP_LINES));
        break;
      default:
        lines[at] = line.slice(0, Math.floor(this.#random() * line.length)) + this.#pick(VALUES);
    }
    return lines.join('\r\n');
  }

  /** Replaces one match. */
  #replaced(text: string, what: RegExp, by: string): string {
    const found = [...text.matchAll(what)];
    if (found.length === 0) return text;
    const {
      index,
      0: { length },
    } = this.#pick(found);
    return text.slice(0, index) + by + text.slice(index + length);
  }

  #rtp(): Uint8Array {
    const isEvent = this.#random() < 0.3;
    const packet = Buffer.alloc(
      12 + (isEvent ? 4 : this.#random() < 0.8 ? 160 : Math.floor(this.#random() * 1500)),
      Math.floor(this.#random() * 256),
    );
    packet.writeUInt8(0x80, 0);
    packet.writeUInt8(isEvent ? 101 : this.#pick([0, 0, 8, 18, 72, 127]), 1);
    packet.writeUInt16BE(++this.#next & 0xffff, 2);
    packet.writeUInt32BE((this.#next * 160) >>> 0, 4);
    packet.writeUInt32BE(7, 8);
    if (isEvent) packet.set([Math.floor(this.#random() * 20), this.#random() < 0.5 ? 0x8a : 0x0a, 3, 0x20], 12);
    for (let change = Math.floor(this.#random() * 3); change > 0; change--)
      packet[Math.floor(this.#random() * 16)] = Math.floor(this.#random() * 256);
    return this.#random() < 0.1 ? packet.subarray(0, Math.floor(this.#random() * packet.length)) : packet;
  }
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > 12) list.shift();
}
