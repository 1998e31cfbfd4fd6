import { HumanError } from '../../contract/errors.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';
import { dialPlanOf, overTransport, pingAddressOf } from '../../model/linePlan.ts';
import { callsForHelp, isFiction, refuseShortCode, resolveRoute, uriOf } from '../../telephony/dialPlan.ts';
import type { DialPlan, Route, RouteRefusal } from '../../telephony/dialPlan.ts';
import { hostReference, parseUri, transportOf } from '../../telephony/sip/uri.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';
import { defaultPortOf } from '../../telephony/sip/via.ts';
import { codeOf, decoded, numberIn, refuseName, refuseSpelling, userPartOf } from './userPart.ts';

/**
 * Where a target is dialled, whether the call stays on this machine, and the number, or the SIP address of a short code or a name, that needs a person's consent before it leaves.
 * `costPerMinute`: of the call, where the dial plan tells it. `line`: the one that it goes over, with its login and its limits. `exchange`: it is on this machine, at the place
 * of a line that is not gone over, or of a route that hands numbers on: more than an IVR may answer there.
 */
export interface Dialling {
  readonly uri: string;
  readonly lab: boolean;
  readonly consentFor?: string;
  readonly costPerMinute?: number;
  readonly line?: string;
  readonly exchange?: true;
}

/**
 * Decides before any packet leaves whether a target may be called, and where that is.
 * @throws HumanError `not_e164`, `no_route`, `forbidden_number`; each message names the next step
 */
export function resolveTarget(target: string, routes: Routes, lines: Lines = {}): Dialling {
  if (!/^sips?:/i.test(target)) {
    const dialling = fromRoute(target, routeOf(target, dialPlanOf(routes, lines), lines));
    const uri = dialling.line === undefined ? parseUri(dialling.uri) : undefined;
    const at = uri && lineAt(uri, lines);
    return { ...overLine(at), ...dialling, ...(uri && { uri: overLineTransport(dialling.uri, uri, at?.[1]) }) };
  }
  const uri = parseUri(target);
  if (!uri)
    throw new HumanError('This is not a SIP address. Write it like sip:practice@127.0.0.1:5070.', {
      status: 400,
      code: 'no_route',
    });
  // A far side named beside the host would be called past the checks below.
  if (uri.params.has('maddr') || uri.params.has('route') || target.includes('?')) {
    throw new HumanError('A SIP address with headers, "maddr" or "route" is not dialled. Leave them out.', {
      status: 400,
      code: 'no_route',
    });
  }
  // The host stands behind the last @ here, and behind the first one elsewhere.
  if (uri.user?.includes('@') === true)
    throw new HumanError('A SIP address has one @. Write one that belongs to the user part as %40.', {
      status: 400,
      code: 'no_route',
    });
  const at = lineAt(uri, lines);
  const isTrunk = leadsToTrunk(uri, lines);
  demandTransport(uri, at?.[1]);
  const address = overLineTransport(target, uri, at?.[1]);
  if (isLoopback(uri.host) && !isTrunk) {
    const isExchange = at !== undefined || leadsOn(uri, routes, lines);
    if (isExchange) demandNoHelp(uri);
    return { uri: address, lab: true, ...overLine(at), ...(!at && isExchange && { exchange: true as const }) };
  }
  if (!at && !isTrunk && !hostsOf(routes).has(uri.host.toLowerCase())) {
    throw new HumanError(
      'Only SIP addresses on this machine, or on a host that a line or a route of the dial plan names, are dialled. Add a line (Dialtree: Add Line…) or a route (setting dialtree.telephony.routes) to that host.',
      { status: 400, code: 'no_route' },
    );
  }
  const rate = dearestRate(uri.host, routes);
  const dialling = { uri: address, lab: false, ...(rate !== undefined && { costPerMinute: rate }), ...overLine(at) };
  // Extensions are what an exchange of one's own is for. What is not said to be one may be a carrier, where short codes are services that cost, and names may be numbers.
  const isOwn = !isTrunk && at?.[1].kind === 'pbx';
  const misspelled = refuseSpelling(uri);
  if (misspelled !== undefined) throw new HumanError(misspelled, { status: 400, code: 'not_e164' });
  const userPart = userPartOf(uri);
  const code = codeOf(userPart);
  if (code === undefined) {
    const refusal = refuseName(userPart, !isOwn);
    if (refusal) fromRoute(userPart.name, refusal);
    // The address of a line is named by whoever set the line up, to be called.
    const isNamed = !isTrunk && at !== undefined;
    return { ...dialling, ...(!isNamed && { consentFor: consentAddress(userPart.name, uri) }) };
  }
  const number = numberIn(uri);
  if (number !== undefined) {
    // A trunk takes numbers: an address that carries one is held to the rules for numbers. The route is the address itself.
    const { consentFor } = fromRoute(
      number,
      resolveRoute(number, { [number]: { uri: `sip:{number}@${hostReference(uri.host)}`, leavesMachine: true } }),
    );
    return { ...dialling, ...(consentFor !== undefined && { consentFor }) };
  }
  if (isOwn) return dialling;
  const refusal = refuseShortCode(code);
  if (refusal) fromRoute(code, refusal);
  return { ...dialling, consentFor: consentAddress(code, uri) };
}

/** What consent for an address is recorded for: the same however it is written. */
const consentAddress = (name: string, { host, port }: SipUri): string =>
  `sip:${name === '' ? '' : `${name}@`}${hostReference(host.toLowerCase())}${port === undefined ? '' : `:${String(port)}`}`;

/** An exchange of this machine is a laboratory; what any exchange takes for a call for help is dialled at none. */
function demandNoHelp(uri: SipUri): void {
  const userPart = userPartOf(uri);
  const code = codeOf(userPart);
  if (code !== undefined && callsForHelp(code)) fromRoute(code, resolveRoute(code, {}));
  const refusal = code === undefined ? refuseName(userPart, false) : undefined;
  if (refusal?.refused === 'emergency') fromRoute(userPart.name, refusal);
}

/** The address over what its line speaks: a call to a line on TLS goes over nothing else. */
function overLineTransport(address: string, uri: SipUri, line: Line | undefined): string {
  const asked = transportOf(uri);
  if (line?.transport === 'tls' && asked !== undefined && asked !== 'tls')
    throw new HumanError('The line to this host speaks SIP over TLS alone. Leave "transport" out of the address.', {
      status: 400,
      code: 'no_route',
    });
  return asked !== undefined || !line ? address : overTransport(address, line);
}

/** Connections go to lines alone that are set up for them: a stranger's words, written to whatever listens at some port of this machine, may be commands there. */
function demandTransport(uri: SipUri, line: Line | undefined): void {
  const asked = transportOf(uri);
  if (asked === undefined || asked === 'udp' || asked === line?.transport || line?.transport === 'tls') return;
  throw new HumanError(
    `SIP over ${asked.toUpperCase().slice(0, 10)} goes to lines alone that are set up for it. Add one to this host (Dialtree: Add Line…), or leave "transport" out of the address.`,
    { status: 400, code: 'no_route' },
  );
}

/** Of an address that names none: that of its transport, or of the one meant. */
const portOf = (uri: SipUri, meant = transportOf(uri)): number => uri.port ?? defaultPortOf(transportOf(uri) ?? meant);

/** A route to where a trunk is leads off this machine, by whatever name it calls it. */
function routeOf(number: string, plan: DialPlan, lines: Lines): Route | RouteRefusal {
  const route = resolveRoute(number, plan);
  const uri = 'refused' in route || !route.lab ? undefined : parseUri(route.uri);
  return uri && leadsToTrunk(uri, lines)
    ? resolveRoute(number, { [number]: { ...(route as Route), leavesMachine: true } })
    : route;
}

/** The first line whose far side this is; one of kind `uri` is that address alone. An exchange of this machine answers under all names of it. */
const lineAt = (uri: SipUri, lines: Lines): readonly [name: string, line: Line] | undefined =>
  linesAt(
    uri,
    Object.entries(lines).filter(
      ([, line]) => line.kind !== 'uri' || decoded(parseUri(line.uri)?.user ?? '') === decoded(uri.user ?? ''),
    ),
  )[0];

function linesAt(uri: SipUri, lines: readonly (readonly [string, Line])[]): readonly (readonly [string, Line])[] {
  const linesWith = (isHost: (host: string) => boolean): readonly (readonly [string, Line])[] =>
    lines.filter(([, line]) => {
      const own = parseUri(pingAddressOf(line));
      return own && isHost(own.host) && portOf(own) === portOf(uri, transportOf(own));
    });
  const own = linesWith((host) => host.toLowerCase() === uri.host.toLowerCase());
  return own.length > 0 || !isLoopback(uri.host) ? own : linesWith(isLoopback);
}

/** A trunk leads to the telephone network wherever its host is: a proxy of this machine passes calls on. */
const leadsToTrunk = (uri: SipUri, lines: Lines): boolean =>
  linesAt(
    uri,
    Object.entries(lines).filter(([, { kind }]) => kind !== 'uri'),
  ).some(([, { kind }]) => kind === 'trunk');

/** Whether more than one IVR is at this place of this machine: a line is there, be it another extension of it, or a route that hands numbers on. */
function leadsOn(uri: SipUri, routes: Routes, lines: Lines): boolean {
  const isHere = (template: string): boolean => {
    const own = parseUri(template.replaceAll('{number}', '0'));
    return own !== undefined && isLoopback(own.host) && portOf(own) === portOf(uri);
  };
  return (
    linesAt(uri, Object.entries(lines)).length > 0 ||
    Object.entries(routes).some(
      ([key, entry]) => !isFiction(key) && uriOf(entry).includes('{number}') && isHere(uriOf(entry)),
    )
  );
}

function overLine(at: ReturnType<typeof lineAt>): Pick<Dialling, 'line' | 'costPerMinute'> {
  if (!at) return {};
  const [line, { costPerMinute }] = at;
  return { line, ...(costPerMinute !== undefined && { costPerMinute }) };
}

function fromRoute(number: string, route: Route | RouteRefusal): Dialling {
  if (!('refused' in route)) return route.lab ? route : { ...route, consentFor: number };
  switch (route.refused) {
    case 'notE164':
      throw new HumanError(route.message, { status: 400, code: 'not_e164' });
    case 'noRoute':
      throw new HumanError(route.message, { status: 400, code: 'no_route' });
    default:
      throw new HumanError(route.message, { status: 403, code: 'forbidden_number', reason: route.refused });
  }
}

const hostOf = (template: string): string | undefined =>
  parseUri(template.replaceAll('{number}', '0'))?.host.toLowerCase();

function hostsOf(routes: Routes): Set<string> {
  return new Set(
    Object.values(routes)
      .map((entry) => hostOf(uriOf(entry)))
      .filter((host) => host !== undefined),
  );
}

/** An address names no route: what a call to this host costs at most. */
function dearestRate(host: string, routes: Routes): number | undefined {
  const rates = Object.values(routes).flatMap((entry) =>
    typeof entry === 'object' && hostOf(entry.uri) === host.toLowerCase() ? (entry.costPerMinute ?? []) : [],
  );
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
