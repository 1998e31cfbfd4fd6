import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { patienceMs } from './patience.ts';

/** A program that isn't a part of Dialtree. It runs until it is stopped, in a folder that is removed with it. */
export interface ForeignProcess {
  /** All that it printed. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the command that `configure` returns for its folder, and waits until `isReady`, which gets what it has
 * printed.
 *
 * @throws Error with what it printed if it doesn't start.
 */
export async function startForeign(
  name: string,
  configure: (folder: string) => readonly string[] | Promise<readonly string[]>,
  isReady: (output: string) => boolean | Promise<boolean>,
): Promise<ForeignProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), `dialtree-${name}-`));
  let output = '';
  let hasEnded = false;
  let stop = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const [program = '', ...args] = await configure(folder);
    // Its processes are one group.
    const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const ended = new Promise<void>((resolve) => {
      for (const event of ['exit', 'error'])
        child.once(event, () => {
          hasEnded = true;
          resolve();
        });
    });
    const kill = (): void => {
      if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, 'SIGKILL');
    };
    // If the test process breaks off, nothing calls `stop`.
    const abandon = (): void => {
      kill();
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', abandon);
    stop = async () => {
      process.off('exit', abandon);
      kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    };
    const deadline = Date.now() + patienceMs;
    while (!(await isReady(output))) {
      if (hasEnded || Date.now() > deadline) throw new Error(`${name} didn't start.`);
      await setTimeout(50);
    }
    return { output: () => output, stop };
  } catch (error) {
    await stop();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output}`, { cause: error });
  }
}
