import { connect, createServer, isIPv6 } from 'node:net';
import type { Server, Socket } from 'node:net';
import * as tls from 'node:tls';
import { MessageFramer } from './messageFramer.ts';
import { locateServer } from './serverLocation.ts';
import type { SipLocal, SipPeer, SipTransport, SipTransportListener } from './transport.ts';
import { ConnectError } from './transport.ts';
import { hostReference } from './uri.ts';

const CONNECT_MS = 5000;
const CLOSE_MS = 1000;
/** So that a network address translator between keeps the way open during a call. */
const KEEP_ALIVE_MS = 30_000;
/** A peer that takes no more than this is gone. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const MOST_CONNECTIONS = 2000;

export interface StreamOptions {
  readonly protocol: 'TCP' | 'TLS';
  /** An IP address of this machine, or the wildcard of its family. */
  readonly host: string;
  /** PEM certificates of authorities that are trusted beside those of this machine. */
  readonly authorities?: readonly string[];
}

/** For taking connections too; over TLS with a certificate, in PEM. */
export interface ListenOptions { readonly port: number; readonly identity?: { readonly key: string; readonly cert: string } }

interface Connection {
  readonly socket: Socket;
  readonly peer: SipPeer;
  /** Settles once messages can be sent. */
  readonly ready: Promise<SipLocal>;
  isReady: boolean;
}

/** SIP over TCP or TLS (RFC 3261 section 18): one connection a peer, made when it is needed and shared by all calls there; what the far side sends comes over it too. */
export class StreamTransport implements SipTransport {
  readonly protocol: 'TCP' | 'TLS';
  readonly reliable = true;
  readonly #options: StreamOptions;
  readonly #connections = new Map<string, Connection>();
  #listener: SipTransportListener | undefined;
  #server: Server | undefined;
  #closed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.protocol = options.protocol;
  }

  listen(listener: SipTransportListener): void { this.#listener = listener; }

  /** Takes connections; resolves with the port. Rejects with the system's error, EADDRINUSE for one. */
  async open({ port, identity }: ListenOptions): Promise<number> {
    const server = identity ? tls.createServer({ ...identity, minVersion: 'TLSv1.2' }) : createServer();
    server.on(identity ? 'secureConnection' : 'connection', (socket: Socket) => { this.#taken(socket); });
    server.maxConnections = MOST_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, this.#options.host, () => { server.off('error', reject); resolve(); });
    });
    this.#server = server;
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  send(message: Uint8Array, peer: SipPeer): void {
    if (this.#closed) return;
    const connection = this.#connectionTo(peer);
    const { socket } = connection;
    const write = (): void => {
      if (socket.writableLength > MOST_WAITING_BYTES) socket.destroy(new Error('the far side takes nothing any more'));
      else if (socket.writable) socket.write(message);
    };
    if (connection.isReady) write();
    // In the order in which they were given. Where there is no connection in the end, its `close` tells.
    else connection.ready.then(write, () => undefined);
  }

  localFor(peer: SipPeer): Promise<SipLocal> {
    return this.#closed ? Promise.reject(new ConnectError('network', 'the agent is closed')) : this.#connectionTo(peer).ready;
  }

  resolve(host: string, port: number | undefined): Promise<SipPeer> { return locateServer(this.protocol, isIPv6(this.#options.host) ? 6 : 4, host, port); }

  /** A connection has been made already, or its refusal was told. */
  refuses(): Promise<boolean> { return Promise.resolve(false); }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const server = this.#server;
    const stopped = server && new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
    const ended = [...this.#connections.values()].map(({ socket, isReady }) => new Promise<void>((resolve) => {
      const timer = setTimeout(() => { socket.destroy(); }, CLOSE_MS);
      socket.once('close', () => { clearTimeout(timer); resolve(); });
      // The answers to the last requests are still to go out, if the far side takes them.
      if (isReady) socket.destroySoon();
      else socket.destroy();
    }));
    await Promise.all([stopped, ...ended]);
  }

  #connectionTo(peer: SipPeer): Connection {
    return this.#connections.get(keyOf(peer)) ?? this.#connect(peer);
  }

  #connect(peer: SipPeer): Connection {
    const { host, authorities } = this.#options;
    const localAddress = host === '0.0.0.0' || host === '::' ? undefined : host;
    const place = { host: peer.host, port: peer.port, ...(localAddress !== undefined && { localAddress }), keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, noDelay: true };
    const socket = this.protocol === 'TCP' ? connect(place)
      : tls.connect({ ...place, minVersion: 'TLSv1.2', ...authoritiesWith(authorities), ...(peer.name !== undefined && { servername: peer.name }) });
    const ready = new Promise<SipLocal>((resolve, reject) => {
      const seconds = `${String(CONNECT_MS / 1000)} s`;
      const timer = setTimeout(() => {
        socket.destroy(socket.connecting ? new ConnectError('timeout', `no connection to ${placeOf(peer)} within ${seconds}`) : new ConnectError('network', `no TLS handshake within ${seconds}`));
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
    // Whoever waits for it is told; nobody need.
    ready.catch(() => undefined);
    const connection = this.#keep({ socket, peer, ready, isReady: false });
    return connection;
  }

  #taken(socket: Socket): void {
    const { remoteAddress: host, remotePort: port } = socket;
    if (host === undefined || port === undefined || this.#closed || this.#connections.size >= MOST_CONNECTIONS) { socket.destroy(); return; }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#keep({ socket, peer: { host, port }, ready: Promise.resolve(this.#localOf(socket)), isReady: true });
  }

  #keep(connection: Connection): Connection {
    const { socket, peer } = connection;
    const key = keyOf(peer);
    const framer = new MessageFramer();
    this.#connections.set(key, connection);
    socket.on('data', (chunk) => {
      try {
        const { messages, pings } = framer.push(chunk);
        if (pings > 0 && socket.writable) socket.write('\r\n'.repeat(pings));
        for (const message of messages) this.#listener?.onMessage(message, peer);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    socket.on('error', () => { /* `close` comes after it, and tells. */ });
    socket.once('close', () => {
      if (this.#connections.get(key) === connection) this.#connections.delete(key);
      if (!this.#closed) this.#listener?.onFailure(peer, socket.errored ?? new Error('the far side closed the connection'));
    });
    return connection;
  }

  #localOf(socket: Socket): SipLocal {
    return { protocol: this.protocol, host: socket.localAddress ?? this.#options.host, port: socket.localPort ?? 0 };
  }
}

/** Those that Node brings and those of this machine, where a laboratory has its own; read once. Older releases of Node know only their own. */
let authoritiesHere: readonly string[] | undefined;
function authoritiesWith(more: readonly string[] = []): { ca?: string[] } {
  const { getCACertificates }: Partial<typeof tls> = tls;
  if (!getCACertificates) return more.length === 0 ? {} : { ca: [...tls.rootCertificates, ...more] };
  authoritiesHere ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return { ca: [...authoritiesHere, ...more] };
}

const keyOf = ({ host, port, name }: SipPeer): string => `${host} ${String(port)} ${name ?? ''}`;
const placeOf = ({ host, port }: SipPeer): string => `${hostReference(host)}:${String(port)}`;

function connectError(cause: Error | null, peer: SipPeer): ConnectError {
  if (cause instanceof ConnectError) return cause;
  const code = cause && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return new ConnectError('refused', `nothing listens at ${placeOf(peer)} (connection refused)`, { cause });
  if (code === 'ETIMEDOUT') return new ConnectError('timeout', `no connection to ${placeOf(peer)}`, { cause });
  if (CERTIFICATE.test(code)) return new ConnectError('network', `the certificate of ${peer.name ?? placeOf(peer)} is not trusted: ${cause?.message ?? code}`, { cause });
  return new ConnectError('network', `no connection to ${placeOf(peer)}: ${cause?.message ?? 'the far side closed it'}`, { cause });
}

/** As OpenSSL and Node name what is wrong with a certificate. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;
