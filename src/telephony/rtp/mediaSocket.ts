import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { systemClock } from '../../base/clock.ts';
import type { Place } from '../stun.ts';
import { StunClient } from '../stun.ts';

export interface MediaSocket {
  readonly port: number;
  /** How a STUN server sees this socket, if it was asked and answered. */
  readonly publicPlace?: Place | undefined;
  /** Never throws; a datagram that can't be sent is lost, as on any network. `host` is an IP address. */
  send(datagram: Uint8Array, host: string, port: number): void;
  close(): void;
}

/** Where a media socket leads. `peerHost` is an IP address of the family that is used. */
export interface MediaWay {
  readonly peerHost: string;
  readonly stunServer?: Place | undefined;
}

export type OpenMediaSocket = (
  onDatagram: (datagram: Uint8Array, host: string, port: number) => void,
  way?: MediaWay,
) => Promise<MediaSocket>;

const RECEIVE_BUFFER_BYTES = 256 * 1024;

/** Opens UDP sockets on free ports of `host`, or of `otherHost` for a peer of its family; both are IP addresses. */
export function udpMedia(host: string, otherHost?: string): OpenMediaSocket {
  return async (onDatagram, { peerHost = host, stunServer }: Partial<MediaWay> = {}) => {
    const isOther = otherHost !== undefined && isIPv6(peerHost) !== isIPv6(host);
    const stun = new StunClient(systemClock, (request, server) => socket.send(request, server.host, server.port));
    const socket = await openSocket(isOther ? otherHost : host, (datagram, from, port) => {
      if (!stun.receive(datagram, from, port)) onDatagram(datagram, from, port);
    });
    // Without an answer, the port is taken as it is.
    return { ...socket, publicPlace: stunServer && (await stun.ask(stunServer).catch(() => undefined)) };
  };
}

function openSocket(host: string, onDatagram: Parameters<OpenMediaSocket>[0]): Promise<MediaSocket> {
  return new Promise((resolve, reject) => {
    const family = isIPv6(host) ? 6 : 4;
    const socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      // Only addresses: otherwise, each packet goes through the resolver's queue, which is half the cost of a send.
      lookup: (address, _options, done) => done(null, address, family),
    });
    let open = true;
    socket.once('error', reject);
    socket.bind(0, host, () => {
      socket.off('error', reject);
      socket.on('error', () => {
        /* An ICMP error or a full buffer: the packet is lost. */
      });
      try {
        socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
      } catch {
        /* The system's default size is acceptable too. */
      }
      socket.on('message', (datagram, from) => onDatagram(datagram, from.address, from.port));
      resolve({
        port: socket.address().port,
        send: (datagram, to, port) => {
          if (!open) return;
          try {
            socket.send(datagram, port, to, () => {
              /* The jitter buffer handles loss. */
            });
          } catch {
            /* An address that the system doesn't even try: also lost. */
          }
        },
        close: () => {
          if (open) {
            open = false;
            socket.close();
          }
        },
      });
    });
  });
}
