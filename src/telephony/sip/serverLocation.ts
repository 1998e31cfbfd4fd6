import type { SrvRecord } from 'node:dns';
import { lookup, resolveSrv } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { SipPeer, SipProtocol } from './transport.ts';
import { isPort } from './uri.ts';
import { defaultPortOf } from './via.ts';

/** The name service, and the chance that chooses among servers of equal priority. Rejects with the resolver's errors. */
export interface NameService {
  readonly srv: (name: string) => Promise<readonly SrvRecord[]>;
  /** IP addresses in the order in which they are tried. */
  readonly addresses: (name: string) => Promise<readonly string[]>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

export const systemNames: NameService = {
  srv: (name) => resolveSrv(name),
  addresses: async (name) =>
    (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address).filter((text) => isIP(text)),
  random: Math.random,
};

export type Family = 4 | 6;
export const familyOf = (address: string): Family => (isIP(address) === 6 ? 6 : 4);

const services = { UDP: '_sip._udp', TCP: '_sip._tcp', TLS: '_sips._tcp' } as const;
/** A request tries no more servers. */
const MOST_SERVERS = 5;

/**
 * Returns the addresses of a SIP server, in the order in which they are tried (RFC 3263 section 4.2): an IP address as
 * it is, a port means A and AAAA, otherwise SRV first. Rejects with an Error fit for users, or the resolver's.
 */
export async function locateServers(
  protocol: SipProtocol,
  families: readonly Family[],
  host: string,
  port: number | undefined,
  names = systemNames,
): Promise<readonly SipPeer[]> {
  const fallback = port ?? defaultPortOf(protocol);
  if (isIP(host)) {
    if (!families.includes(familyOf(host)))
      throw new Error(
        `${host} is an IPv${String(isIP(host))} address, but Dialtree uses IPv${families.join(' and ')} here`,
      );
    return [{ host, port: fallback }];
  }
  const records =
    port === undefined && host.includes('.') ? await names.srv(`${services[protocol]}.${host}`).catch(() => []) : [];
  const servers = records.length === 0 ? [{ name: host, port: fallback }] : serversOf(records, host, protocol, names);
  const peers: SipPeer[] = [];
  let failure: unknown;
  for (const server of servers.slice(0, MOST_SERVERS)) {
    const found = await addressesOf(server.name, families, names).catch((error: unknown) => {
      failure ??= error;
      return [];
    });
    peers.push(...found.map((address) => ({ host: address, port: server.port, name: host })));
    if (peers.length >= MOST_SERVERS) break;
  }
  if (peers.length === 0) throw failure;
  return peers.slice(0, MOST_SERVERS);
}

function serversOf(
  records: readonly SrvRecord[],
  host: string,
  protocol: SipProtocol,
  { random }: NameService,
): readonly SrvRecord[] {
  // RFC 2782: a single dot means that the domain doesn't offer the service.
  const usable = records.filter(({ name, port }) => name !== '' && name !== '.' && isPort(port));
  if (usable.length === 0) throw new Error(`${host} doesn't offer SIP over ${protocol}, as its SRV record says`);
  return inOrder(usable, random);
}

/** Orders by priority, and by weighted chance within a priority (RFC 2782). */
function inOrder(records: readonly SrvRecord[], random: () => number): readonly SrvRecord[] {
  const left = records.toSorted((a, b) => a.priority - b.priority || a.weight - b.weight);
  const ordered: SrvRecord[] = [];
  for (let [first] = left; first; [first] = left) {
    const { priority } = first;
    const same = left.filter((record) => record.priority === priority);
    let rest = Math.floor(random() * (same.reduce((sum, { weight }) => sum + weight, 0) + 1));
    const chosen = same.find(({ weight }) => (rest -= weight) <= 0) ?? first;
    left.splice(left.indexOf(chosen), 1);
    ordered.push(chosen);
  }
  return ordered;
}

async function addressesOf(name: string, families: readonly Family[], names: NameService): Promise<readonly string[]> {
  const found = await names.addresses(name);
  const usable = found.filter((address) => families.includes(familyOf(address)));
  // For an empty name, Node returns neither a result nor an error.
  if (usable.length === 0)
    throw new Error(
      found.length === 0 ? `“${name}” has no address` : `“${name}” has no IPv${families.join(' or IPv')} address`,
    );
  return usable;
}
