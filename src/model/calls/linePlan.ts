import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines, LineSrtp } from '../../contract/lines.ts';

export interface PlannedRoute {
  readonly uri: string;
  readonly costPerMinute?: number | undefined;
  readonly line?: string;
  /** Lines that serve the same numbers, and are tried after `line`, in order. */
  readonly otherLines?: readonly string[];
}

export const addressOf = (line: Line): string => (line.kind === 'uri' ? line.uri : line.host);

/** Returns what a line serves: its numbers and prefixes, and its own address or, for a PBX, the extensions. */
export const targetsOf = (line: Line): readonly string[] => [
  ...(line.kind === 'uri' ? [line.uri] : line.kind === 'pbx' ? [`sip:*@${line.host}`] : []),
  ...line.numbers,
];

/** Returns the settings of a line that a list shows: neither its user nor the values of its header fields. */
export function shownSettings(line: Line) {
  const { user: _user, headers, clientCertificate, ...settings } = line;
  return withoutUndefined({
    ...settings,
    host: undefined,
    uri: undefined,
    address: addressOf(line),
    headers: headers && Object.keys(headers),
    clientCertificate: clientCertificate && true,
  });
}

/** Lines in the order in which they are tried: by priority, then by name. */
export const inOrder = (lines: Lines): (readonly [name: string, line: Line])[] =>
  Object.entries(lines).sort(
    ([name, { priority = 0 }], [other, { priority: others = 0 }]) =>
      priority - others || (name < other ? -1 : Number(name > other)),
  );

/** Adds the transport as a parameter of a SIP address (RFC 3261 section 19.1.1). Without it, the address means UDP. */
export const overTransport = (address: string, { transport = 'udp' }: Pick<Line, 'transport'>): string =>
  transport === 'udp' ? address : `${address};transport=${transport}`;

/** Returns the SIP address of a number over this line, with `{number}` for the number. */
export const templateOf = (line: Line): string =>
  overTransport(line.kind === 'uri' ? line.uri : `sip:{number}@${line.host}`, line);

/** Returns the address for a line check: the exchange itself, or the address. */
export const pingAddressOf = (line: Line): string =>
  overTransport(line.kind === 'uri' ? line.uri : `sip:${line.host}`, line);

export const srtpOf = ({ srtp, transport }: Line): LineSrtp => srtp ?? (transport === 'tls' ? 'prefer' : 'off');

/** Returns the SIP URI of the proxy to which all requests of this line go (RFC 3261 section 8.1.2). */
export const proxyOf = (line: Line): string | undefined =>
  line.outboundProxy === undefined ? undefined : `${overTransport(`sip:${line.outboundProxy}`, line)};lr`;

/**
 * Combines the dial plans of routes and lines. The longest key wins; of equal keys, that of the routes, then that of
 * the first line in order.
 */
export function dialPlanOf(routes: Routes, lines: Lines): Readonly<Record<string, PlannedRoute>> {
  const ofLines: Record<string, PlannedRoute> = {};
  for (const [name, line] of inOrder(lines)) {
    for (const number of new Set(line.numbers)) {
      const first = ofLines[number];
      ofLines[number] = first
        ? { ...first, otherLines: [...(first.otherLines ?? []), name] }
        : { uri: templateOf(line), line: name, costPerMinute: line.costPerMinute };
    }
  }
  const ofRoutes = Object.entries(routes).map(
    ([number, route]) => [number, typeof route === 'string' ? { uri: route } : route] as const,
  );
  return { ...ofLines, ...Object.fromEntries(ofRoutes) };
}

export const passwordVariable = (name: string): string =>
  `DIALTREE_LINE_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`;
