import { isLoopback } from '../../base/loopback.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';
import { dialPlanOf, overTransport, pingAddressOf } from '../../model/calls/linePlan.ts';
import type { PracticePlaces } from '../../practice/registry.ts';
import { resolveRoute, uriOf } from '../../telephony/dialPlan.ts';
import { splitOutside } from '../../telephony/sip/headers.ts';
import { hostReference, parseUri, transportOf } from '../../telephony/sip/uri.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';
import { defaultPortOf } from '../../telephony/sip/via.ts';
import { isFiction, refuseNumber, refuseShortCode } from './neverDialled.ts';
import type { NumberRefusal } from './neverDialled.ts';
import { codeOf, decoded, numberIn, refuseCallForHelp, refuseName, refuseSpelling, userPartOf } from './userPart.ts';

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
}

/** Where calls may go: the dial plan, the lines, and the current practice IVRs. */
interface DialPlaces {
  readonly routes: Routes;
  readonly lines?: Lines;
  readonly practices: PracticePlaces;
}

/**
 * Decides, before any packet is sent, whether a target may be called, and at which address.
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
  // Its text isn't shown, because the caller may not own the trunk.
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
  assertOrdinaryNumber(uri);
  return { ...dialling, lab: false, consentFor: number };
}

/** Returns why this target can never be called, whatever lines and practice IVRs exist, or undefined if it can. */
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

/** @throws HumanError `no_route` for text that isn't an address, or that can lead elsewhere than it says */
function readAddress(target: string): SipUri {
  const uri = parseUri(target);
  const rest = target.slice(target.lastIndexOf('@') + 1);
  // Spaces that aren't ASCII are trimmed from a host here, but aren't elsewhere.
  if (!uri || /[^\x21-\x7e]/.test(rest))
    throw noRoute("This isn't a valid SIP address. Use the form sip:practice@127.0.0.1:5070.");
  const names = splitOutside(rest, ';')
    .slice(1)
    .map((parameter) => (parameter.split('=')[0] ?? '').toLowerCase());
  // If a parameter is repeated, the last value counts here, but elsewhere the first one.
  if (!names.every(isPlainName) || new Set(names).size < names.length)
    throw noRoute(
      'The parameters of a SIP address can have only names of plain letters, digits, “.”, “_” and “-”, and each name only once. Write them without “%”, or leave them out.',
    );
  // An additional target beside the host would bypass the checks below.
  if (leadsAside(uri) || target.includes('?'))
    throw noRoute('Dialtree doesn\'t call SIP addresses with headers, "maddr" or "route". Leave them out.');
  // Here the host follows the last @, but elsewhere the first one.
  if (uri.user?.includes('@') === true)
    throw noRoute('A SIP address has only one @. Write an @ in the user part as %40.');
  return uri;
}

function resolveAddress(target: string, { routes, lines = {}, practices }: DialPlaces): Dialling {
  const uri = readAddress(target);
  const at = lineAt(uri, lines);
  assertTransport(uri, at?.[1]);
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
 * Returns what a person must confirm before this address is called, or undefined if it was set up to be called. `line`:
 * the exchange or the address, if it isn't a trunk.
 * @throws HumanError if it is never called
 */
function consentOf(uri: SipUri, line: Line | undefined): string | undefined {
  // Extensions are the purpose of a private exchange. Anything else can be a carrier, where short codes are paid
  // services and names can be numbers.
  const isOwn = line?.kind === 'pbx';
  const misspelled = refuseSpelling(uri);
  if (misspelled !== undefined) throw new HumanError(misspelled, { status: 400, code: 'not_e164' });
  const userPart = userPartOf(uri);
  demand(refuseCallForHelp(userPart, !isOwn));
  const code = codeOf(userPart);
  if (code === undefined) {
    demand(refuseName(userPart, !isOwn));
    // A line's address was set up to be called.
    return line === undefined ? consentAddress(userPart.name, uri) : undefined;
  }
  const number = numberIn(uri);
  if (number !== undefined) {
    // A trunk accepts numbers, so an address with a number must follow the rules for numbers.
    demand(refuseNumber(number));
    if (isFiction(number)) throw noRoute(fictionAt(number, uri));
    return number;
  }
  if (isOwn) return undefined;
  demand(refuseShortCode(code));
  return consentAddress(code, uri);
}

/**
 * Returns true if a practice IVR of Dialtree answers there. A declared trunk is a trunk, even if such an IVR stands in
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

const leadsAside = ({ params }: SipUri): boolean =>
  [...params.keys()].some((name) => name === 'maddr' || name === 'route' || !isPlainName(name));

/** An escaped name is the same as the plain one (RFC 3261 section 19.1.4): `m%61ddr` is `maddr`. */
const isPlainName = (name: string): boolean => /^[\w.-]*$/.test(name);

function fictionAt(number: string, uri: SipUri): string {
  return isLoopback(uri.host)
    ? `${number} is reserved for fiction, so Dialtree calls it only if a practice IVR answers, and none is running at ${placeOf(uri)}. Start the practice IVR, then try again.`
    : `${number} is reserved for fiction, so Dialtree calls it only if a practice IVR on this machine answers. Start one, and add a route to it, for example from “${number}” to sip:{number}@127.0.0.1:5070.`;
}

/**
 * Returns the address on this machine of a live call to another program, or undefined for calls that leave it, or use a
 * line.
 */
export function strangerAt({ uri: address, lab, line }: Dialling): string | undefined {
  const uri = lab || line !== undefined ? undefined : parseUri(address);
  return uri && !leadsAside(uri) && isLoopback(uri.host) ? placeOf(uri) : undefined;
}

const placeOf = (uri: SipUri): string => `${hostReference(uri.host)}:${String(portOf(uri))}`;

/** The address under which consent is recorded: the same however it is written. */
const consentAddress = (name: string, { host, port }: SipUri): string =>
  `sip:${name === '' ? '' : `${name}@`}${hostReference(host.toLowerCase())}${port === undefined ? '' : `:${String(port)}`}`;

/**
 * A route, or a line with one address, can contain another number, such as sip:911@host.
 * @throws HumanError if that number is never called
 */
function assertOrdinaryNumber(uri: SipUri): void {
  const userPart = userPartOf(uri);
  demand(refuseCallForHelp(userPart, true));
  const code = codeOf(userPart) ?? '';
  for (const refusal of [refuseNumber(code), refuseShortCode(code)])
    if (refusal?.refused === 'premium' || refusal?.refused === 'satellite') demand(refusal);
}

/** Adds the transport of the line: a call to a line on TLS uses nothing else. */
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
 * Connections are opened only to lines that are set up for them, because text from a stranger, written to any port of
 * this machine, can be a command there.
 */
function assertTransport(uri: SipUri, line: Line | undefined): void {
  const asked = transportOf(uri);
  if (asked === undefined || asked === 'udp' || asked === line?.transport || line?.transport === 'tls') return;
  throw new HumanError(
    `SIP over ${asked.toUpperCase().slice(0, 10)} needs a line with that transport. Add one for this host (Dialtree: Add Line…), or leave "transport" out of the address.`,
    { status: 400, code: 'no_route' },
  );
}

/** The port of an address without one: that of its transport, or of the intended one. */
const portOf = (uri: SipUri, meant = transportOf(uri)): number => uri.port ?? defaultPortOf(transportOf(uri) ?? meant);

/**
 * Returns the first line with this host. A line of kind `uri` is only that address. An exchange on this machine answers
 * under all its names.
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

/** @throws HumanError if `refusal` is set */
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

/** An address has no route, so this is the highest rate of a call to this host. */
function dearestRate(host: string, routes: Routes): number | undefined {
  const rates = Object.values(routes).flatMap((entry) =>
    typeof entry === 'object' && hostOf(entry.uri) === host.toLowerCase() ? (entry.costPerMinute ?? []) : [],
  );
  return rates.length === 0 ? undefined : Math.max(...rates);
}

/** Returns true if a call of this plan can leave the machine. */
export function leavesMachine(routes: Routes, lines: Lines = {}): boolean {
  const ofLines = Object.values(lines).map((line) => parseUri(pingAddressOf(line))?.host ?? '');
  return [...hostsOf(routes), ...ofLines].some((host) => !isLoopback(host));
}
