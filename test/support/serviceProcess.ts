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

  constructor(file: URL, args: readonly string[]) {
    this.child = spawn(process.execPath, [fileURLToPath(file), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.exited = once(this.child, 'close').then(([code]: unknown[]) => {
      this.#over = true;
      this.#wake();
      return code as number | null;
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    if (this.child.stdout)
      createInterface(this.child.stdout).on('line', (line) => {
        this.#lines.push(JSON.parse(line) as Line);
        this.#wake();
      });
  }

  /** The first line of this kind, now or later. */
  async line(event: string): Promise<Line> {
    for (;;) {
      const found = this.#lines.find((line) => line['event'] === event);
      if (found) return found;
      if (this.#over) throw new Error(`the process ended without saying "${event}": ${this.errors.slice(0, 2000)}`);
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
