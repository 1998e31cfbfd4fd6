import { randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { isLoopback } from '../base/loopback.ts';
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
const MAPPED_ADDRESS = 0x0001;
const XOR_MAPPED_ADDRESS = 0x0020;
/** Larger datagrams aren't read. */
const MOST_BYTES = 1500;
/** When a request is repeated, and when it is given up, in ms after the first: sooner than in RFC 8489, as a call waits. */
const REPEATS_MS = [250, 750] as const;
const GIVE_UP_MS = 1500;

const never = new BlockList();
never.addSubnet('0.0.0.0', 8);
never.addSubnet('224.0.0.0', 3);
never.addAddress('::', 'ipv6');
never.addSubnet('ff00::', 8, 'ipv6');
const local = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  local.addSubnet(net, prefix);
local.addSubnet('fc00::', 7, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');

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
    const name = `the STUN server ${hostReference(server.host)}:${String(server.port)}`;
    return new Promise<Place>((resolve, reject) => {
      const timers = [
        ...REPEATS_MS.map((ms) => this.#clock.setTimeout(() => this.#send(request, server), ms)),
        this.#clock.setTimeout(() => over(() => reject(new Error(`${name} didn't respond`))), GIVE_UP_MS),
      ];
      const over = (settle: () => void): void => {
        for (const timer of timers) this.#clock.clearTimeout(timer);
        this.#asked.delete(id.toString('hex'));
        settle();
      };
      this.#asked.set(id.toString('hex'), {
        server,
        answered: (response) => {
          const place = readMappedAddress(response);
          over(() => {
            if (place && isCredible(place, server)) resolve(place);
            else if (place)
              reject(
                new Error(`${name} reports ${hostReference(place.host)}:${String(place.port)}, which can't be right`),
              );
            else reject(new Error(`${name} reports no address`));
          });
        },
      });
      this.#send(request, server);
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
 * Returns the address in a successful binding response, XOR-MAPPED-ADDRESS first (RFC 8489 section 14.2); undefined if
 * there is none, or the response is malformed. Other attributes are skipped.
 */
export function readMappedAddress(response: Uint8Array): Place | undefined {
  const view = viewOf(response);
  if (!isStun(response) || response.length > MOST_BYTES || view.getUint16(0) !== BINDING_SUCCESS) return undefined;
  if (view.getUint16(2) !== response.length - HEADER_BYTES || response.length % 4 !== 0) return undefined;
  let mapped: Place | undefined, plain: Place | undefined;
  for (let at = HEADER_BYTES; at < response.length;) {
    const type = view.getUint16(at),
      bytes = view.getUint16(at + 2);
    const value = response.subarray(at + 4, at + 4 + bytes);
    if (value.length !== bytes) return undefined;
    if (type === XOR_MAPPED_ADDRESS) mapped ??= readAddress(value, response.subarray(4, HEADER_BYTES));
    else if (type === MAPPED_ADDRESS) plain ??= readAddress(value, new Uint8Array(16));
    at += 4 + Math.ceil(bytes / 4) * 4;
  }
  return mapped ?? plain;
}

/** `mask`: the cookie and the transaction id for an XOR'd address, otherwise zeros. */
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
function isCredible({ host, port }: Place, server: Place): boolean {
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  return (
    isPort(port) &&
    isIP(host) === isIP(server.host) &&
    !never.check(host, family) &&
    reachOf(host) >= reachOf(server.host)
  );
}

/** Returns more for an address that has a meaning in a larger network: this machine, a private network, the internet. */
export const reachOf = (host: string): number =>
  isLoopback(host) ? 0 : local.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4') ? 1 : 2;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
