import type { CallerAccount, PingAnswer } from '../call.ts';
import type { Place } from '../stun.ts';

export type SipProtocol = 'UDP' | 'TCP' | 'TLS';

/**
 * A peer at the transport layer. `host` is an IP address; `name` is the domain that its certificate must match (RFC
 * 5922 section 7.3), if it was found by one.
 */
export interface SipPeer {
  readonly host: string;
  readonly port: number;
  readonly name?: string;
  /** Shown to this peer over TLS. Connections with other identities aren't shared. */
  readonly identity?: ClientIdentity;
}

/** A client certificate and its key, PEM. */
export type ClientIdentity = NonNullable<CallerAccount['clientCertificate']>;

export const isSamePeer = (one: SipPeer, other: SipPeer): boolean =>
  isSamePlace(one, other) && one.name === other.name && one.identity?.cert === other.identity?.cert;
/** Whatever name it was found by. */
export const isSamePlace = (one: SipPeer, other: SipPeer): boolean =>
  one.host === other.host && one.port === other.port;

/** Where a peer reaches this side: the address in Via and Contact. */
export interface SipLocal {
  readonly protocol: SipProtocol;
  readonly host: string;
  readonly port: number;
  /** A registered Contact, if it is called instead; the registrar may know this side by another address. */
  readonly contact?: string | undefined;
}

export interface SendOptions {
  /** A response is expected: a request other than ACK. */
  readonly wantsAnswer?: boolean;
  /** Where to connect if the connection to the peer is lost. */
  readonly otherwise?: SipPeer | undefined;
}

/** Carries SIP messages. This is all the transaction layer knows of the network. */
export interface SipTransport {
  /** As in Via. */
  readonly protocol: SipProtocol;
  /** Retransmission timers are off on reliable transports (RFC 3261 section 17). */
  readonly reliable: boolean;
  /** Never throws; failures reach `onFailure` of `listen`. */
  send(message: Uint8Array, peer: SipPeer, how?: SendOptions): void;
  /** Returns true if a message can be sent to the peer without a new connection. */
  reaches(peer: SipPeer): boolean;
  /** Keeps a connection that the peer opened until the returned function is called. */
  hold(peer: SipPeer): () => void;
  listen(listener: SipTransportListener): void;
  /**
   * Returns the address at which `peer` can reach this transport. On connection-based transports, a connection is
   * opened first; rejects with `Unreachable` if that fails.
   */
  localFor(peer: SipPeer): Promise<SipLocal>;
  /** Returns the IP addresses of a host name's servers, in the order in which they are tried. Rejects if there are none. */
  resolve(host: string, port: number | undefined): Promise<readonly SipPeer[]>;
  /** Asks a STUN server how it sees the socket of this transport. Rejects with an Error fit for users. */
  readonly askStun?: (server: Place) => Promise<Place>;
  /** Returns true if the peer's host reports that nothing listens there; false if it reports nothing. */
  refuses(peer: SipPeer): Promise<boolean>;
  close(): Promise<void>;
}

export interface SipTransportListener {
  readonly onMessage: (message: Uint8Array, from: SipPeer) => void;
  /** A message to this peer couldn't be sent, or its response can't arrive any more. */
  readonly onFailure: (peer: SipPeer, error: Error) => void;
}

/** For a name without an address, or whose name server doesn't respond. */
const LOOKUP_ERRORS = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED'];

/** Why there is no connection, or no response. `message` is part of a sentence. */
export class Unreachable extends Error {
  readonly failure: NonNullable<PingAnswer['failure']>;

  constructor(failure: Unreachable['failure'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }

  static by(error: unknown): Unreachable {
    if (error instanceof Unreachable) return error;
    const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
    if (LOOKUP_ERRORS.includes(code)) return new Unreachable('unknownHost', message);
    return new Unreachable(/^E[A-Z]+$/.test(code) ? 'network' : 'unusable', message);
  }
}

export const noResponse = (): Unreachable => new Unreachable('timeout', 'no response');
