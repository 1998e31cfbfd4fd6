import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnvironment, runToEnd } from './childProcess.ts';
import type { InstalledServer } from './install.ts';
import type { Profile } from './profile.ts';
import { endStrays, runVariable } from './strays.ts';

export interface ServerOptions {
  profile: Profile;
  /** For the extension host and all its children. */
  env?: Record<string, string>;
  /** Lets a page name an extension under development and its tests; the editor then refuses modal dialogs. */
  underTest?: boolean;
  /** Every line of the server's output. */
  onLine?: (line: string) => void;
}

export interface RunningServer {
  /** Without a slash at its end. */
  origin: string;
  /** `host:port`, as in `vscode-remote:` addresses. */
  authority: string;
  /** Resolves when the process has ended, for any reason. */
  ended: Promise<void>;
  /** Ends the server, its extension hosts, and all their children. */
  stop(): Promise<void>;
}

const endGraceMs = 3_000;

/** Starts the server on a free port of 127.0.0.1. */
export async function startServer(installed: InstalledServer, options: ServerOptions): Promise<RunningServer> {
  const run = randomUUID();
  const child = spawn(
    installed.node,
    [
      ...serverArguments(installed, options.profile),
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--without-connection-token',
      // Ends a server whose tests were killed and couldn't stop it.
      '--enable-remote-auto-shutdown',
      ...(options.underTest === true ? ['--enable-smoke-test-driver'] : []),
    ],
    {
      env: serverEnvironment(options.profile, { ...options.env, [runVariable]: run }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    await endGroup(child, ended);
    await endStrays(run);
  };
  try {
    const authority = `127.0.0.1:${await readPort(child, options.onLine)}`;
    return { origin: `http://${authority}`, authority, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Installs a packed extension into the profile. */
export async function installExtension(installed: InstalledServer, profile: Profile, vsix: string): Promise<void> {
  await runToEnd(installed.node, [...serverArguments(installed, profile), '--install-extension', vsix], {
    env: serverEnvironment(profile, {}),
  });
}

function serverArguments(installed: InstalledServer, profile: Profile): string[] {
  return [
    path.join(installed.folder, 'out/server-main.js'),
    '--accept-server-license-terms',
    '--server-data-dir',
    profile.serverData,
    '--extensions-dir',
    profile.extensions,
    '--user-data-dir',
    profile.userData,
    '--telemetry-level',
    'off',
    '--disable-workspace-trust',
  ];
}

function serverEnvironment(profile: Profile, additions: Record<string, string>): NodeJS.ProcessEnv {
  return cleanEnvironment({
    HOME: profile.home,
    TMPDIR: profile.temporary,
    XDG_RUNTIME_DIR: profile.temporary,
    ...additions,
  });
}

/** @throws Error with the server's output if it ends before it listens. */
function readPort(child: ChildProcess, onLine: ((line: string) => void) | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const beginning: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) {
        continue;
      }
      createInterface({ input: stream }).on('line', (line) => {
        beginning.push(line);
        beginning.splice(100);
        const port = /Extension host agent listening on (\d+)/.exec(line)?.[1];
        if (port !== undefined) {
          resolve(port);
        }
        onLine?.(line);
      });
    }
    child.once('error', (error) =>
      reject(new Error(`VS Code's server does not start: ${error.message}`, { cause: error })),
    );
    child.once('close', (code) =>
      reject(new Error(`VS Code's server ended with ${String(code)}:\n${beginning.join('\n')}`)),
    );
  });
}

async function endGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  signalGroup(child.pid, 'SIGTERM');
  const leader = child.pid;
  const force = setTimeout(() => signalGroup(leader, 'SIGKILL'), endGraceMs);
  await ended;
  clearTimeout(force);
  // The leader has ended; children that ignored the first signal haven't.
  signalGroup(leader, 'SIGKILL');
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // No process of the group is left.
  }
}
