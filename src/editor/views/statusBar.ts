import { l10n, StatusBarAlignment, ThemeColor, window, type StatusBarItem } from 'vscode';
import { treeCounts } from '../../model/tree/treeCounts.ts';
import type { CommandId } from '../basics/commandId.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import { menuWords } from '../basics/words/mappingWords.ts';
import type { Connection } from '../host/connection.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { isRunning } from '../store/snapshot.ts';

type ServiceStates = Pick<Connection, 'state' | 'onDidChangeState' | 'onDidCancel' | 'isCancelling'>;

const menu: CommandId = 'dialtree.service.showMenu';

/** The status bar item: the state of the service, and the number of active runs. It appears when it is first needed. */
export class StatusBar {
  readonly #disposables = new DisposableStore();
  readonly #item: StatusBarItem;

  /** @param origin says in a sentence which machine calls leave from */
  constructor(connection: ServiceStates, store: MappingStore, origin: () => string) {
    this.#item = this.#disposables.add(window.createStatusBarItem('dialtree.status', StatusBarAlignment.Left, 0));
    this.#item.name = 'Dialtree';
    this.#item.command = menu;
    const draw = (): void => {
      this.#draw(connection, store, origin());
    };
    this.#disposables.add(connection.onDidChangeState(draw));
    this.#disposables.add(connection.onDidCancel(draw));
    this.#disposables.add(store.onDidChange(draw));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #draw(connection: ServiceStates, store: MappingStore, origin: string): void {
    const { state } = connection;
    const item = this.#item;
    item.backgroundColor = undefined;
    switch (state.kind) {
      case 'idle':
        item.hide();
        return;
      case 'starting':
        item.text = '$(loading~spin) Dialtree';
        item.tooltip = l10n.t('Dialtree: the service is starting');
        break;
      case 'needsKey':
        item.text = '$(key) Dialtree';
        item.tooltip = l10n.t('Dialtree: the remote service needs an API key');
        item.backgroundColor = new ThemeColor('statusBarItem.warningBackground');
        break;
      case 'unreachable':
        item.text = '$(debug-disconnect) Dialtree';
        item.tooltip = l10n.t('Dialtree: {0}', state.message);
        item.backgroundColor = new ThemeColor('statusBarItem.errorBackground');
        break;
      case 'ready': {
        const running = store.jobs.filter(isRunning);
        const menus = running.reduce((sum, { job }) => sum + (job.stats ? treeCounts(job.stats).menus : 0), 0);
        const isCancelling = running.every(({ job }) => connection.isCancelling(job.id));
        item.text =
          running.length === 0
            ? '$(call-outgoing) Dialtree'
            : `$(loading~spin) ${isCancelling ? l10n.t('Cancelling…') : menuWords(menus, l10n)}`;
        item.tooltip =
          running.length === 0
            ? l10n.t('Dialtree: the service is ready')
            : l10n.t('Dialtree is mapping: {0}', running.map(({ job }) => job.name).join(', '));
        break;
      }
    }
    item.tooltip = `${item.tooltip}\n${origin}`;
    item.accessibilityInformation = { label: item.tooltip, role: 'button' };
    item.show();
  }
}
