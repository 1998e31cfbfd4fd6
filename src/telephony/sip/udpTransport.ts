import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { inTime, systemClock } from '../../base/clock.ts';
import type { Place } from '../stun.ts';
import { StunClient } from '../stun.ts';
import type { Family, NameService } from './serverLocation.ts';
import { familyOf, locateServers } from './serverLocation.ts';
import type { SipLocal, SipPeer, SipTransport, SipTransportListener } from './transport.ts';

const SOCKET_BUFFER_BYTES = 4 * 1024 * 1024;
const PROBE_WAIT_MS = 250;
const ROUTE_PORT = 9;
const KEEP_ALIVE = '\r\n\r\n';

interface UdpOptions {
  /** An address of the other family. It is used too, unless this machine lacks it. */
  readonly otherHost?: string | undefined;
  readonly names?: NameService | undefined;
}

/** Binds UDP sockets; rejects with the system's error, such as EADDRINUSE. `host` can be a name. */
export async function openUdpTransport(
  host: string,
  port: number,
  { otherHost, names }: UdpOptions = {},
): Promise<UdpTransport> {
  const first = await bindUdp(isIP(host) ? host : (await lookup(host)).address, port);
  const other =
    otherHost === undefined
      ? undefined
      : await bindUdp(otherHost, first.port).catch(() => bindUdp(otherHost, 0).catch(() => undefined));
  return new UdpTransport(other ? [first, other] : [first], names);
}

interface BoundSocket extends SipPeer {
  readonly socket: Socket;
}

async function bindUdp(address: string, port: number): Promise<BoundSocket> {
  const socket = createUdp(address);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    socket.close();
    throw error;
  });
  // Bursts of a load test wait here during a tick.
  try {
    socket.setRecvBufferSize(SOCKET_BUFFER_BYTES);
  } catch {
    /* The system's default size is acceptable too. */
  }
  return { socket, host: address, port: socket.address().port };
}

function createUdp(address: string): Socket {
  const family = familyOf(address);
  return createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    ipv6Only: family === 6,
    lookup: (to, _options, done) => done(null, to, family),
  });
}

/** Connecting a UDP socket sends nothing; it asks the routing table. Throws for an invalid port. */
async function connectedUdp({ host, port }: SipPeer): Promise<Socket> {
  const socket = createUdp(host);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      // Node passes the error to the callback, although its types don't say so.
      const done = (error?: Error): void => (error ? reject(error) : resolve());
      socket.connect(port, host, done);
    });
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** SIP over UDP, with a socket for each address family; `address` is where the first one listens. */
export class UdpTransport implements SipTransport {
  readonly protocol = 'UDP';
  readonly reliable = false;
  readonly address: SipPeer;
  readonly #sockets: ReadonlyMap<Family, BoundSocket>;
  readonly #names: NameService | undefined;
  readonly #stun = new StunClient(systemClock, (request, server) => this.send(request, server));
  readonly askStun = (server: Place): Promise<Place> => this.#stun.ask(server);
  #listener: SipTransportListener | undefined;
  #open = true;

  constructor(sockets: readonly [BoundSocket, ...BoundSocket[]], names?: NameService) {
    const [{ host, port }] = sockets;
    this.address = { host, port };
    this.#names = names;
    this.#sockets = new Map(sockets.map((one) => [familyOf(one.host), one]));
    for (const { socket } of sockets) {
      socket.on('error', () => {
        /* An ICMP error of an earlier datagram; timers handle it. */
      });
      socket.on('message', (datagram, from) => {
        if (!this.#stun.receive(datagram, from.address, from.port))
          this.#listener?.onMessage(datagram, { host: from.address, port: from.port });
      });
    }
  }

  listen(listener: SipTransportListener): void {
    this.#listener = listener;
  }

  send(message: Uint8Array, peer: SipPeer): void {
    if (!this.#open) return;
    const failed = (error: Error | null): void => {
      if (error && this.#open) this.#listener?.onFailure(peer, error);
    };
    try {
      this.#towards(peer).socket.send(message, peer.port, peer.host, failed);
    } catch (error) {
      // An address that the system doesn't even try. Reported later, like all failures, because the sender isn't
      // finished.
      queueMicrotask(() => failed(error instanceof Error ? error : new Error(String(error))));
    }
  }

  reaches(): boolean {
    return true;
  }

  /** There is no connection. */
  hold(): () => void {
    return () => undefined;
  }

  async localFor(peer: SipPeer): Promise<SipLocal> {
    const { host, port } = this.#towards(peer);
    return {
      protocol: this.protocol,
      host: host === '0.0.0.0' || host === '::' ? await this.#hostTowards(peer) : host,
      port,
    };
  }

  async #hostTowards({ host, port }: SipPeer): Promise<string> {
    const socket = await connectedUdp({ host, port: port || ROUTE_PORT });
    try {
      return socket.address().address;
    } finally {
      socket.close();
    }
  }

  resolve(host: string, port: number | undefined): Promise<readonly SipPeer[]> {
    return locateServers(this.protocol, [...this.#sockets.keys()], host, port, this.#names);
  }

  /** Throws if this machine doesn't have the peer's address family. */
  #towards({ host }: SipPeer): BoundSocket {
    const socket = this.#sockets.get(familyOf(host));
    if (!socket) throw new Error(`Dialtree doesn't use IPv${String(familyOf(host))} here`);
    return socket;
  }

  /**
   * Only a connected socket receives ICMP port unreachable, and the agent's own isn't connected. So a second one sends
   * a keepalive (RFC 5626 section 4.4.1), which a SIP server ignores.
   */
  async refuses(peer: SipPeer): Promise<boolean> {
    const socket = await connectedUdp(peer).catch(() => undefined);
    if (!socket) return false;
    const probed = new Promise<never>((_, reject) => {
      const send = (): Promise<void> =>
        new Promise((sent) => {
          socket.send(KEEP_ALIVE, (error) => (error ? reject(error) : sent()));
        });
      socket.on('error', reject);
      // The second send reports what the first one caused.
      send().then(send).catch(reject);
    });
    try {
      return await inTime(systemClock, PROBE_WAIT_MS, probed, new Error('nothing was reported'));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    } finally {
      socket.close();
    }
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    const closed = [...this.#sockets.values()].map(
      ({ socket }) =>
        new Promise<void>((resolve) => {
          socket.close(() => resolve());
        }),
    );
    await Promise.all(closed);
  }
}
