import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';

export interface PlannedRoute {
  readonly uri: string;
  readonly costPerMinute?: number | undefined;
  readonly line?: string;
}

export const addressOf = (line: Line): string => (line.kind === 'uri' ? line.uri : line.host);

/** Returns the settings of a line that a list shows, without its user. */
export function shownSettings(line: Line) {
  const { kind, transport, numbers, dtmf, callerId, callerIds } = line;
  const { callsPerSecond, concurrentCalls, ringSeconds, costPerMinute } = line;
  const limits = { callsPerSecond, concurrentCalls, ringSeconds, costPerMinute };
  return withoutUndefined({
    kind,
    address: addressOf(line),
    transport,
    numbers,
    dtmf,
    callerId,
    callerIds,
    ...limits,
  });
}

/** Adds the transport as a parameter of a SIP address (RFC 3261 section 19.1.1). Without it, the address means UDP. */
export const overTransport = (address: string, { transport = 'udp' }: Pick<Line, 'transport'>): string =>
  transport === 'udp' ? address : `${address};transport=${transport}`;

/** Returns the SIP address of a number over this line, with `{number}` for the number. */
export const templateOf = (line: Line): string =>
  overTransport(line.kind === 'uri' ? line.uri : `sip:{number}@${line.host}`, line);

/** Returns the address for a line check: the exchange itself, or the address. */
export const pingAddressOf = (line: Line): string =>
  overTransport(line.kind === 'uri' ? line.uri : `sip:${line.host}`, line);

/** Combines the dial plans of routes and lines. The longest key wins; of two equal keys, that of the routes. */
export function dialPlanOf(routes: Routes, lines: Lines): Readonly<Record<string, PlannedRoute>> {
  const ofLines = Object.entries(lines).flatMap(([name, line]) =>
    line.numbers.map(
      (number) =>
        [
          number,
          {
            uri: templateOf(line),
            line: name,
            costPerMinute: line.costPerMinute,
          },
        ] as const,
    ),
  );
  const ofRoutes = Object.entries(routes).map(
    ([number, route]) => [number, typeof route === 'string' ? { uri: route } : route] as const,
  );
  return Object.fromEntries([...ofLines, ...ofRoutes]);
}

export const passwordVariable = (name: string): string =>
  `DIALTREE_LINE_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`;
