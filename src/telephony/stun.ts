import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { isLoopback } from '../base/loopback.ts';
import { T1, T2, Timers } from './sip/timers.ts';
import { hostReference, isPort } from './sip/uri.ts';

/** An IP address and a port. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

const HEADER_BYTES = 20;
const MAGIC_COOKIE = 0x2112a442;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const XOR_MAPPED_ADDRESS = 0x0020;
/** Sooner than in RFC 8489, as a call waits: after three requests. */
const GIVE_UP_MS = 4 * T1;
/** Addresses that lead to no one machine. */
const NOT_UNICAST = /^(?:0|22[4-9]|2[3-5]\d)\.|^::$|^ff/i;
/** Addresses that mean something only in their own network (RFC 1918, 6598, 3927, 4193, 4291). */
const LOCAL =
  /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254)\.|^f(?:[cd]|e[89ab])..:/i;

/** Returns true if the datagram is a STUN message, and not SIP or RTP (RFC 8489 section 5, RFC 7983). */
export function isStun(datagram: Uint8Array): boolean {
  return (
    datagram.length >= HEADER_BYTES &&
    ((datagram[0] ?? 0) & 0xc0) === 0 &&
    viewOf(datagram).getUint32(4) === MAGIC_COOKIE
  );
}

/** Asks STUN servers (RFC 8489) how they see one UDP socket, which carries other traffic too. */
export class StunClient {
  readonly #clock: Clock;
  readonly #send: (request: Uint8Array, server: Place) => void;
  /** By transaction id. */
  readonly #asked = new Map<string, { readonly server: Place; readonly answered: (response: Uint8Array) => void }>();

  constructor(clock: Clock, send: (request: Uint8Array, server: Place) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Returns the address that the server sees. Rejects with an Error fit for users: no answer in time, or no usable one. */
  ask(server: Place): Promise<Place> {
    const id = randomBytes(12);
    const request = bindingRequest(id);
    const timers = new Timers(this.#clock);
    return new Promise<Place>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`the STUN server ${placeText(server)} ${why}`));
      this.#asked.set(id.toString('hex'), {
        server,
        answered: (response) => {
          const place = readMappedAddress(response);
          if (!place) fail('reports no address');
          else if (isCredible(place, server)) resolve(place);
          else fail(`reports ${placeText(place)}, which can't be right`);
        },
      });
      timers.retransmit('request', T2, () => this.#send(request, server));
      timers.start('limit', GIVE_UP_MS, () => fail("didn't respond"));
      this.#send(request, server);
    }).finally(() => {
      timers.stopAll();
      this.#asked.delete(id.toString('hex'));
    });
  }

  /** Takes a datagram of the socket; returns false if it isn't STUN. What doesn't answer a request is dropped. */
  receive(datagram: Uint8Array, host: string, port: number): boolean {
    if (!isStun(datagram)) return false;
    const asked = this.#asked.get(Buffer.from(datagram.subarray(8, HEADER_BYTES)).toString('hex'));
    if (asked?.server.host === host && asked.server.port === port) asked.answered(datagram);
    return true;
  }
}

function bindingRequest(id: Uint8Array): Uint8Array {
  const request = new Uint8Array(HEADER_BYTES);
  viewOf(request).setUint16(0, BINDING_REQUEST);
  viewOf(request).setUint32(4, MAGIC_COOKIE);
  request.set(id, 8);
  return request;
}

/**
 * Returns the XOR-MAPPED-ADDRESS of a successful binding response (RFC 8489 section 14.2); undefined if there is none, or
 * the response is malformed. Other attributes are skipped.
 */
export function readMappedAddress(response: Uint8Array): Place | undefined {
  const view = viewOf(response);
  if (!isStun(response) || view.getUint16(0) !== BINDING_SUCCESS) return undefined;
  if (view.getUint16(2) !== response.length - HEADER_BYTES) return undefined;
  for (let at = HEADER_BYTES; at + 4 <= response.length;) {
    const bytes = view.getUint16(at + 2);
    if (view.getUint16(at) === XOR_MAPPED_ADDRESS)
      return readAddress(response.subarray(at + 4, at + 4 + bytes), response.subarray(4, HEADER_BYTES));
    at += 4 + Math.ceil(bytes / 4) * 4;
  }
  return undefined;
}

/** `mask`: the cookie and the transaction id. */
function readAddress(value: Uint8Array, mask: Uint8Array): Place | undefined {
  const family = value[1];
  if (value.length !== (family === 1 ? 8 : 20) || (family !== 1 && family !== 2)) return undefined;
  const bytes = value.subarray(4).map((byte, i) => byte ^ (mask[i] ?? 0));
  const port = viewOf(value).getUint16(2) ^ viewOf(mask).getUint16(0);
  if (family === 1) return { host: bytes.join('.'), port };
  const groups = Array.from({ length: 8 }, (_, i) =>
    viewOf(bytes)
      .getUint16(2 * i)
      .toString(16),
  );
  return { host: new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1), port };
}

/** A server on the internet can't see a private address; one on the same network can. */
const isCredible = ({ host, port }: Place, server: Place): boolean =>
  isPort(port) && isIP(host) === isIP(server.host) && !NOT_UNICAST.test(host) && reachOf(host) >= reachOf(server.host);
/** Returns more for an address that has a meaning in a larger network: this machine, a private network, the internet. */
export const reachOf = (host: string): number => (isLoopback(host) ? 0 : LOCAL.test(host) ? 1 : 2);

const placeText = ({ host, port }: Place): string => `${hostReference(host)}:${String(port)}`;
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
