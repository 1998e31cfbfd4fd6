import { BlockList, isIP } from 'node:net';

/**
 * Parses the address at which a proxy with TLS offers the service: `https://` and a host, a port other than 443, and no
 * path. Returns undefined if the text isn't such an address.
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

/** Loopback and private networks, where a proxy runs (RFC 1918, RFC 4193, link-local). */
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

/** The request has a header of a proxy. */
export const isForwarded = (headers: Headers): boolean =>
  ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some((name) => headers.has(name));

/**
 * Returns the client's network address: the peer, or the address that the proxy names. Only a proxy for a public
 * address is trusted, and only the last hop, which it wrote itself, because the client can put others before it.
 */
export function clientAddress(headers: Headers, peer: string, publicUrl: URL | undefined): string {
  if (!publicUrl || !isNear(peer)) return peer;
  const hop = (headers.get('x-forwarded-for') ?? '').split(',').at(-1)?.trim() ?? '';
  const address = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(address) === 0 ? peer : address;
}
