import { isIPv6 } from 'node:net';
import { serverLimits } from '../../contract/limits.ts';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** A network's requests and their times. */
interface NetworkRequests {
  readonly network: string;
  readonly at: Date;
}

/** Returns an IPv4 address, or the /64 of an IPv6 one, because a household can change its address within it at will. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
    : before;
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** Returns the /48 around a /64, because one customer can own all of its networks (RFC 6177). */
export const siteOf = (network: string): string | undefined => /^(?:[^:]+:){3}(?=[^:]+::\/64$)/.exec(network)?.[0];

/**
 * Returns the seconds until another request is allowed, or 0: up to `most` within the time, in total.
 * @param asked oldest first
 */
export function secondsToWait(
  asked: readonly Pick<NetworkRequests, 'at'>[],
  most: number,
  withinMs: number,
  now: Date,
): number {
  const first = asked.filter(({ at }) => at.getTime() > now.getTime() - withinMs).at(-most);
  return first ? Math.max(1, Math.ceil((first.at.getTime() + withinMs - now.getTime()) / 1000)) : 0;
}

/** The same for one network: up to `most` of it, and a few times as many of its site. */
export function secondsForNetwork(
  asked: readonly NetworkRequests[],
  network: string,
  most: number,
  withinMs: number,
  now: Date,
): number {
  const site = siteOf(network);
  const own = asked.filter((one) => one.network === network);
  const around = site === undefined ? [] : asked.filter((one) => siteOf(one.network) === site);
  return Math.max(
    secondsToWait(own, most, withinMs, now),
    secondsToWait(around, most * serverLimits.networksOfSite, withinMs, now),
  );
}
