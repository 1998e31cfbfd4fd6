import { lookup, resolveSrv } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { SipPeer, SipProtocol } from './transport.ts';
import { isPort } from './uri.ts';
import { defaultPortOf } from './via.ts';

const services = { UDP: '_sip._udp', TCP: '_sip._tcp', TLS: '_sips._tcp' } as const;

/**
 * Returns the address of a SIP server (RFC 3263 section 4.2): an IP address as it is, a port means A or AAAA, otherwise
 * SRV first. Rejects with an Error fit for users, or the resolver's.
 */
export async function locateServer(
  protocol: SipProtocol,
  family: 4 | 6,
  host: string,
  port: number | undefined,
): Promise<SipPeer> {
  const fallback = port ?? defaultPortOf(protocol);
  if (isIP(host)) {
    if (isIP(host) !== family)
      throw new Error(`${host} is an IPv${String(isIP(host))} address, but Dialtree uses IPv${String(family)} here`);
    return { host, port: fallback };
  }
  if (port === undefined && host.includes('.')) {
    const records = await resolveSrv(`${services[protocol]}.${host}`).catch(() => []);
    const best = records
      .filter((record) => isPort(record.port))
      .sort((a, b) => a.priority - b.priority || b.weight - a.weight)[0];
    if (best) return { host: await addressOf(best.name, family), port: best.port, name: host };
  }
  return { host: await addressOf(host, family), port: fallback, name: host };
}

async function addressOf(name: string, family: 4 | 6): Promise<string> {
  const { address } = await lookup(name, { family });
  // For an empty name, Node returns neither a result nor an error.
  if (!isIP(address)) throw new Error(`“${name}” has no address`);
  return address;
}
