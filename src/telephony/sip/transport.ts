export type SipProtocol = 'UDP' | 'TCP' | 'TLS';

/**
 * A peer at the transport layer. `host` is an IP address; `name` is the domain that its certificate must match (RFC
 * 5922 section 7.3), if it was found by one.
 */
export interface SipPeer {
  readonly host: string;
  readonly port: number;
  readonly name?: string;
}

export const isSamePeer = (one: SipPeer, other: SipPeer): boolean => isSamePlace(one, other) && one.name === other.name;
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
  /** Keeps a connection that the peer opened for as long as a call needs it: until the returned function is called. */
  hold(peer: SipPeer): () => void;
  listen(listener: SipTransportListener): void;
  /**
   * Returns the address at which `peer` can reach this transport. On connection-based transports, a connection is
   * opened first; rejects with a `ConnectError` if that fails.
   */
  localFor(peer: SipPeer): Promise<SipLocal>;
  /** Returns the IP address of a host name, in this transport's family. Rejects if there is none. */
  resolve(host: string, port: number | undefined): Promise<SipPeer>;
  /** Returns true if the peer's host reports that nothing listens there; false if it reports nothing. */
  refuses(peer: SipPeer): Promise<boolean>;
  close(): Promise<void>;
}

export interface SipTransportListener {
  readonly onMessage: (message: Uint8Array, from: SipPeer) => void;
  /** A message to this peer couldn't be sent, or its response can't arrive any more. */
  readonly onFailure: (peer: SipPeer, error: Error) => void;
}

/** Why there is no connection. `message` is fit for users. */
export class ConnectError extends Error {
  readonly failure: 'refused' | 'timeout' | 'network';

  constructor(failure: ConnectError['failure'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
