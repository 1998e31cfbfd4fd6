import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { finished } from 'node:stream/promises';

export interface WatchedOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives its output, both stdout and stderr. */
  readonly say: (part: Buffer) => void;
  /** It is ended after this long without output. */
  readonly silentMs: number;
  /** Its niceness and that of the processes that it starts, 0 to 19. Default 0. */
  readonly niceness?: number | undefined;
}

/** Output that is on its way when a process ends comes within this time. */
const lastWordsMs = 5000;

/** The process groups started here, by the PID of their first process. */
const groups = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const group of groups) endGroup(group);
    process.kill(process.pid, signal);
  });
}

/**
 * Runs a command in a separate process group, which is removed when the command ends or is silent for too long.
 * Resolves with its exit code, 1 if a signal ended it, or undefined if it was ended because of its silence.
 */
export async function runWatched(
  command: string,
  args: readonly string[],
  { cwd, env, say, silentMs, niceness = 0 }: WatchedOptions,
): Promise<number | undefined> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    groups.add(pid);
    if (niceness > 0) yieldTo(pid, niceness);
  }
  let silent = false;
  let timer: NodeJS.Timeout | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      silent = true;
      if (pid !== undefined) endGroup(pid);
    }, silentMs);
  };
  listen();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      listen();
      say(part);
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      say(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on('exit', (status) => resolve(status ?? 1));
  });
  clearTimeout(timer);
  if (pid !== undefined) {
    endGroup(pid);
    groups.delete(pid);
    // A process that left the group can still hold the outputs.
    for (const stream of [child.stdout, child.stderr])
      await finished(stream, { signal: AbortSignal.timeout(lastWordsMs) }).catch(() => {
        stream.destroy();
      });
  }
  return silent ? undefined : code;
}

/** What a process starts inherits its niceness. */
function yieldTo(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system has no niceness.
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
