import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freeUdpPort } from './freeUdpPort.ts';

const PACKAGE = 'sip-tester';

/**
 * Returns the path of a sipp binary: on PATH, else installed from Debian, else unpacked into a cache folder. Returns
 * undefined and prints the reason if it isn't available; throws in CI.
 */
export function findSipp(): string | undefined {
  const problems: string[] = [];
  for (const find of [onPath, installed, unpacked]) {
    try {
      const sipp = find();
      if (sipp !== undefined) return sipp;
    } catch (error) {
      problems.push(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
    }
  }
  const reason = `sipp is not available: ${problems.join('; ')}`;
  if (process.env['CI']) throw new Error(reason);
  console.warn(`    skipped: ${reason}`);
  return undefined;
}

function onPath(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'sipp'))
    .find((file) => existsSync(file));
}

function run(command: string, args: string[], cwd?: string): void {
  execFileSync(command, args, { cwd, stdio: 'pipe', timeout: 180_000 });
}

function installed(): string | undefined {
  if (userInfo().uid !== 0) return undefined;
  run('apt-get', ['update']);
  run('apt-get', ['install', '-y', PACKAGE]);
  return onPath();
}

function unpacked(): string | undefined {
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(userInfo().homedir, '.cache'), 'dialtree-sipp');
  const sipp = path.join(cache, 'usr', 'bin', 'sipp');
  if (!existsSync(sipp)) {
    mkdirSync(cache, { recursive: true });
    run('apt-get', ['download', PACKAGE], cache);
    const archive = readdirSync(cache).find((file) => file.startsWith(PACKAGE) && file.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get download left no package');
    run('dpkg', ['-x', path.join(cache, archive), cache]);
  }
  return sipp;
}

export interface SippRun {
  readonly port: number;
  /** Exit code: 0 if every call went as the scenario says. */
  readonly exit: Promise<number>;
  /** Ends the process if it still runs, and removes its files. */
  stop(): Promise<void>;
  /** What sipp wrote about failures. */
  errors(): string;
}

/** Runs one of our scenarios (XML text) or a built-in one (`uas`, `uac`). */
export async function startSipp(
  sipp: string,
  options: { scenario: string; args?: string[]; target?: string },
): Promise<SippRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dialtree-sipp-'));
  const port = await freeUdpPort();
  const scenario = options.scenario.startsWith('<')
    ? ['-sf', path.join(folder, 'scenario.xml')]
    : ['-sn', options.scenario];
  if (options.scenario.startsWith('<')) writeFileSync(path.join(folder, 'scenario.xml'), options.scenario);
  const args = [
    ...scenario,
    '-i',
    '127.0.0.1',
    '-p',
    String(port),
    '-nostdin',
    '-timeout',
    '60',
    '-timeout_error',
    ...(options.args ?? []),
    ...(options.target === undefined ? [] : [options.target]),
  ];
  let output = '';
  const child: ChildProcess = spawn(sipp, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TERM: 'dumb' },
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  const exit = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 255));
  if (options.target === undefined) await listening(port);
  return {
    port,
    exit,
    errors: () => output,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Waits until the system lists the port as bound: sipp prints no line when it is ready, and a test bind would take the
 * port.
 */
async function listening(port: number): Promise<void> {
  const entry = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  for (let attempt = 0; attempt < 1000; attempt++) {
    if (['udp', 'tcp'].some((table) => readFileSync(`/proc/net/${table}`, 'utf8').includes(entry))) return;
    await setTimeout(10);
  }
  throw new Error('sipp never opened its port');
}
