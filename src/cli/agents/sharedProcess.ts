import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { parsedJson } from '../../base/parsedJson.ts';
import { HumanError } from '../../contract/errors.ts';
import type { BridgedService, McpAddress } from './bridgeStdio.ts';

const readySchema = z.object({ event: z.literal('ready'), mcpUrl: z.url(), apiKey: z.string() });
/** An agent that thinks for a while finds the service still running. */
const idleExitSeconds = '600';

/**
 * The service of a data folder, which all processes of a user share. It is started when it is needed, and outlives this
 * process. If another process owns the folder, a start returns the address of its service.
 */
export class SharedProcess implements BridgedService {
  readonly #dataDir: string;
  #address: Promise<McpAddress> | undefined;
  readonly #children = new Set<ChildProcess>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** @throws HumanError `start_failed` */
  address(): Promise<McpAddress> {
    return (this.#address ??= this.#start().catch((error: unknown) => {
      this.lost();
      throw error;
    }));
  }

  lost(): void {
    this.#address = undefined;
  }

  /** Lets this process end before the services that it started. */
  release(): void {
    for (const { stdout, stderr } of this.#children) for (const output of [stdout, stderr]) output?.destroy();
  }

  async #start(): Promise<McpAddress> {
    const program = [...process.execArgv, path.resolve(process.argv[1] ?? '')];
    const options = ['serve', '--data', this.#dataDir, '--idle-exit', idleExitSeconds];
    const child = spawn(process.execPath, [...program, ...options], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.unref();
    this.#children.add(child);
    let lastWords = '';
    // A process that can't be started has no output.
    child.once('error', (error) => {
      lastWords = error.message;
    });
    child.once('close', () => this.#children.delete(child));
    // The whole log is read, so that it never blocks the service.
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (/^[A-Z"]/.test(line)) lastWords = line;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const ready = readySchema.safeParse(parsedJson(line));
      if (ready.success) return ready.data;
    }
    throw new HumanError(`The service didn't start. ${lastWords}`, { code: 'start_failed' });
  }
}
