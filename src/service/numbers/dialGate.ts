import { isLoopback } from '../../base/loopback.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';
import { dialPlanOf, inOrder, overTransport, pingAddressOf, proxyOf } from '../../model/calls/linePlan.ts';
import type { MovedIvr, PracticePlaces } from '../../practice/registry.ts';
import { resolveRoute, routeUriOf } from '../../telephony/dialPlan.ts';
import { parseUri, transportOf } from '../../telephony/sip/uri.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';
import { consentFor, refusalError } from './policy.ts';
import { decoded, leadsAside, parseTarget, hostAndPortOf, portOf, readUser } from './target.ts';
import type { AddressTarget, CallTarget } from './target.ts';

/**
 * Where a target is dialled. `lab`: a practice IVR of Dialtree answers there; every other call is live, even on this
 * machine. `consentFor`: the number, or the SIP address of a short code or a name, that a person must confirm before it
 * is called. `costPerMinute`: the call's rate, if the dial plan has one. `line`: the line of the call, with its login
 * and its limits.
 */
export interface Dialling {
  readonly uri: string;
  readonly lab: boolean;
  readonly consentFor?: string;
  readonly costPerMinute?: number;
  readonly line?: string;
  /** Over lines that serve the same number, to be tried in this order. Permission covers them too. */
  readonly others?: readonly Dialling[];
}

/** Where calls may go: the dial plan, the lines, and the current practice IVRs. */
interface DialPlaces {
  readonly routes: Routes;
  readonly lines?: Lines;
  readonly practices: PracticePlaces;
  /** The name of one of `lines`: it is used, whatever else serves the target. */
  readonly over?: string;
}

/**
 * Decides, before any packet is sent, whether a target may be called, and at which address.
 * @throws HumanError `not_e164`, `no_route`, `forbidden_number`, `practice_stopped`; each message names the next step
 */
export const resolveTarget = (text: string, places: DialPlaces): Dialling => dialTarget(parseTarget(text), places);

/** As `resolveTarget`, for a target that is parsed already. */
export function dialTarget(target: CallTarget, places: DialPlaces): Dialling {
  if (target.kind === 'refused') throw refusalError(target.refusal);
  return target.number === undefined ? resolveAddress(target, places) : resolveNumber(target.number, places);
}

function resolveNumber(number: string, places: DialPlaces): Dialling {
  const { routes, lines = {}, practices, over = '' } = places;
  const line = lines[over];
  const plan = line ? dialPlanOf({}, { [over]: { ...line, numbers: [number] } }) : dialPlanOf(routes, lines);
  const route = resolveRoute(number, plan);
  if (!route)
    throw noRoute(
      `No line or route serves ${number}. To try Dialtree without a line, run “dialtree practice” on the machine of this service and call the IVR that it starts. For real calls, add a line (the operator of this service can), or a route such as “${number}” or “${number.slice(0, 3)}*” with the SIP address of a trunk.`,
    );
  const uri = parseUri(route.uri);
  // Its text isn't shown, because the caller may not own the trunk.
  if (!uri)
    throw noRoute(
      `The route for ${number} isn't a SIP address. Correct it, for example to sip:{number}@trunk.example.com.`,
    );
  const at = route.line === undefined ? lineAt(uri, lines) : undefined;
  const moved = at || route.line !== undefined ? undefined : atPracticeNow(route.uri, uri, places);
  if (moved) return moved;
  const { otherLines = [], ...first } = route;
  const dialling = {
    ...overLine(at),
    ...first,
    ...(route.line === undefined && { uri: overLineTransport(route.uri, uri, at?.[1]) }),
  };
  const judged: Dialling = isPractice(uri, lines, practices, dialling.line)
    ? { ...dialling, lab: true }
    : { ...dialling, lab: false, ...consentFor({ ...readUser(route.uri, uri), called: number }, 'route') };
  // A call never turns from a practice call into a live one, or to a number that needs another consent.
  const others = otherLines
    .map((name) => resolveNumber(number, { ...places, over: name }))
    .filter(({ lab, consentFor: wanted }) => lab === judged.lab && wanted === judged.consentFor);
  return others.length === 0 ? judged : { ...judged, others };
}

function resolveAddress(target: AddressTarget, places: DialPlaces): Dialling {
  const { routes, lines = {}, practices, over } = places;
  const { text, uri } = target;
  const at = lineAt(uri, lines, over);
  assertTransport(uri, at?.[1]);
  const address = overLineTransport(text, uri, at?.[1]);
  const moved = at ? undefined : atPracticeNow(text, uri, places);
  if (moved) return moved;
  if (isPractice(uri, lines, practices, at?.[0])) return { uri: address, lab: true, ...overLine(at) };
  const isTrunk = leadsToTrunk(uri, lines);
  if (!at && !isTrunk && !isLoopback(uri.host) && !hostsOf(routes).has(uri.host.toLowerCase())) {
    throw noRoute(
      'Dialtree calls SIP addresses only on this machine, or on the host of a line or route. ' +
        'Add a line (Dialtree: Add Line…) or a route (setting dialtree.telephony.routes) for this host.',
    );
  }
  const rate = dearestRate(uri.host, routes);
  return {
    uri: address,
    lab: false,
    ...(rate !== undefined && { costPerMinute: rate }),
    ...overLine(at),
    ...consentFor(target, isTrunk ? 'trunk' : (at?.[1].kind ?? 'trunk')),
  };
}

/**
 * Returns true if a practice IVR of Dialtree answers there. A declared trunk stays one, even if an IVR replaces it. An
 * outbound proxy can lead the call anywhere.
 */
function isPractice(uri: SipUri, lines: Lines, practices: PracticePlaces, line: string | undefined): boolean {
  return canPlay(uri, lines, line) && practices.answererAt(uri.host, portOf(uri)) !== undefined;
}

function canPlay(uri: SipUri, lines: Lines, line: string | undefined): boolean {
  const transport = transportOf(uri) ?? 'udp';
  return (
    (transport === 'udp' || transport === 'tcp') &&
    (line === undefined || lines[line]?.outboundProxy === undefined) &&
    !leadsAside(uri) &&
    !leadsToTrunk(uri, lines)
  );
}

/**
 * If a practice IVR was at this address before, returns where it is now, if that is a practice call too.
 * @throws PracticeStopped
 */
function atPracticeNow(text: string, uri: SipUri, places: DialPlaces): Dialling | undefined {
  const moved = canPlay(uri, places.lines ?? {}, undefined) ? places.practices.movedFrom(text) : undefined;
  if (!moved) return undefined;
  const now = moved.uri === undefined ? undefined : dialTarget(parseTarget(moved.uri), places);
  if (now?.lab !== true) throw new PracticeStopped(moved);
  return now;
}

/** The address belongs to a practice IVR of the service's user that isn't running. */
export class PracticeStopped extends HumanError {
  readonly ivr: MovedIvr;

  /** `withFile`: the reader is the user of this machine, so that `details` may name the file. */
  constructor(ivr: MovedIvr, withFile = false) {
    super(`The practice IVR “${ivr.name}” isn't running. Start it, then try again.`, {
      status: 400,
      code: 'practice_stopped',
      ...(withFile && { details: { file: ivr.file } }),
      quotes: withFile ? [ivr.name, ivr.file] : [ivr.name],
    });
    this.ivr = ivr;
  }
}

/** Returns this machine's address of a live call to another program; undefined if it leaves it, or uses a line. */
export function strangerAt({ uri: address, lab, line }: Dialling): string | undefined {
  const uri = lab || line !== undefined ? undefined : parseUri(address);
  return uri && !leadsAside(uri) && isLoopback(uri.host) ? hostAndPortOf(uri) : undefined;
}

/** Adds the transport of the line: a call to a line on TLS uses nothing else. */
function overLineTransport(address: string, uri: SipUri, line: Line | undefined): string {
  const asked = transportOf(uri);
  if (line?.transport === 'tls' && asked !== undefined && asked !== 'tls')
    throw noRoute('The line to this host uses only SIP over TLS. Leave "transport" out of the address.');
  return asked !== undefined || !line ? address : overTransport(address, line);
}

/**
 * Connections are opened only to lines that are set up for them, because text from a stranger, written to any port of
 * this machine, can be a command there.
 */
function assertTransport(uri: SipUri, line: Line | undefined): void {
  const asked = transportOf(uri);
  if (asked === undefined || asked === 'udp' || asked === line?.transport || line?.transport === 'tls') return;
  throw noRoute(
    `SIP over ${asked.toUpperCase().slice(0, 10)} needs a line with that transport. Add one for this host (Dialtree: Add Line…), or leave "transport" out of the address.`,
  );
}

/**
 * Returns the first line with this host, or `over` if it has this host. A line of kind `uri` is only that address. An exchange on this machine answers
 * under all its names.
 */
function lineAt(uri: SipUri, lines: Lines, over?: string): readonly [name: string, line: Line] | undefined {
  const found = linesAt(
    uri,
    inOrder(lines).filter(
      ([, line]) => line.kind !== 'uri' || decoded(parseUri(line.uri)?.user ?? '') === decoded(uri.user ?? ''),
    ),
  );
  return found.find(([name]) => name === over) ?? found[0];
}

function linesAt(uri: SipUri, lines: readonly (readonly [string, Line])[]): readonly (readonly [string, Line])[] {
  const linesWith = (isHost: (host: string) => boolean): readonly (readonly [string, Line])[] =>
    lines.filter(([, line]) => {
      const own = parseUri(pingAddressOf(line));
      return own && isHost(own.host) && portOf(own) === portOf(uri, transportOf(own));
    });
  const own = linesWith((host) => host.toLowerCase() === uri.host.toLowerCase());
  return own.length > 0 || !isLoopback(uri.host) ? own : linesWith(isLoopback);
}

/** A trunk leads to the telephone network wherever its host is, because a proxy on this machine forwards calls. */
const leadsToTrunk = (uri: SipUri, lines: Lines): boolean =>
  linesAt(
    uri,
    Object.entries(lines).filter(([, { kind }]) => kind !== 'uri'),
  ).some(([, { kind }]) => kind === 'trunk');

function overLine(at: ReturnType<typeof lineAt>): Pick<Dialling, 'line' | 'costPerMinute'> {
  if (!at) return {};
  const [line, { costPerMinute }] = at;
  return { line, ...(costPerMinute !== undefined && { costPerMinute }) };
}

const noRoute = (message: string): HumanError => refusalError({ refused: 'noRoute', message });

const hostOf = (template: string): string | undefined =>
  parseUri(template.replaceAll('{number}', '0'))?.host.toLowerCase();

const hostsOf = (routes: Routes): Set<string> =>
  new Set(Object.values(routes).flatMap((entry) => hostOf(routeUriOf(entry)) ?? []));

/** An address has no route, so this is the highest rate of a call to this host. */
function dearestRate(host: string, routes: Routes): number | undefined {
  const rates = Object.values(routes).flatMap((entry) =>
    typeof entry === 'object' && hostOf(entry.uri) === host.toLowerCase() ? (entry.costPerMinute ?? []) : [],
  );
  return rates.length === 0 ? undefined : Math.max(...rates);
}

/** Returns the hosts that calls of this line send to. */
export const hostsOfLine = (line: Line): string[] =>
  [pingAddressOf(line), proxyOf(line), line.stunServer === undefined ? undefined : `sip:${line.stunServer}`].flatMap(
    (uri) => (uri === undefined ? [] : (parseUri(uri)?.host ?? '')),
  );

/** Returns true if a call of this plan can leave the machine. */
export function leavesMachine(routes: Routes, lines: Lines = {}): boolean {
  const ofLines = Object.values(lines).flatMap(hostsOfLine);
  return [...hostsOf(routes), ...ofLines].some((host) => !isLoopback(host));
}
