import { mkdir } from 'node:fs/promises';
import * as z from 'zod';
import type { Routes } from '../../contract/dialPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Lines } from '../../contract/lines.ts';
import type { Basics } from '../basics/createBasics.ts';
import { after } from '../basics/wallClock.ts';
import { Emitter } from '../basics/emitter.ts';
import { describeCause } from '../basics/log/logger.ts';
import { whenReady } from './readyLine.ts';
import type { ServiceAddress } from './serviceClient.ts';
import type { NodeChild, SpawnNode } from './spawnNode.ts';

const readySchema = z.object({
  event: z.literal('ready'),
  baseUrl: z.url(),
  apiKey: z.string(),
  /** False: another process owns this data folder. This one only reports the owner's address, and ends. */
  owner: z.boolean(),
  /** The process id of the owner. */
  pid: z.int().optional(),
});

interface EmbeddedServiceOptions extends Pick<Basics, 'clock' | 'l10n' | 'log'> {
  readonly spawn: SpawnNode;
  /** Ends a process that isn't this window's child, and waits for its end. */
  readonly endProcess: (pid: number) => Promise<void>;
  /** `dist/service.js`. */
  readonly script: string;
  readonly dataFolder: string;
  readonly assetsFolder: string;
  /** The dial plan, read at each start. */
  readonly routes: () => Routes;
  /** The lines for calls, read at each start. Their passwords are in the environment. */
  readonly lines: () => Lines;
  /** The language model and the passwords of lines, read at each start. */
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
}

export type EmbeddedState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly address: ServiceAddress }
  /** It crashed, and will restart by itself in a moment. */
  | { readonly kind: 'crashed' }
  /** It isn't started again until `restart` is called. */
  | { readonly kind: 'failed'; readonly error: Error };

/** After more crashes than this within the window, the service isn't restarted automatically. */
const crashes = { most: 3, windowMs: 60_000 };
const backOffMs = [500, 2_000, 5_000];
const stopMs = 6_000;
const startMs = 60_000;
const idleExitSeconds = 60;

/**
 * The service as a child process. One process owns the data folder for all windows of a user: a child that finds an
 * owner reports the owner's address and ends. This class doesn't care which window the process belongs to, except that
 * only its own child can be stopped.
 */
export class EmbeddedService {
  readonly #options: EmbeddedServiceOptions;
  readonly #changed = new Emitter<EmbeddedState>();
  readonly onDidChange = this.#changed.listen;
  #state: EmbeddedState = { kind: 'stopped' };
  #starting: Promise<ServiceAddress> | undefined;
  #restarting: Promise<ServiceAddress> | undefined;
  /** The child, while it owns the folder. */
  #child: NodeChild | undefined;
  /** The owner's process id, if another window or an earlier one started it. */
  #ownerPid: number | undefined;
  #childExit: Promise<unknown> = Promise.resolve();
  #crashTimes: number[] = [];
  #cancelHealing: () => void = () => undefined;
  #disposed = false;

  constructor(options: EmbeddedServiceOptions) {
    this.#options = options;
  }

  get state(): EmbeddedState {
    return this.#state;
  }

  /** The process id of this window's child, while it owns the folder. */
  get childPid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts the service at the first call. Calls in the meantime share that start.
   * @throws HumanError `start_failed`, `crash_loop`
   */
  start(): Promise<ServiceAddress> {
    if (this.#disposed)
      return Promise.reject(new HumanError(this.#options.l10n.t('This window is closing.'), { code: 'closing' }));
    if (this.#state.kind === 'ready') return Promise.resolve(this.#state.address);
    if (this.#state.kind === 'failed') return Promise.reject(this.#state.error);
    this.#cancelHealing();
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /**
   * Call this for an address that doesn't respond because the owner in another window has ended. The next start finds
   * or becomes the new owner.
   */
  lost(address: ServiceAddress): void {
    if (this.#state.kind !== 'ready' || this.#state.address.baseUrl !== address.baseUrl || this.#child) return;
    this.#set({ kind: 'stopped' });
  }

  /**
   * Stops the service, whichever window started it, and starts a new one. Calls in the meantime share that start.
   * Forgets earlier crashes.
   */
  restart(): Promise<ServiceAddress> {
    return (this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined;
    }));
  }

  async #restart(): Promise<ServiceAddress> {
    this.#crashTimes = [];
    await this.stop();
    const address = await this.start();
    if (this.#child) return address;
    // The start has just asked the owner of the data folder, so its process id is current.
    if (this.#ownerPid === undefined)
      throw new HumanError(
        this.#options.l10n.t('Another editor window is running the service. Restart the service in that window.'),
        { status: 409, code: 'other_window' },
      );
    await this.#options.endProcess(this.#ownerPid);
    this.#set({ kind: 'stopped' });
    return this.start();
  }

  async stop(): Promise<void> {
    this.#cancelHealing();
    await this.#starting?.catch(() => undefined);
    const child = this.#child;
    this.#child = undefined;
    if (child) {
      child.kill('SIGTERM');
      const cancel = after(this.#options.clock, stopMs, () => {
        child.kill('SIGKILL');
      });
      await this.#childExit;
      cancel();
    }
    this.#set({ kind: 'stopped' });
  }

  /** Leaves the process running until it is idle, because other windows may use it. */
  dispose(): void {
    this.#disposed = true;
    this.#cancelHealing();
    this.#child?.unref();
    this.#changed.dispose();
  }

  async #launch(): Promise<ServiceAddress> {
    const { spawn, clock, log, l10n, script, dataFolder, assetsFolder, routes, lines, environment } = this.#options;
    this.#set({ kind: 'starting' });
    let cancelTimeout = (): void => undefined;
    try {
      await mkdir(dataFolder, { recursive: true, mode: 0o700 });
      const child = spawn(
        script,
        [
          '--data',
          dataFolder,
          '--assets',
          assetsFolder,
          '--idle-exit',
          String(idleExitSeconds),
          '--routes',
          JSON.stringify(routes()),
          '--lines',
          JSON.stringify(lines()),
        ],
        { survives: true, environment: await environment() },
      );
      cancelTimeout = after(clock, startMs, () => {
        child.kill('SIGKILL');
      });
      const { line, exited } = await whenReady(child, readySchema, {
        name: 'service',
        failure: l10n.t("The service didn't start."),
        log,
      });
      const address: ServiceAddress = { baseUrl: line.baseUrl, apiKey: line.apiKey };
      const own = line.owner;
      this.#child = own ? child : undefined;
      this.#ownerPid = own ? undefined : line.pid;
      this.#childExit = exited;
      void exited.then(({ code }) => this.#ended(child, code));
      log.info(`The service is ready${own ? '' : ', in the process of another window'}.`);
      this.#set({ kind: 'ready', address });
      return address;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      log.error(`The service did not start: ${describeCause(error)}`);
      this.#set({ kind: 'failed', error });
      throw error;
    } finally {
      cancelTimeout();
    }
  }

  #ended(child: NodeChild, code: number | null): void {
    if (this.#disposed || this.#child !== child) return;
    this.#child = undefined;
    if (code === 0) this.#set({ kind: 'stopped' });
    else this.#heal(code);
  }

  #heal(code: number | null): void {
    const { clock, log, l10n } = this.#options;
    const now = clock.now();
    this.#crashTimes = [...this.#crashTimes.filter((time) => now - time < crashes.windowMs), now];
    log.warn(
      `The service ended unexpectedly (${code === null ? 'killed' : `code ${String(code)}`}); ${String(this.#crashTimes.length)} in the last minute.`,
    );
    if (this.#crashTimes.length > crashes.most) {
      this.#set({
        kind: 'failed',
        error: new HumanError(l10n.t('The service stopped unexpectedly several times within a minute.'), {
          code: 'crash_loop',
        }),
      });
      return;
    }
    this.#set({ kind: 'crashed' });
    const delay = backOffMs[Math.min(this.#crashTimes.length, backOffMs.length) - 1] ?? 0;
    this.#cancelHealing = after(clock, delay, () => {
      void this.start().catch(() => undefined);
    });
  }

  #set(state: EmbeddedState): void {
    this.#state = state;
    if (!this.#disposed) this.#changed.fire(state);
  }
}
