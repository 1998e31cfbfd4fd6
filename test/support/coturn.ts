import { findPackages } from './debianPackages.ts';
import { startForeign, type ForeignProcess } from './foreignProcess.ts';

const options =
  '-n -v --stun-only --no-cli --no-tls --no-dtls --no-tcp --log-file=stdout --simple-log --pidfile=/dev/null --userdb=/dev/null';

/**
 * Returns what starts Debian's coturn as a STUN server, or undefined and prints the reason if it isn't available. `prefix`
 * is a command that runs it, such as one that enters a namespace.
 */
export function findCoturn():
  ((host: string, port: number, prefix?: readonly string[]) => Promise<ForeignProcess>) | undefined {
  const found = findPackages({ name: 'coturn', release: 'bookworm', packages: ['coturn=4.6.1-1'] });
  if (!found) return undefined;
  const command = [...found.command('usr/bin/turnserver'), ...options.split(' ')];
  return (host, port, prefix = []) =>
    startForeign(
      'coturn',
      () => [...prefix, ...command, `--listening-ip=${host}`, `--listening-port=${String(port)}`],
      (output) => output.includes('UDP listener opened on'),
    );
}
