import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Line = Record<string, unknown>;

/** A child process that speaks JSON lines on stdout. */
export class JsonProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  errors = '';
  readonly #lines: Line[] = [];
  #wake: () => void = () => undefined;
  #over = false;

  /** `node`: the Node that runs it, else ours. `environment`: added to ours. */
  constructor(
    file: URL,
    args: readonly string[],
    {
      node = process.execPath,
      environment = {},
    }: { readonly node?: string; readonly environment?: Readonly<Record<string, string>> } = {},
  ) {
    // The store's WebAssembly is compiled in each process anew: the optimising compiler costs more than it saves here.
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

  /** How many lines of this kind it has written. */
  count(event: string): number {
    return this.#lines.filter((line) => line['event'] === event).length;
  }

  /** The first line of this kind, now or later; or the `nth`, from 1. */
  async line(event: string, nth = 1): Promise<Line> {
    for (;;) {
      const found = this.#lines.filter((line) => line['event'] === event)[nth - 1];
      if (found) return found;
      if (this.#over) throw new Error(`the process ended without saying "${event}": ${this.errors.slice(0, 2000)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What stderr says where it matches, now or later. */
  async error(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.errors);
      if (found) return found;
      if (this.#over)
        throw new Error(`the process ended without saying ${String(pattern)}: ${this.errors.slice(0, 2000)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    if (!this.#over) this.child.kill(signal);
    return await this.exited;
  }
}
