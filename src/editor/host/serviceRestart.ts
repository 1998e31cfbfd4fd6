import { after } from '../basics/wallClock.ts';
import { Coalescer } from '../basics/coalescer.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { Dialogs } from '../basics/dialogs/dialogs.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { Connection } from './connection.ts';
import type { EmbeddedService } from './embeddedService.ts';

export interface ServiceRestartParts extends Pick<Basics, 'clock' | 'l10n'> {
  readonly connection: Pick<Connection, 'mode' | 'call' | 'restart'>;
  readonly embedded: Pick<EmbeddedService, 'state' | 'start'>;
  readonly dialogs: Pick<Dialogs, 'tell' | 'confirm'>;
  /**
   * All windows are notified of a change of the user's settings. Only the focused window acts, because they share one
   * service.
   */
  readonly isFocused: () => boolean;
  readonly isCurrent: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

const settledMs = 200;
/** How often a change that is put off checks whether the runs in progress have ended. */
const nextTryMs = 3_000;

/**
 * Restarts the service if its dial plan, lines or model change, because it reads them when it starts. If runs are in
 * progress, it waits until they have ended, unless the user agrees to end them.
 */
export class ServiceRestart implements Disposable {
  readonly #parts: ServiceRestartParts;
  readonly #applying = new Coalescer(() => this.#apply());
  #stop = (): void => undefined;
  /** The user doesn't know of the change yet. */
  #isNews = false;
  #isAsking = false;
  /** The service keeps its earlier settings until its runs have ended. */
  #isPutOff = false;
  /** The user is waiting for the change to take effect. */
  #isWaitedFor = false;

  constructor(parts: ServiceRestartParts) {
    this.#parts = parts;
  }

  /** Settings that belong together change one after the other. */
  soon(): void {
    this.#isNews = true;
    this.#again(settledMs);
  }

  /**
   * Restarts for a user who waits for a change. Returns false if the change takes effect only after a later restart.
   */
  async now(): Promise<boolean> {
    this.#stop();
    this.#isNews = true;
    this.#isWaitedFor = true;
    await this.#applying.request().finally(() => {
      this.#isWaitedFor = false;
    });
    return !this.#isPutOff;
  }

  /** Restarts at the user's request. Asks first if runs are in progress, because a restart ends them. */
  async onRequest(): Promise<void> {
    const { connection, embedded, dialogs, l10n } = this.#parts;
    const isReady = connection.mode === 'embedded' && embedded.state.kind === 'ready';
    // A service that doesn't answer is a reason to restart it.
    const endsRuns = isReady && (await this.#isCalling().catch(() => false));
    const isAgreed =
      !endsRuns ||
      (await dialogs.confirm(
        l10n.t('Restart the service?'),
        l10n.t('This ends the runs in progress. Results so far are kept.'),
        l10n.t('Restart Service'),
      ));
    if (isAgreed) await this.#restart();
  }

  dispose(): void {
    this.#stop();
  }

  #again(inMs: number): void {
    const { clock, report } = this.#parts;
    this.#stop();
    this.#stop = after(clock, inMs, () => {
      void this.#applying.request().catch(report);
    });
  }

  async #apply(): Promise<void> {
    const { connection, embedded, dialogs, isFocused, report, l10n } = this.#parts;
    if (connection.mode !== 'embedded' || embedded.state.kind === 'stopped') {
      this.#isPutOff = false;
      return;
    }
    if (!(isFocused() || this.#isWaitedFor || this.#isPutOff)) return;
    if (await this.#isTakenIn()) return;
    if (embedded.state.kind === 'ready' && (await this.#isCalling())) {
      this.#isPutOff = true;
      this.#again(nextTryMs);
      if (this.#isNews && !this.#isAsking) {
        this.#isAsking = true;
        // Not awaited, because runs can end before the user answers.
        void dialogs
          .tell(
            l10n.t(
              'The dial plan, a line or the language model has changed. The change takes effect when the runs in progress end. To apply it now, restart the service, which ends these runs.',
            ),
            { title: l10n.t('Restart Service'), run: () => (this.#isPutOff ? this.#restart() : undefined) },
          )
          .catch(report)
          .finally(() => {
            this.#isAsking = false;
          });
      }
      this.#isNews = false;
      return;
    }
    if (await this.#isTakenIn()) return;
    await this.#restart();
  }

  async #restart(): Promise<void> {
    this.#stop();
    this.#isPutOff = false;
    await this.#parts.connection.restart();
  }

  /** Another start, for any reason, may have read the change already. */
  async #isTakenIn(): Promise<boolean> {
    const { embedded, isCurrent } = this.#parts;
    if (embedded.state.kind === 'starting') await embedded.start().catch(() => undefined);
    if (embedded.state.kind !== 'ready' || !(await isCurrent())) return false;
    this.#isPutOff = false;
    return true;
  }

  async #isCalling(): Promise<boolean> {
    const { connection } = this.#parts;
    const [{ runsInFlight }, { items }] = await Promise.all([
      connection.call('getWorkspaceUsage', {}),
      connection.call('listLoadTests', { status: 'running', limit: 1 }),
    ]);
    return runsInFlight > 0 || items.length > 0;
  }
}

/**
 * Remembers the settings that a start of the service read, to decide whether it already includes a change. They contain
 * secrets and stay here.
 */
export class StartSettings {
  readonly #read: () => Promise<string>;
  #startedWith: string | undefined;

  constructor(read: () => Promise<string>) {
    this.#read = read;
  }

  /** Call this when a start reads the settings. */
  async note(): Promise<void> {
    this.#startedWith = await this.#read();
  }

  async isCurrent(): Promise<boolean> {
    return this.#startedWith !== undefined && this.#startedWith === (await this.#read());
  }
}
