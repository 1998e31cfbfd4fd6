export type SipProtocol = 'UDP' | 'TCP' | 'TLS';

/**
 * A far end at the transport layer. `host` is an IP address; `name` the domain that its certificate must stand for (RFC
 * 5922 section 7.3), where it was found by one.
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

/** Where a peer reaches us: what stands in Via and Contact. */
export interface SipLocal {
  readonly protocol: SipProtocol;
  readonly host: string;
  readonly port: number;
}

export interface SendOptions {
  /** The peer is to say something to it: a request, but for ACK. */
  readonly wantsAnswer?: boolean;
  /** Where to connect to when the connection to the peer is gone. */
  readonly otherwise?: SipPeer | undefined;
}

/** What carries SIP messages. The transaction layer knows no more of the network than this. */
export interface SipTransport {
  /** As it stands in Via. */
  readonly protocol: SipProtocol;
  /** Retransmission timers are off on reliable transports (RFC 3261 section 17). */
  readonly reliable: boolean;
  /** Never throws; failures reach `onFailure` of `listen`. */
  send(message: Uint8Array, peer: SipPeer, how?: SendOptions): void;
  /** Whether a message can be sent to the peer without connecting to it. */
  reaches(peer: SipPeer): boolean;
  /** Keeps a connection that the peer made as long as a call needs it: until what it returns is called. */
  hold(peer: SipPeer): () => void;
  listen(listener: SipTransportListener): void;
  /**
   * The address under which `peer` can reach this transport. Where there are connections one is made first: rejects
   * with a `ConnectError` where there is none to be had.
   */
  localFor(peer: SipPeer): Promise<SipLocal>;
  /** The IP address of a host name, in this transport's family. Rejects when there is none. */
  resolve(host: string, port: number | undefined): Promise<SipPeer>;
  /** True when the peer's host says that nothing listens there; false when it says nothing. */
  refuses(peer: SipPeer): Promise<boolean>;
  close(): Promise<void>;
}

export interface SipTransportListener {
  readonly onMessage: (message: Uint8Array, from: SipPeer) => void;
  /** A message to this peer could not be sent, or its answer can no longer come. */
  readonly onFailure: (peer: SipPeer, error: Error) => void;
}

/** Why there is no connection; `message` is fit for a user. */
export class ConnectError extends Error {
  readonly failure: 'refused' | 'timeout' | 'network';

  constructor(failure: ConnectError['failure'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
