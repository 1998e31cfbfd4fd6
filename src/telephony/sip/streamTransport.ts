import { X509Certificate } from 'node:crypto';
import { connect, createServer, Socket } from 'node:net';
import type { Server } from 'node:net';
import * as tls from 'node:tls';
import { MessageFramer } from './messageFramer.ts';
import type { NameService } from './serverLocation.ts';
import { familyOf, locateServers } from './serverLocation.ts';
import type {
  ClientIdentity,
  SendOptions,
  SipLocal,
  SipPeer,
  SipTransport,
  SipTransportListener,
} from './transport.ts';
import { Unreachable } from './transport.ts';
import { hostReference } from './uri.ts';
import type { InboundConnection, InboundLimits } from './inboundConnections.ts';
import { InboundConnections } from './inboundConnections.ts';

/** Less than a request waits for its response, so that the cause is reported. */
const CONNECT_MS = 4000;
const CLOSE_MS = 1000;
/** Keeps the mapping of a network address translator open during a call. */
const KEEP_ALIVE_MS = 30_000;
/** A peer that reads no more than this is gone. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const DEAF_MS = 8000;

export interface StreamOptions {
  readonly protocol: 'TCP' | 'TLS';
  /** An IP address of this machine, or the wildcard of its family. */
  readonly host: string;
  /** An address of the other family, from which peers are called too. */
  readonly otherHost?: string | undefined;
  readonly names?: NameService | undefined;
  /** PEM certificates of authorities that are trusted in addition to those of this machine. */
  readonly authorities?: readonly string[];
  /** After a request has had no response for this long (ms), later ones use another connection. Default 8000. */
  readonly deafMs?: number;
  /** Other limits of inbound connections. */
  readonly visitors?: Partial<InboundLimits>;
}

/** For accepting connections; TLS needs a certificate, in PEM. */
interface ListenOptions {
  readonly port: number;
  readonly identity?: { readonly key: string; readonly cert: string };
}

interface Connection {
  readonly socket: Socket;
  readonly peer: SipPeer;
  /** Resolves once messages can be sent. */
  readonly ready: Promise<SipLocal>;
  isReady: boolean;
  /** When the first unanswered request was sent, in milliseconds of `performance.now()`. */
  unansweredSince: number | undefined;
  /** Set for an inbound connection. */
  readonly visitor?: InboundConnection;
}

/**
 * SIP over TCP or TLS (RFC 3261 section 18): one connection per peer, opened on demand and shared by all calls there.
 * The peer's requests also arrive over it.
 */
export class StreamTransport implements SipTransport {
  readonly protocol: 'TCP' | 'TLS';
  readonly reliable = true;
  readonly #options: StreamOptions;
  /** The connections for messages to peers. */
  readonly #connections = new Map<string, Connection>();
  /** All open connections, including those that aren't used for sending any more, and those in a TLS handshake. */
  readonly #sockets = new Set<Socket>();
  readonly #visitors: InboundConnections;
  #listener: SipTransportListener | undefined;
  #server: Server | undefined;
  #port: number | undefined;
  #closed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.protocol = options.protocol;
    this.#visitors = new InboundConnections(options.visitors);
  }

  listen(listener: SipTransportListener): void {
    this.#listener = listener;
  }

  /** Accepts connections; resolves with the port. Rejects with the system's error, such as EADDRINUSE. */
  async open({ port, identity }: ListenOptions): Promise<number> {
    const server = identity
      ? tls.createServer({ ...identity, minVersion: 'TLSv1.2', handshakeTimeout: CONNECT_MS })
      : createServer();
    server.on('connection', (socket: Socket) => this.#hold(socket));
    server.on(identity ? 'secureConnection' : 'connection', (socket: Socket) => this.#taken(socket));
    // For TLS, includes those in a handshake, and one that arrives while another is being closed for it.
    server.maxConnections = 2 * this.#visitors.limits.most;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, this.#options.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#server = server;
    const address = server.address();
    this.#port = typeof address === 'object' && address ? address.port : port;
    return this.#port;
  }

  send(message: Uint8Array, peer: SipPeer, { otherwise = peer, wantsAnswer = false }: SendOptions = {}): void {
    if (this.#closed) return;
    const connection = this.#usable(peer) ?? this.#connectionTo(otherwise);
    const put = (): void => {
      if (wantsAnswer) connection.unansweredSince ??= performance.now();
      this.#write(connection, message);
    };
    if (connection.isReady) put();
    // In the order in which they were passed. If there is no connection in the end, its `close` reports it.
    else connection.ready.then(put, () => undefined);
  }

  reaches(peer: SipPeer): boolean {
    return this.#usable(peer) !== undefined;
  }

  localFor(peer: SipPeer): Promise<SipLocal> {
    if (this.#closed) return Promise.reject(new Unreachable('network', 'the agent is closed'));
    return this.#connectionTo(peer).ready;
  }

  hold(peer: SipPeer): () => void {
    const visitor = this.#usable(peer)?.visitor;
    if (visitor) this.#visitors.hold(visitor, 1);
    return () => {
      if (visitor) this.#visitors.hold(visitor, -1);
    };
  }

  resolve(host: string, port: number | undefined): Promise<readonly SipPeer[]> {
    return locateServers(this.protocol, this.#hosts.map(familyOf), host, port, this.#options.names);
  }

  get #hosts(): readonly string[] {
    const { host, otherHost } = this.#options;
    return otherHost === undefined ? [host] : [host, otherHost];
  }

  /** A connection was already opened, or its refusal was reported. */
  refuses(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const server = this.#server;
    const stopped =
      server &&
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    const ended = [...this.#sockets].map(
      (socket) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(() => {
            socket.destroy();
          }, CLOSE_MS);
          socket.once('close', () => {
            clearTimeout(timer);
            resolve();
          });
          // The responses to the last requests still have to be sent, if the peer accepts them.
          if (socket.writableLength > 0 && !socket.connecting) socket.destroySoon();
          else socket.destroy();
        }),
    );
    await Promise.all([stopped, ...ended]);
  }

  #connectionTo(peer: SipPeer): Connection {
    return this.#usable(peer) ?? this.#connect(peer);
  }

  /** Not a connection that the peer has closed, or that doesn't respond. */
  #usable(peer: SipPeer): Connection | undefined {
    const connection = this.#connections.get(keyOf(peer));
    if (!connection?.isReady) return connection;
    const { socket, unansweredSince } = connection;
    if (!socket.writable) socket.destroy();
    else if (unansweredSince === undefined || performance.now() - unansweredSince < (this.#options.deafMs ?? DEAF_MS))
      return connection;
    // Data that still arrives over it is accepted until it closes.
    this.#connections.delete(keyOf(peer));
    return undefined;
  }

  #connect(peer: SipPeer): Connection {
    const socket = this.#dial(peer);
    const ready = new Promise<SipLocal>((resolve, reject) => {
      const seconds = `${String(CONNECT_MS / 1000)} s`;
      const timer = setTimeout(() => {
        socket.destroy(
          socket.connecting
            ? new Unreachable('timeout', `no connection to ${placeOf(peer)} within ${seconds}`)
            : new Unreachable('network', `no TLS handshake within ${seconds}`),
        );
      }, CONNECT_MS);
      socket.once(this.protocol === 'TCP' ? 'connect' : 'secureConnect', () => {
        clearTimeout(timer);
        connection.isReady = true;
        resolve(this.#localOf(socket));
      });
      socket.once('close', () => {
        clearTimeout(timer);
        reject(connectError(socket.errored, peer));
      });
    });
    // Callers that wait are notified; there needn't be any.
    ready.catch(() => undefined);
    const connection: Connection = { socket, peer, ready, isReady: false, unansweredSince: undefined };
    this.#hold(socket);
    this.#connections.set(keyOf(peer), connection);
    this.#hear(connection);
    return connection;
  }

  /** An impossible connection fails like any other: later, with an error of its socket. */
  #dial(peer: SipPeer): Socket {
    const host = this.#hosts.find((one) => familyOf(one) === familyOf(peer.host));
    const localAddress = host === '0.0.0.0' || host === '::' ? undefined : (host ?? this.#options.host);
    const place = {
      host: peer.host,
      port: peer.port,
      ...(localAddress !== undefined && { localAddress }),
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      noDelay: true,
    };
    try {
      if (this.protocol === 'TCP') return connect(place);
      return tls.connect({
        ...place,
        secureContext: contextWith(this.#options.authorities, peer.identity),
        rejectUnauthorized: true,
        ...(peer.name !== undefined && { servername: peer.name }),
      });
    } catch (error) {
      return new Socket().destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #taken(socket: Socket): void {
    const { remoteAddress: host, remotePort: port } = socket;
    if (host === undefined || port === undefined || this.#closed) {
      socket.destroy();
      return;
    }
    const visitor = this.#visitors.admit(socket);
    if (!visitor) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const connection: Connection = {
      socket,
      peer: { host, port },
      ready: Promise.resolve(this.#localOf(socket)),
      isReady: true,
      unansweredSince: undefined,
      visitor,
    };
    this.#hold(socket);
    // A peer can call from the very port on which it is called; existing traffic to it stays on its connection.
    if (!this.#usable(connection.peer)) this.#connections.set(keyOf(connection.peer), connection);
    this.#hear(connection);
  }

  /** For TLS, both the socket and the one below it; for TCP, these are the same. */
  #hold(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.on('error', () => {
      /* `close` follows and reports it. */
    });
    socket.once('close', () => {
      this.#sockets.delete(socket);
    });
  }

  #hear(connection: Connection): void {
    const { socket, peer, visitor } = connection;
    const key = keyOf(peer);
    const framer = new MessageFramer();
    socket.on('data', (chunk) => {
      if (this.#closed) return;
      connection.unansweredSince = undefined;
      const { messages, asksForLife, broken } = framer.push(chunk);
      visitor?.heard(asksForLife || messages.length > 0, framer.unread);
      if (asksForLife) this.#write(connection, PONG);
      for (const message of messages) this.#listener?.onMessage(message, peer);
      if (broken !== undefined) socket.destroy(new Error(`the called side sent ${broken}`));
    });
    // Data that the peer doesn't accept any more isn't waited for.
    socket.once('end', () => {
      setTimeout(() => {
        socket.destroy();
      }, CLOSE_MS).unref();
    });
    socket.once('close', () => {
      const current = this.#connections.get(key);
      if (current === connection) this.#connections.delete(key);
      if (!this.#closed && (current === undefined || current === connection))
        this.#listener?.onFailure(peer, socket.errored ?? new Error('the called side closed the connection'));
    });
  }

  #write({ socket, visitor }: Connection, message: Uint8Array): void {
    const most = visitor ? this.#visitors.limits.waitingBytes : MOST_WAITING_BYTES;
    if (socket.writableLength > most) socket.destroy(new Error('the called side no longer accepts data'));
    else if (socket.writable) socket.write(message);
  }

  #localOf(socket: Socket): SipLocal {
    return {
      protocol: this.protocol,
      host: socket.localAddress ?? this.#options.host,
      port: this.#port ?? socket.localPort ?? 0,
    };
  }
}

const PONG = Buffer.from('\r\n');

/**
 * Uses Node's authorities and those of this machine, where a laboratory has its own. Reading them is slow, so it is
 * done once. Older releases of Node know only their own.
 */
let contextHere: tls.SecureContext | undefined;
function contextWith(more: readonly string[] | undefined, identity?: ClientIdentity): tls.SecureContext {
  if (!more && !identity && contextHere) return contextHere;
  const { getCACertificates }: Partial<typeof tls> = tls;
  const here = getCACertificates && [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  const ca = here || more ? [...(here ?? tls.rootCertificates), ...(more ?? [])] : undefined;
  const context = tls.createSecureContext({ minVersion: 'TLSv1.2', ...(ca && { ca }), ...identity });
  const { validTo } = identity ? new X509Certificate(identity.cert) : {};
  if (validTo !== undefined && Date.parse(validTo) < Date.now())
    throw new Unreachable('network', `the client certificate expired on ${validTo}`);
  if (!more && !identity) contextHere = context;
  return context;
}

const keyOf = ({ host, port, name = '', identity }: SipPeer): string =>
  `${host} ${String(port)} ${name} ${identity?.cert ?? ''}`;
const placeOf = ({ host, port }: SipPeer): string => `${hostReference(host)}:${String(port)}`;

function connectError(cause: Error | null, peer: SipPeer): Unreachable {
  if (cause instanceof Unreachable) return cause;
  const code = cause && 'code' in cause ? String(cause.code) : '';
  const place = placeOf(peer);
  const because = (why: string, failure: Unreachable['failure'] = 'network'): Unreachable =>
    new Unreachable(failure, why, { cause });
  if (code === 'ECONNREFUSED') return because(`nothing listens at ${place} (connection refused)`, 'refused');
  if (code === 'ETIMEDOUT') return because(`no connection to ${place}`, 'timeout');
  if (/CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/.test(code)) {
    const why = peer.identity
      ? "it doesn't accept the client certificate"
      : 'it may ask for a client certificate, which this line has none of';
    return because(`${place} refuses the TLS handshake: ${why}`);
  }
  if (CERTIFICATE.test(code))
    return because(`the certificate of ${peer.name ?? place} isn't trusted: ${cause?.message ?? code}`);
  if (code.startsWith('ERR_SSL')) return because(`the TLS handshake with ${place} failed (${code})`);
  return because(`no connection to ${place}: ${cause?.message ?? 'the called side closed it'}`);
}

/** Certificate errors of OpenSSL and Node. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;
