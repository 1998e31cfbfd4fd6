import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { cancelled } from '../calling/patiently.ts';

const readySchema = z.object({ event: z.literal('ready'), targets: z.array(z.object({ uri: z.string() })).min(1) });
/** A process that hasn't hung up all calls and ended within this time is stopped. */
const endingMs = 5000;

/**
 * Runs `work` while this IVR answers at `uri` in a separate process, so that the caller and the callee of many calls
 * don't wait for each other. All prompts are synthesised first. The process doesn't receive our Ctrl+C, so the calling
 * side hangs up. It ends when this process ends.
 */
export async function withPracticeProcess<Result>(
  file: string,
  signal: AbortSignal,
  onLost: () => void,
  work: (uri: string) => Promise<Result>,
): Promise<Result> {
  const program = [...process.execArgv, process.argv[1] ?? ''];
  const child = spawn(process.execPath, [...program, 'practice', file, '--port', '0', '--json', '--speak-first'], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, DIALTREE_MODEL_KEY: '', DIALTREE_API_KEY: '' },
  });
  const exited = once(child, 'exit').catch(() => undefined);
  try {
    const uri = await addressOf(child, exited, signal);
    child.once('exit', onLost);
    return await work(uri);
  } finally {
    child.off('exit', onLost);
    child.kill('SIGTERM');
    const late = setTimeout(() => {
      child.kill('SIGKILL');
    }, endingMs);
    await exited;
    clearTimeout(late);
  }
}

async function addressOf({ stdout }: ChildProcess, exited: Promise<unknown>, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: stdout as Readable });
  try {
    const line: unknown = await Promise.race([
      once(lines, 'line', { signal }).then(([text]) => text as unknown),
      exited,
    ]);
    if (typeof line !== 'string') throw new HumanError("Couldn't start the practice IVR. See its output above.");
    return readySchema.parse(JSON.parse(line)).targets[0]?.uri ?? '';
  } catch (cause) {
    if (signal.aborted) throw cancelled(cause);
    throw cause;
  } finally {
    lines.close();
    // The rest of the output isn't read, and must not block the process.
    stdout?.resume();
  }
}
