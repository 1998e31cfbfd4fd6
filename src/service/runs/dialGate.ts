import { HumanError } from '../../contract/errors.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';
import { dialPlanOf, pingAddressOf } from '../../model/linePlan.ts';
import { resolveRoute, uriOf } from '../../telephony/dialPlan.ts';
import type { Route, RouteRefusal } from '../../telephony/dialPlan.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';
import { DEFAULT_SIP_PORT } from '../../telephony/sip/via.ts';

/**
 * Where a target is dialled, whether the call stays on this machine, and the number that needs a person's consent before it leaves.
 * `costPerMinute`: of the call, where the dial plan tells it. `line`: the one that it goes over, with its login and its limits.
 */
export interface Dialling { readonly uri: string; readonly lab: boolean; readonly consentFor?: string; readonly costPerMinute?: number; readonly line?: string }

/**
 * Decides before any packet leaves whether a target may be called, and where that is.
 * @throws HumanError `not_e164`, `no_route`, `forbidden_number`; each message names the next step
 */
export function resolveTarget(target: string, routes: Routes, lines: Lines = {}): Dialling {
  if (!/^sips?:/i.test(target)) {
    const dialling = fromRoute(target, resolveRoute(target, dialPlanOf(routes, lines)));
    const uri = dialling.line === undefined ? parseUri(dialling.uri) : undefined;
    return { ...(uri && overLine(lineAt(uri, lines))), ...dialling };
  }
  const uri = parseUri(target);
  if (!uri) throw new HumanError('This is not a SIP address. Write it like sip:practice@127.0.0.1:5070.', { status: 400, code: 'no_route' });
  // A far side named beside the host would be called past the checks below.
  if (uri.params.has('maddr') || uri.params.has('route') || target.includes('?')) {
    throw new HumanError('A SIP address with headers, "maddr" or "route" is not dialled. Leave them out.', { status: 400, code: 'no_route' });
  }
  // The host stands behind the last @ here, and behind the first one elsewhere.
  if (uri.user?.includes('@') === true) throw new HumanError('A SIP address has one @. Write one that belongs to the user part as %40.', { status: 400, code: 'no_route' });
  const at = lineAt(uri, lines);
  if (isLoopback(uri.host)) {
    // A trunk takes numbers, also one that is reached through a gateway of this machine: what must never be dialled is not dialled there.
    const number = at?.[1].kind === 'trunk' ? numberIn(uri) : undefined;
    if (number !== undefined) fromRoute(number, resolveRoute(number, { [number]: target }));
    return { uri: target, lab: true, ...overLine(at) };
  }
  if (!at && !hostsOf(routes).has(uri.host.toLowerCase())) {
    throw new HumanError('Only SIP addresses on this machine, or on a host that a line or a route of the dial plan names, are dialled. Add a line (Dialtree: Add Line…) or a route (setting dialtree.telephony.routes) to that host.',
      { status: 400, code: 'no_route' });
  }
  const rate = dearestRate(uri.host, routes);
  const dialling = { uri: target, lab: false, ...(rate !== undefined && { costPerMinute: rate }), ...overLine(at) };
  const number = numberIn(uri);
  if (number === undefined) return dialling;
  // A trunk takes numbers: an address that carries one is held to the rules for numbers. The route is the address itself.
  const { consentFor } = fromRoute(number, resolveRoute(number, { [number]: `sip:{number}@${uri.host.includes(':') ? `[${uri.host}]` : uri.host}` }));
  return { ...dialling, ...(consentFor !== undefined && { consentFor }) };
}

/** The first line whose far side this is; one of kind `uri` is that address alone. An exchange of this machine answers under all names of it. */
function lineAt(uri: SipUri, lines: Lines): readonly [name: string, line: Line] | undefined {
  const lineWith = (isHost: (host: string) => boolean): readonly [string, Line] | undefined => Object.entries(lines).find(([, line]) => {
    const own = parseUri(pingAddressOf(line));
    return own && isHost(own.host) && (own.port ?? DEFAULT_SIP_PORT) === (uri.port ?? DEFAULT_SIP_PORT) && (line.kind !== 'uri' || decode(own.user ?? '') === decode(uri.user ?? ''));
  });
  return lineWith((host) => host.toLowerCase() === uri.host.toLowerCase()) ?? (isLoopback(uri.host) ? lineWith(isLoopback) : undefined);
}

function overLine(at: ReturnType<typeof lineAt>): Pick<Dialling, 'line' | 'costPerMinute'> {
  if (!at) return {};
  const [line, { costPerMinute }] = at;
  return { line, ...(costPerMinute !== undefined && { costPerMinute }) };
}

function fromRoute(number: string, route: Route | RouteRefusal): Dialling {
  if (!('refused' in route)) return route.lab ? route : { ...route, consentFor: number };
  switch (route.refused) {
    case 'notE164': throw new HumanError(route.message, { status: 400, code: 'not_e164' });
    case 'noRoute': throw new HumanError(route.message, { status: 400, code: 'no_route' });
    default: throw new HumanError(route.message, { status: 403, code: 'forbidden_number', reason: route.refused });
  }
}

const longestExtension = 6;

/**
 * The telephone number that the user part spells, if it does: letters and short extensions of a lab exchange are none, emergency numbers are, and so
 * is an extension with the number of its exchange (`phone-context`, RFC 3966). A far side may pass over whatever is no digit, and so is it here.
 */
export function numberIn(uri: SipUri): string | undefined {
  const user = uri.user ?? '';
  const spelled = decode(user.split(/[;:]/)[0] ?? '').replaceAll(/[^\p{L}\d*#+]/gu, '');
  if (!/^[\d*#+]+$/.test(spelled)) return undefined;
  if (spelled.includes('+') || spelled.length > longestExtension || /;phone-context=/i.test(user)) return spelled;
  const route = resolveRoute(spelled, {});
  return 'refused' in route && route.refused === 'emergency' ? spelled : undefined;
}

function decode(text: string): string {
  try { return decodeURIComponent(text); } catch { return text; }
}

const hostOf = (template: string): string | undefined => parseUri(template.replaceAll('{number}', '0'))?.host.toLowerCase();

function hostsOf(routes: Routes): Set<string> {
  return new Set(Object.values(routes).map((entry) => hostOf(uriOf(entry))).filter((host) => host !== undefined));
}

/** An address names no route: what a call to this host costs at most. */
function dearestRate(host: string, routes: Routes): number | undefined {
  const rates = Object.values(routes).flatMap((entry) => (typeof entry === 'object' && hostOf(entry.uri) === host.toLowerCase() ? entry.costPerMinute ?? [] : []));
  return rates.length === 0 ? undefined : Math.max(...rates);
}

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || /^127(?:\.\d{1,3}){3}$/.test(host) || host === '::1';
}

/** Whether some call of this plan leaves the machine. */
export function leavesMachine(routes: Routes, lines: Lines = {}): boolean {
  const ofLines = Object.values(lines).map((line) => parseUri(pingAddressOf(line))?.host ?? '');
  return [...hostsOf(routes), ...ofLines].some((host) => !isLoopback(host));
}
