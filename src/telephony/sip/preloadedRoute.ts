import type { Failover } from './failover.ts';
import { applyRouteSet, type Routed } from './routeSet.ts';
import type { Hop, Way } from './targetLookups.ts';
import type { SipUri } from './uri.ts';
import { parseNameAddress, parseUri, transportOf } from './uri.ts';
import type { UserAgent } from './userAgent.ts';

/** What the registration of a line adds to its requests. */
export interface RegisteredLine {
  /** The values of Service-Route (RFC 3608). */
  readonly serviceRoute: readonly string[];
  /** Returns the hop with the registered Contact. */
  at(hop: Hop): Hop;
}

/**
 * Returns how a request outside a dialog reaches `target`: through the outbound proxy, then along the Service-Route (RFC
 * 3261 section 8.1.2, RFC 3608 section 6.1). Rejects as `UserAgent.servers`.
 */
export async function routeOutside(
  userAgent: UserAgent,
  target: string,
  way: Way,
  line: RegisteredLine | undefined,
): Promise<Routed & { readonly servers: Failover }> {
  const serviceRoute = line?.serviceRoute ?? [];
  const { outboundProxy } = way;
  for (const uri of [target, outboundProxy])
    if (uri !== undefined && !parseUri(uri)) throw new Error(`“${uri}” isn't a SIP URI`);
  const proxy = parseUri(outboundProxy ?? '');
  const next = parseUri(parseNameAddress(serviceRoute[0] ?? '')?.uri ?? '');
  const isNamed = proxy?.host === next?.host && proxy?.port === next?.port;
  const first = `<${outboundProxy ?? ''}${proxy?.params.has('lr') ? '' : ';lr'}>`;
  const routed = applyRouteSet(target, proxy && !isNamed ? [first, ...serviceRoute] : serviceRoute);
  const nextHop = overTransportOf(proxy ?? parseUri(target), routed.nextHop);
  const servers = await userAgent.servers(nextHop, way, (hop) => line?.at(hop) ?? hop);
  return { ...routed, servers };
}

/** A route that names no transport means that of the line. A route never leads a line off TLS, to where keys are readable. */
function overTransportOf(line: SipUri | undefined, nextHop: string): string {
  const wanted = line && transportOf(line);
  const route = parseUri(nextHop);
  const named = route && transportOf(route);
  if (wanted === 'tls' && named !== undefined && named !== 'tls')
    throw new Error(`the Service-Route leads off TLS, to ${named.toUpperCase().slice(0, 10)}`);
  return wanted === undefined || named !== undefined
    ? nextHop
    : `${nextHop.split('?', 1)[0] ?? ''};transport=${wanted}`;
}
