import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What is used of a child process. */
export interface NodeChild {
  readonly pid?: number | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  kill(signal: 'SIGTERM' | 'SIGKILL'): boolean;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  /** After the exit, when nothing more can come out of the pipes. */
  once(event: 'close', listener: () => void): unknown;
  /** Lets this process end before the child. */
  unref(): void;
}

export interface SpawnOptions {
  /** The child outlives this window. */
  readonly survives: boolean;
  /** Beside what this process has, or in its place. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a script on the editor's own Node. */
export type SpawnNode = (script: string, args: readonly string[], options: SpawnOptions) => NodeChild;

export const spawnNode: SpawnNode = (script, args, { survives, environment }) =>
  spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...environment, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: survives,
    windowsHide: true,
  });

const politeMs = 6_000;
const lookEveryMs = 50;

/** Ends a process of this user that is no child of ours: politely, then not. Resolves when it is gone. */
export async function endProcess(pid: number): Promise<void> {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, name);
    } catch {
      return false;
    }
  };
  if (!signal('SIGTERM')) return;
  for (let waited = 0; signal(0); waited += lookEveryMs) {
    if (waited === politeMs) signal('SIGKILL');
    if (waited > 2 * politeMs) return;
    await new Promise((resolve) => {
      setTimeout(resolve, lookEveryMs);
    });
  }
}
