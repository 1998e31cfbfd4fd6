import type { Failover } from './failover.ts';
import { applyRouteSet, type Routed } from './routeSet.ts';
import type { Hop, Way } from './targetLookups.ts';
import { parseNameAddress, parseUri } from './uri.ts';
import type { UserAgent } from './userAgent.ts';

/** What the registration of a line adds to its requests. */
export interface RegisteredLine {
  /** The values of Service-Route (RFC 3608). */
  readonly serviceRoute: readonly string[];
  /** Returns the hop with the registered Contact. */
  at(hop: Hop): Hop;
}

/** How requests of a line leave. */
export interface Leaving {
  readonly way: Way;
  readonly outboundProxy?: string | undefined;
  readonly line?: RegisteredLine | undefined;
}

/**
 * Returns how a request outside a dialog reaches `target`: through the outbound proxy, then along the Service-Route (RFC
 * 3261 section 8.1.2, RFC 3608 section 6.1). Rejects as `UserAgent.servers`.
 */
export async function routeOutside(
  userAgent: UserAgent,
  target: string,
  { way, outboundProxy, line }: Leaving,
): Promise<Routed & { readonly servers: Failover }> {
  const serviceRoute = line?.serviceRoute ?? [];
  for (const uri of [target, outboundProxy])
    if (uri !== undefined && !parseUri(uri)) throw new Error(`“${uri}” isn't a SIP URI`);
  const proxy = parseUri(outboundProxy ?? '');
  const next = parseUri(parseNameAddress(serviceRoute[0] ?? '')?.uri ?? '');
  const isNamed = proxy?.host === next?.host && proxy?.port === next?.port;
  const first = `<${outboundProxy ?? ''}${proxy?.params.has('lr') ? '' : ';lr'}>`;
  const routed = applyRouteSet(target, proxy && !isNamed ? [first, ...serviceRoute] : serviceRoute);
  const servers = await userAgent.servers(routed.nextHop, way, (hop) => line?.at(hop) ?? hop);
  return { ...routed, servers };
}
