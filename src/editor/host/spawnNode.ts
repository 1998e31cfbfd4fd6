import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface NodeChild {
  readonly pid?: number | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  kill(signal: 'SIGTERM' | 'SIGKILL'): boolean;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  /** After the exit, when the pipes are empty. */
  once(event: 'close', listener: () => void): unknown;
  /** Lets this process end before the child. */
  unref(): void;
}

export interface SpawnOptions {
  /** The child outlives this window. */
  readonly survives: boolean;
  /** Adds to or replaces variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a script with the editor's own Node. */
export type SpawnNode = (script: string, args: readonly string[], options: SpawnOptions) => NodeChild;

/**
 * Makes the C library of Linux give freed memory back to the system. V8 briefly needs 600 MB to optimise the largest
 * function of the store's WebAssembly. By default, the library then raises this threshold, and keeps 50 to 100 MB of
 * that for as long as the process runs.
 */
export const heapFlags = { MALLOC_MMAP_THRESHOLD_: '1048576' } as const;

export const spawnNode: SpawnNode = (script, args, { survives, environment }) =>
  spawn(process.execPath, [script, ...args], {
    env: { ...heapFlags, ...process.env, ...environment, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: survives,
    windowsHide: true,
  });

const politeMs = 6_000;
const lookEveryMs = 50;

/** Ends a process of this user that isn't a child: first politely, then by force. Resolves when it is gone. */
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
