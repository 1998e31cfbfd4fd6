import { isIPv6 } from 'node:net';
import { serverLimits } from '../../contract/limits.ts';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** What a network asked for, and when. */
interface Asked {
  readonly network: string;
  readonly at: Date;
}

/** An IPv4 address, or the /64 of an IPv6 one: within it a household changes its address at will. */
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

/** The /48 around a /64: a customer of a provider may have all of its networks (RFC 6177). */
export const siteOf = (network: string): string | undefined => /^(?:[^:]+:){3}(?=[^:]+::\/64$)/.exec(network)?.[0];

/**
 * Seconds until one more may be asked for, 0 if it may be now: `most` within the time, of all.
 * @param asked oldest first
 */
export function secondsToWait(asked: readonly Pick<Asked, 'at'>[], most: number, withinMs: number, now: Date): number {
  const first = asked.filter(({ at }) => at.getTime() > now.getTime() - withinMs).at(-most);
  return first ? Math.max(1, Math.ceil((first.at.getTime() + withinMs - now.getTime()) / 1000)) : 0;
}

/** The same for one network: `most` of it, and a few times as many of its site. */
export function secondsForNetwork(
  asked: readonly Asked[],
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
