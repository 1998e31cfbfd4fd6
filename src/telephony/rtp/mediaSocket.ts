import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export interface MediaSocket {
  readonly port: number;
  /** Never throws; a datagram that can't be sent is lost, as on any network. `host` is an IP address. */
  send(datagram: Uint8Array, host: string, port: number): void;
  close(): void;
}

export type OpenMediaSocket = (
  onDatagram: (datagram: Uint8Array, host: string, port: number) => void,
) => Promise<MediaSocket>;

const RECEIVE_BUFFER_BYTES = 256 * 1024;

/** Opens UDP sockets on free ports of `host`, an IP address. */
export function udpMedia(host: string): OpenMediaSocket {
  return (onDatagram) =>
    new Promise((resolve, reject) => {
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
