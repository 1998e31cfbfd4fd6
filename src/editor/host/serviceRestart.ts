import { after } from '../basics/clock.ts';
import type { Clock } from '../basics/clock.ts';
import { Coalescer } from '../basics/coalescer.ts';
import type { Dialogs } from '../basics/dialogs/dialogs.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { L10n } from '../basics/localise.ts';
import type { Connection } from './connection.ts';
import type { EmbeddedService } from './embeddedService.ts';

export interface ServiceRestartParts {
  readonly connection: Pick<Connection, 'mode' | 'call' | 'restart'>;
  readonly embedded: Pick<EmbeddedService, 'state' | 'start'>;
  readonly dialogs: Pick<Dialogs, 'tell'>;
  /**
   * All windows hear of a change of the user's settings; the one in which it is made acts for all of them, as they
   * share one service.
   */
  readonly isFocused: () => boolean;
  /** The service that runs was started with all that is set now. */
  readonly isCurrent: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
  readonly l10n: L10n;
}

const settledMs = 200;

/**
 * The service reads its dial plan, its lines and its model when it starts: where they change it is started anew. Calls
 * that are under way are not cut without a word.
 */
export class ServiceRestart implements Disposable {
  readonly #parts: ServiceRestartParts;
  readonly #applying = new Coalescer(() => this.#apply());
  #stop = (): void => undefined;
  /** The service goes on with what it was started with. */
  #isPutOff = false;
  /** Somebody waits for what they changed to be used. */
  #isWaitedFor = false;

  constructor(parts: ServiceRestartParts) {
    this.#parts = parts;
  }

  /** Settings that belong together change one after the other. */
  soon(): void {
    const { clock, report } = this.#parts;
    this.#stop();
    this.#stop = after(clock, settledMs, () => {
      void this.#applying.request().catch(report);
    });
  }

  /** For whoever changed something and waits for it. False where it is only used after a later restart. */
  async now(): Promise<boolean> {
    this.#stop();
    this.#isWaitedFor = true;
    await this.#applying.request().finally(() => {
      this.#isWaitedFor = false;
    });
    return !this.#isPutOff;
  }

  dispose(): void {
    this.#stop();
  }

  async #apply(): Promise<void> {
    const { connection, embedded, dialogs, isFocused, l10n } = this.#parts;
    if (connection.mode !== 'embedded' || embedded.state.kind === 'stopped' || !(isFocused() || this.#isWaitedFor))
      return;
    if (await this.#isTakenIn()) return;
    if (embedded.state.kind === 'ready' && (await this.#isCalling())) {
      this.#isPutOff = true;
      await dialogs.tell(
        l10n.t(
          'The dial plan, a line or the language model has changed. Restart the service to apply the change. The restart ends all runs in progress.',
        ),
        {
          title: l10n.t('Restart Service'),
          run: () => {
            this.#isPutOff = false;
          },
        },
      );
      if (this.#isPutOff) return;
    }
    if (await this.#isTakenIn()) return;
    this.#isPutOff = false;
    await connection.restart();
  }

  /** A start, for whatever reason, has read the change already. */
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
