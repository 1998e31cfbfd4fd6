import type { Basics } from '../basics/createBasics.ts';
import type { CommandId } from '../basics/commandId.ts';
import type { DialogAction } from '../basics/dialogs/dialogs.ts';
import { isCode, shownMessage } from '../basics/errors.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { L10n } from '../basics/localise.ts';
import { joined } from '../basics/words/markdownText.ts';
import type { EmbeddedService, EmbeddedState } from './embeddedService.ts';

/** Names of what a crash interrupts. */
export interface UnderWay {
  /** The service resumes them. */
  readonly mappings: readonly string[];
  /** Test runs and load tests, which are lost. */
  readonly tests: readonly string[];
}

interface CrashNoticeParts extends Pick<Basics, 'clock' | 'dialogs' | 'l10n'> {
  readonly embedded: Pick<EmbeddedService, 'onDidChange'>;
  readonly underWay: () => UnderWay;
  readonly run: (id: CommandId) => unknown;
}

const maxNames = 5;
/** A crash that interrupted nothing isn't reported again within this time. */
const quietMs = 60_000;

/** Reports a crash of the service once, when the outcome is known: recovered, or given up. */
export class CrashNotice implements Disposable {
  readonly #parts: CrashNoticeParts;
  readonly #listening: Disposable;
  /** The active runs at the first crash since the service last ran. */
  #crashed: UnderWay | undefined;
  #toldAt = -Infinity;

  constructor(parts: CrashNoticeParts) {
    this.#parts = parts;
    this.#listening = parts.embedded.onDidChange((state) => this.#onState(state));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #onState(state: EmbeddedState): void {
    if (state.kind === 'crashed' || (state.kind === 'failed' && isCode(state.error, 'crash_loop')))
      this.#crashed ??= this.#parts.underWay();
    // The user stopped it, so there is nothing to report.
    if (state.kind === 'stopped') this.#crashed = undefined;
    if (!this.#crashed || (state.kind !== 'ready' && state.kind !== 'failed')) return;
    const cut = this.#crashed;
    this.#crashed = undefined;
    const now = this.#parts.clock.now();
    const isNews =
      state.kind === 'failed' || cut.mappings.length + cut.tests.length > 0 || now - this.#toldAt >= quietMs;
    if (!isNews) return;
    this.#toldAt = now;
    void this.#tell(state, cut);
  }

  #tell(state: EmbeddedState & { kind: 'ready' | 'failed' }, { mappings, tests }: UnderWay): Promise<void> {
    const { dialogs, run, l10n } = this.#parts;
    const showLog: DialogAction = { title: l10n.t('Show Log'), run: () => run('dialtree.service.showLog') };
    const restart: DialogAction = { title: l10n.t('Restart Service'), run: () => run('dialtree.service.restart') };
    const healed = state.kind === 'ready';
    const report: DialogAction = { title: l10n.t('Report Issue…'), run: () => run('dialtree.issue.report') };
    const message = joined(' ', [
      healed ? l10n.t('The service stopped unexpectedly. Dialtree restarted it.') : shownMessage(state.error, l10n),
      mappings.length === 0
        ? undefined
        : healed
          ? l10n.t('Mappings interrupted and resumed: {0}.', listed(mappings, l10n))
          : l10n.t('Mappings interrupted until the service runs again: {0}.', listed(mappings, l10n)),
      tests.length === 0
        ? undefined
        : l10n.t('Interrupted tests that you need to run again: {0}.', listed(tests, l10n)),
    ]);
    return healed ? dialogs.warn(message, showLog, report) : dialogs.warn(message, restart, showLog);
  }
}

function listed(names: readonly string[], l10n: L10n): string {
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? l10n.t('{0} and {1} more', shown, names.length - maxNames) : shown;
}
