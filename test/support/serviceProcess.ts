import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { within } from './patience.ts';

type Line = Record<string, unknown>;

/** A child process that writes JSON lines to stdout. */
export class JsonProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  errors = '';
  readonly #lines: Line[] = [];
  /** What waits for news of the process. */
  readonly #waiting = new Set<() => void>();
  #over = false;

  /** `node`: the Node that runs it; ours by default. `environment`: added to ours. */
  constructor(
    file: URL,
    args: readonly string[],
    {
      node = process.execPath,
      environment = {},
    }: { readonly node?: string; readonly environment?: Readonly<Record<string, string>> } = {},
  ) {
    // Each process compiles the store's WebAssembly again: the optimising compiler costs more than it saves here.
    this.child = spawn(node, ['--liftoff-only', fileURLToPath(file), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    this.exited = once(this.child, 'close').then(([code]: unknown[]) => {
      this.#over = true;
      this.#wake();
      return code as number | null;
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
      this.#wake();
    });
    if (this.child.stdout)
      createInterface(this.child.stdout).on('line', (line) => {
        this.#lines.push(JSON.parse(line) as Line);
        this.#wake();
      });
  }

  /** The number of lines of this kind so far. */
  count(event: string): number {
    return this.#lines.filter((line) => line['event'] === event).length;
  }

  /** Returns the first line of this kind, or the `nth`, counted from 1; waits for it. */
  async line(event: string, nth = 1): Promise<Line> {
    for (;;) {
      const found = this.#lines.filter((line) => line['event'] === event)[nth - 1];
      if (found) return found;
      if (this.#over) throw new Error(`the process ended without saying "${event}": ${this.errors.slice(0, 2000)}`);
      await this.#more(`the process says "${event}"`);
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves when the process has said something, or has ended. */
  async #more(what: string): Promise<void> {
    const news = new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
    });
    await within(news, what, () => this.errors.slice(-2000));
  }

  /** Returns the match in stderr; waits for it. */
  async error(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.errors);
      if (found) return found;
      if (this.#over)
        throw new Error(`the process ended without saying ${String(pattern)}: ${this.errors.slice(0, 2000)}`);
      await this.#more(`the process says ${String(pattern)}`);
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    if (!this.#over) this.child.kill(signal);
    return await this.exited;
  }
}
