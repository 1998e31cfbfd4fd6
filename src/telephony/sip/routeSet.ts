import { parseNameAddress, parseUri } from './uri.ts';

export interface Routed {
  /** The Request-URI. */
  readonly uri: string;
  /** The values of Route. */
  readonly routes: readonly string[];
  /** The URI whose host receives the request. */
  readonly nextHop: string;
}

/** Applies a route set to a request to `target` (RFC 3261 section 12.2.1.1). */
export function applyRouteSet(target: string, routeSet: readonly string[]): Routed {
  const first = parseNameAddress(routeSet[0] ?? '')?.uri;
  if (first === undefined) return { uri: target, routes: routeSet, nextHop: target };
  const isLoose = parseUri(first)?.params.has('lr') ?? false;
  return isLoose
    ? { uri: target, routes: routeSet, nextHop: first }
    : { uri: first, routes: [...routeSet.slice(1), `<${target}>`], nextHop: first };
}
