/** A far end at the transport layer. `host` is an IP address. */
export interface SipPeer { readonly host: string; readonly port: number }

/**
 * What carries SIP messages: UDP here; TCP and TLS fit the same port with `reliable` true.
 * The transaction layer knows no more of the network than this.
 */
export interface SipTransport {
  /** As it stands in Via. */
  readonly protocol: 'UDP' | 'TCP' | 'TLS';
  /** Retransmission timers are off on reliable transports (RFC 3261 section 17). */
  readonly reliable: boolean;
  /** Where it listens. */
  readonly address: SipPeer;
  /** Never throws; failures reach `onFailure` of `listen`. */
  send(message: Uint8Array, peer: SipPeer): void;
  listen(listener: SipTransportListener): void;
  /** The IP address under which `peer` can reach this transport. */
  localHostFor(peer: SipPeer): Promise<string>;
  /** The IP address of a host name, in this transport's family. Rejects when there is none. */
  resolve(host: string, port: number | undefined): Promise<SipPeer>;
  /** True when the peer's host says that nothing listens there; false when it says nothing. */
  refuses(peer: SipPeer): Promise<boolean>;
  close(): Promise<void>;
}

export interface SipTransportListener {
  readonly onMessage: (message: Uint8Array, from: SipPeer) => void;
  /** A message to this peer could not be sent. */
  readonly onFailure: (peer: SipPeer, error: Error) => void;
}
