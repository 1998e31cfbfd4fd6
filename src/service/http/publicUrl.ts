import { BlockList, isIP } from 'node:net';

/**
 * Where a proxy with TLS offers the service: `https://` and a host, a port where it is another than 443, and no path.
 * Undefined where the text is no such address.
 */
export function readPublicUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare =
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    !/[?#]/.test(text);
  return bare ? url : undefined;
}

/** Loopback and private networks, where a proxy stands (RFC 1918, RFC 4193, link-local). */
const near = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  near.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  near.addSubnet(network, bits, 'ipv6');

export function isNear(address: string): boolean {
  const bare = address.split('%')[0] ?? '';
  const version = isIP(bare);
  return version !== 0 && near.check(bare, version === 6 ? 'ipv6' : 'ipv4');
}

/** A header of a proxy stands on the request. */
export const isForwarded = (headers: Headers): boolean =>
  ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some((name) => headers.has(name));

/**
 * Who asks, by network address: the peer, or whom the proxy names. Only a proxy in front of a public address is
 * believed, and of what it sends only the last hop, which it wrote itself: whoever asks can put any others before it.
 */
export function clientAddress(headers: Headers, peer: string, publicUrl: URL | undefined): string {
  if (!publicUrl || !isNear(peer)) return peer;
  const hop = (headers.get('x-forwarded-for') ?? '').split(',').at(-1)?.trim() ?? '';
  const address = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(address) === 0 ? peer : address;
}
