import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { within } from '../../support/patience.ts';

const main = fileURLToPath(new URL('../../../src/cli/dialtree.ts', import.meta.url));

export const repositoryFile = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string;
  /** Whether the input ends. True by default. */
  readonly ends?: boolean;
  readonly cwd?: string;
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A command line in a separate process. */
export class CliProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<number | null>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], { input = '', ends = true, cwd, env }: CliOptions = {}) {
    this.#child = spawn(process.execPath, [main, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd,
      env: { ...process.env, ...env },
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stdout += chunk;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr += chunk;
    });
    this.#exited = once(this.#child, 'close').then(([code]) => code as number | null);
    // A command that doesn't read its input can have exited already.
    this.#child.stdin.on('error', () => undefined).write(input);
    if (ends) this.#child.stdin.end();
  }

  /** Returns the first line of standard output; rejects if the process ends without one. */
  async firstLine(): Promise<string> {
    while (!this.#stdout.includes('\n')) {
      const ended = await Promise.race([
        once(this.#child.stdout, 'data').then(() => false),
        this.#exited.then(() => true),
      ]);
      if (ended && !this.#stdout.includes('\n')) throw new Error(`it ended without a line: ${this.#stderr}`);
    }
    return this.#stdout.slice(0, this.#stdout.indexOf('\n'));
  }

  /** Settles when standard error matches this; rejects if the process ends without it. */
  async told(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#stderr)) {
      const ended = await Promise.race([
        once(this.#child.stderr, 'data').then(() => false),
        this.#exited.then(() => true),
      ]);
      if (ended && !pattern.test(this.#stderr)) throw new Error(`it ended without ${String(pattern)}: ${this.#stderr}`);
    }
  }

  async result(): Promise<CliResult> {
    const code = await within(this.#exited, 'the command ends', () => `${this.#stdout}${this.#stderr}`);
    return { code, stdout: this.#stdout, stderr: this.#stderr };
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void {
    this.#child.kill(name);
  }

  /** Stops reading the output, like `| head` when it has enough. */
  close(output: 'stdout' | 'stderr'): void {
    this.#child[output].destroy();
  }

  /** Kills it, even if it has already ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

export const dialtree = (
  args: readonly string[],
  input = '',
  options: Omit<CliOptions, 'input'> = {},
): Promise<CliResult> => new CliProcess(args, { ...options, input }).result();
