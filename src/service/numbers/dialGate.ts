import { isLoopback } from '../../base/loopback.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';
import { dialPlanOf, overTransport, pingAddressOf } from '../../model/calls/linePlan.ts';
import type { PracticePlaces } from '../../practice/registry.ts';
import { resolveRoute, uriOf } from '../../telephony/dialPlan.ts';
import { hostReference, parseUri, transportOf } from '../../telephony/sip/uri.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';
import { defaultPortOf } from '../../telephony/sip/via.ts';
import { isFiction, refuseNumber, refuseShortCode } from './neverDialled.ts';
import type { NumberRefusal } from './neverDialled.ts';
import { codeOf, decoded, numberIn, refuseCallForHelp, refuseName, refuseSpelling, userPartOf } from './userPart.ts';

/**
 * Where a target is dialled. `lab`: a practice IVR of Dialtree answers there; every other call is live, on this machine
 * too. `consentFor`: the number, or the SIP address of a short code or a name, that a person has to confirm before it
 * is called. `costPerMinute`: of the call, where the dial plan tells it. `line`: the one that it goes over, with its
 * login and its limits.
 */
export interface Dialling {
  readonly uri: string;
  readonly lab: boolean;
  readonly consentFor?: string;
  readonly costPerMinute?: number;
  readonly line?: string;
}

/** Where calls may go: the dial plan, the lines, and the practice IVRs that are there now. */
export interface DialPlaces {
  readonly routes: Routes;
  readonly lines?: Lines;
  readonly practices: PracticePlaces;
}

/**
 * Decides before any packet leaves whether a target may be called, and where that is.
 * @throws HumanError `not_e164`, `no_route`, `forbidden_number`; each message names the next step
 */
export function resolveTarget(target: string, places: DialPlaces): Dialling {
  return /^sips?:/i.test(target) ? resolveAddress(target, places) : resolveNumber(target, places);
}

function resolveNumber(number: string, { routes, lines = {}, practices }: DialPlaces): Dialling {
  demand(refuseNumber(number));
  const route = resolveRoute(number, dialPlanOf(routes, lines));
  if (!route)
    throw noRoute(
      `No line or route serves ${number}. To try Dialtree without a line, run “dialtree practice” on the machine of this service and call the IVR that it starts. For real calls, add a line (whoever runs this service can), or a route such as “${number}” or “${number.slice(0, 3)}*” with the SIP address of a trunk.`,
    );
  const uri = parseUri(route.uri);
  // Its text is not shown: the caller may not be the owner of the trunk.
  if (!uri)
    throw noRoute(
      `The route for ${number} isn't a SIP address. Correct it, for example to sip:{number}@trunk.example.com.`,
    );
  const at = route.line === undefined ? lineAt(uri, lines) : undefined;
  const dialling = {
    ...overLine(at),
    ...route,
    ...(route.line === undefined && { uri: overLineTransport(route.uri, uri, at?.[1]) }),
  };
  if (isPractice(uri, lines, practices)) return { ...dialling, lab: true };
  if (isFiction(number)) throw noRoute(fictionAt(number, uri));
  demandOrdinary(uri);
  return { ...dialling, lab: false, consentFor: number };
}

/** Why this target can never be called, whatever lines and practice IVRs there are; undefined if it may be. */
export function neverCallable(target: string): string | undefined {
  if (!/^sips?:/i.test(target)) return refuseNumber(target)?.message;
  try {
    readAddress(target);
    return undefined;
  } catch (error) {
    if (error instanceof HumanError) return error.message;
    throw error;
  }
}

/** @throws HumanError `no_route` for a text that isn't an address, or that may lead elsewhere than it says */
function readAddress(target: string): SipUri {
  const uri = parseUri(target);
  if (!uri) throw noRoute("This isn't a valid SIP address. Use the form sip:practice@127.0.0.1:5070.");
  // A far side named beside the host would be called past the checks below.
  if (leadsAside(uri) || target.includes('?'))
    throw noRoute('Dialtree doesn\'t call SIP addresses with headers, "maddr" or "route". Leave them out.');
  // The host stands behind the last @ here, and behind the first one elsewhere.
  if (uri.user?.includes('@') === true)
    throw noRoute('A SIP address has only one @. Write an @ in the user part as %40.');
  return uri;
}

function resolveAddress(target: string, { routes, lines = {}, practices }: DialPlaces): Dialling {
  const uri = readAddress(target);
  const at = lineAt(uri, lines);
  demandTransport(uri, at?.[1]);
  const address = overLineTransport(target, uri, at?.[1]);
  if (isPractice(uri, lines, practices)) return { uri: address, lab: true, ...overLine(at) };
  const isTrunk = leadsToTrunk(uri, lines);
  if (!at && !isTrunk && !isLoopback(uri.host) && !hostsOf(routes).has(uri.host.toLowerCase())) {
    throw noRoute(
      'Dialtree calls SIP addresses only on this machine, or on the host of a line or route. ' +
        'Add a line (Dialtree: Add Line…) or a route (setting dialtree.telephony.routes) for this host.',
    );
  }
  const rate = dearestRate(uri.host, routes);
  const consentFor = consentOf(uri, isTrunk ? undefined : at?.[1]);
  return {
    uri: address,
    lab: false,
    ...(rate !== undefined && { costPerMinute: rate }),
    ...overLine(at),
    ...(consentFor !== undefined && { consentFor }),
  };
}

/**
 * What a person has to confirm before this address is called; undefined where it was set up to be called. `line`: the
 * exchange or the address that is there, and no trunk.
 * @throws HumanError where it is never called
 */
function consentOf(uri: SipUri, line: Line | undefined): string | undefined {
  // Extensions are what an exchange of one's own is for. What is not said to be one may be a carrier, where short codes
  // are services that cost, and names may be numbers.
  const isOwn = line?.kind === 'pbx';
  const misspelled = refuseSpelling(uri);
  if (misspelled !== undefined) throw new HumanError(misspelled, { status: 400, code: 'not_e164' });
  const userPart = userPartOf(uri);
  demand(refuseCallForHelp(userPart, !isOwn));
  const code = codeOf(userPart);
  if (code === undefined) {
    demand(refuseName(userPart, !isOwn));
    // The address of a line is named by whoever set the line up, to be called.
    return line === undefined ? consentAddress(userPart.name, uri) : undefined;
  }
  const number = numberIn(uri);
  if (number !== undefined) {
    // A trunk takes numbers: an address that carries one is held to the rules for numbers.
    demand(refuseNumber(number));
    if (isFiction(number)) throw noRoute(fictionAt(number, uri));
    return number;
  }
  if (isOwn) return undefined;
  demand(refuseShortCode(code));
  return consentAddress(code, uri);
}

/**
 * Whether a practice IVR of Dialtree answers there. What is declared a trunk is one, also where such an IVR stands in
 * for it.
 */
function isPractice(uri: SipUri, lines: Lines, practices: PracticePlaces): boolean {
  const transport = transportOf(uri) ?? 'udp';
  return (
    (transport === 'udp' || transport === 'tcp') &&
    !leadsAside(uri) &&
    !leadsToTrunk(uri, lines) &&
    practices.answersAt(uri.host, portOf(uri))
  );
}

const leadsAside = ({ params }: SipUri): boolean => params.has('maddr') || params.has('route');

function fictionAt(number: string, uri: SipUri): string {
  return isLoopback(uri.host)
    ? `${number} is reserved for fiction, so Dialtree calls it only if a practice IVR answers, and none is running at ${placeOf(uri)}. Start the practice IVR, then try again.`
    : `${number} is reserved for fiction, so Dialtree calls it only if a practice IVR on this machine answers. Start one, and add a route to it, for example from “${number}” to sip:{number}@127.0.0.1:5070.`;
}

/**
 * The place on this machine that a live call goes to, where Dialtree plays nothing; undefined for calls that leave it,
 * or go over a line.
 */
export function strangerAt({ uri: address, lab, line }: Dialling): string | undefined {
  const uri = lab || line !== undefined ? undefined : parseUri(address);
  return uri && isLoopback(uri.host) ? placeOf(uri) : undefined;
}

const placeOf = (uri: SipUri): string => `${hostReference(uri.host)}:${String(portOf(uri))}`;

/** What consent for an address is recorded for: the same however it is written. */
const consentAddress = (name: string, { host, port }: SipUri): string =>
  `sip:${name === '' ? '' : `${name}@`}${hostReference(host.toLowerCase())}${port === undefined ? '' : `:${String(port)}`}`;

/**
 * A route, or a line that is one address, may name another number than the one it stands for, such as sip:911@host.
 * @throws HumanError where that one is never called
 */
function demandOrdinary(uri: SipUri): void {
  const userPart = userPartOf(uri);
  demand(refuseCallForHelp(userPart, true));
  const code = codeOf(userPart) ?? '';
  for (const refusal of [refuseNumber(code), refuseShortCode(code)])
    if (refusal?.refused === 'premium' || refusal?.refused === 'satellite') demand(refusal);
}

/** The address over what its line speaks: a call to a line on TLS goes over nothing else. */
function overLineTransport(address: string, uri: SipUri, line: Line | undefined): string {
  const asked = transportOf(uri);
  if (line?.transport === 'tls' && asked !== undefined && asked !== 'tls')
    throw new HumanError('The line to this host uses only SIP over TLS. Leave "transport" out of the address.', {
      status: 400,
      code: 'no_route',
    });
  return asked !== undefined || !line ? address : overTransport(address, line);
}

/**
 * Connections go to lines alone that are set up for them: a stranger's words, written to whatever listens at some port
 * of this machine, may be commands there.
 */
function demandTransport(uri: SipUri, line: Line | undefined): void {
  const asked = transportOf(uri);
  if (asked === undefined || asked === 'udp' || asked === line?.transport || line?.transport === 'tls') return;
  throw new HumanError(
    `SIP over ${asked.toUpperCase().slice(0, 10)} needs a line with that transport. Add one for this host (Dialtree: Add Line…), or leave "transport" out of the address.`,
    { status: 400, code: 'no_route' },
  );
}

/** Of an address that names none: that of its transport, or of the one meant. */
const portOf = (uri: SipUri, meant = transportOf(uri)): number => uri.port ?? defaultPortOf(transportOf(uri) ?? meant);

/**
 * The first line whose far side this is; one of kind `uri` is that address alone. An exchange of this machine answers
 * under all names of it.
 */
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

function overLine(at: ReturnType<typeof lineAt>): Pick<Dialling, 'line' | 'costPerMinute'> {
  if (!at) return {};
  const [line, { costPerMinute }] = at;
  return { line, ...(costPerMinute !== undefined && { costPerMinute }) };
}

/** @throws HumanError where `refusal` says why */
function demand(refusal: NumberRefusal | undefined): void {
  if (!refusal) return;
  if (refusal.refused === 'notE164') throw new HumanError(refusal.message, { status: 400, code: 'not_e164' });
  throw new HumanError(refusal.message, { status: 403, code: 'forbidden_number', reason: refusal.refused });
}

const noRoute = (message: string): HumanError => new HumanError(message, { status: 400, code: 'no_route' });

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

/** Whether some call of this plan leaves the machine. */
export function leavesMachine(routes: Routes, lines: Lines = {}): boolean {
  const ofLines = Object.values(lines).map((line) => parseUri(pingAddressOf(line))?.host ?? '');
  return [...hostsOf(routes), ...ofLines].some((host) => !isLoopback(host));
}
