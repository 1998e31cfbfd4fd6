import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findPackages } from './debianPackages.ts';
import { within } from './patience.ts';

/** A STUN server that runs until it is stopped. */
export interface Coturn {
  readonly stop: () => Promise<void>;
}

/**
 * Returns what starts Debian's coturn as a STUN server, or undefined and prints the reason if it isn't available. `prefix`
 * is a command that runs it, such as one that enters a namespace.
 */
export function findCoturn():
  ((host: string, port: number, prefix?: readonly string[]) => Promise<Coturn>) | undefined {
  const found = findPackages({ name: 'coturn', release: 'bookworm', packages: ['coturn=4.6.1-1'] });
  if (!found) return undefined;
  return async (host, port, prefix = []) => {
    const [program = '', ...args] = [
      ...prefix,
      ...found.command('usr/bin/turnserver'),
      ...[
        '-n',
        '-v',
        '--stun-only',
        '--no-cli',
        '--no-tls',
        '--no-dtls',
        '--no-tcp',
        '--log-file=stdout',
        '--simple-log',
      ],
      ...['--pidfile=/dev/null', '--userdb=/dev/null', `--listening-ip=${host}`, `--listening-port=${String(port)}`],
    ];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    await untilItSays(child, /UDP listener opened on/);
    return {
      stop: async () => {
        const ended = once(child, 'exit');
        if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      },
    };
  };
}

async function untilItSays(child: ChildProcess, wanted: RegExp): Promise<void> {
  const output: string[] = [];
  if (!child.stdout) throw new Error('coturn has no output');
  const lines = createInterface(child.stdout);
  const said = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      if (wanted.test(line)) resolve();
    });
    child.once('exit', () => reject(new Error(`coturn ended: ${output.join('\n')}`)));
  });
  await within(said, 'coturn listens', () => output);
}
