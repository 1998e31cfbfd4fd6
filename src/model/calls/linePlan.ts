import type { Routes } from '../../contract/dialPlan.ts';
import type { Line, Lines } from '../../contract/lines.ts';

/** Where a number is called, at what rate, and over which line. */
export interface PlannedRoute {
  readonly uri: string;
  readonly costPerMinute?: number | undefined;
  readonly line?: string;
}

/** Host and port, or the SIP address. */
export const addressOf = (line: Line): string => (line.kind === 'uri' ? line.uri : line.host);

/** As a parameter of a SIP address (RFC 3261 section 19.1.1), which is over UDP without one. */
export const overTransport = (address: string, { transport = 'udp' }: Pick<Line, 'transport'>): string =>
  transport === 'udp' ? address : `${address};transport=${transport}`;

/** The SIP address that a number is called at over this line, in which `{number}` stands for it. */
export const templateOf = (line: Line): string =>
  overTransport(line.kind === 'uri' ? line.uri : `sip:{number}@${line.host}`, line);

/** What is asked whether it is there: the exchange itself, or the address. */
export const pingAddressOf = (line: Line): string =>
  overTransport(line.kind === 'uri' ? line.uri : `sip:${line.host}`, line);

/** The dial plan of routes and lines together. The longest key wins, and of two alike that of the routes. */
export function dialPlanOf(routes: Routes, lines: Lines): Readonly<Record<string, PlannedRoute>> {
  const ofLines = Object.entries(lines).flatMap(([name, line]) =>
    line.numbers.map(
      (number) =>
        [
          number,
          {
            uri: templateOf(line),
            line: name,
            ...(line.costPerMinute !== undefined && { costPerMinute: line.costPerMinute }),
          },
        ] as const,
    ),
  );
  const ofRoutes = Object.entries(routes).map(
    ([number, route]) => [number, typeof route === 'string' ? { uri: route } : route] as const,
  );
  return Object.fromEntries([...ofLines, ...ofRoutes]);
}

/** The variable of the environment in which a service finds the password of a line. */
export const passwordVariable = (name: string): string =>
  `DIALTREE_LINE_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`;
