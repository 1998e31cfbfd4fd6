import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../host/cache.ts';
import { cleanEnvironment, runToEnd } from '../host/childProcess.ts';

const cli = path.join(repositoryRoot, 'dist/cli.js');

/** The built service as a remote server: its own folder, its own process, codes by SMS and mail on its stderr. */
export class RemoteService {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #port = '0';
  #errors = '';
  #wake: () => void = () => undefined;
  /** REST address, such as `http://127.0.0.1:4711/v1`. */
  baseUrl = '';

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(): Promise<RemoteService> {
    const service = new RemoteService(await mkdtemp(path.join(tmpdir(), 'dialtree-remote-')));
    try {
      await service.resume();
    } catch (error) {
      await service.remove();
      throw error;
    }
    return service;
  }

  get origin(): string {
    return new URL(this.baseUrl).origin;
  }

  /** Starts a stopped service again, at the same address. */
  async resume(): Promise<void> {
    const options = ['--data', this.#data, '--port', this.#port, '--sms', 'log', '--mail', 'log'];
    const child = spawn(process.execPath, [cli, 'serve', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: cleanEnvironment(),
    });
    this.#child = child;
    this.#exited = once(child, 'close');
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
      this.#wake();
    });
    const lines = createInterface(child.stdout);
    const line = await Promise.race([
      once(lines, 'line').then(([text]: unknown[]) => String(text)),
      this.#exited.then(() => undefined),
    ]);
    if (line === undefined) throw new Error(`The service ended before it was ready: ${this.#errors.slice(-2000)}`);
    ({ baseUrl: this.baseUrl } = JSON.parse(line) as { baseUrl: string });
    this.#port = new URL(this.baseUrl).port;
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM');
    await this.#exited;
  }

  /** Returns the `count`th code that was sent to a number, now or later. */
  async code(phoneNumber: string, count = 1): Promise<string> {
    for (;;) {
      const sent = this.#errors
        .split('\n')
        .filter((line) => line.includes(phoneNumber))
        .flatMap((line) => /\b\d{6}\b/.exec(line)?.[0] ?? []);
      const code = sent[count - 1];
      if (code !== undefined) return code;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns the first code that was mailed to an address, now or later. */
  async mailedCode(email: string): Promise<string> {
    for (;;) {
      const mail = this.#errors.split(`Mail to ${email}: `)[1];
      const code = /\b\d{8}\b/.exec(mail ?? '')?.[0];
      if (code !== undefined) return code;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** An operator's work while the service is stopped. */
  async admin(...args: string[]): Promise<string> {
    return runToEnd(process.execPath, [cli, 'admin', ...args, '--data', this.#data], { env: cleanEnvironment() });
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return path.join(this.#folder, 'data');
  }
}

export async function withRemoteService<T>(work: (service: RemoteService) => Promise<T>): Promise<T> {
  const service = await RemoteService.start();
  try {
    return await work(service);
  } finally {
    await service.remove();
  }
}
