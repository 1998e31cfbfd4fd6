import { l10n, StatusBarAlignment, window } from 'vscode';
import type { CommandId } from '../basics/commandId.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import type { Environments } from '../folders/environments.ts';

const choose: CommandId = 'dialtree.environment.choose';

/** The status bar item with the environment of the tests. It is shown only if a file has environments. */
export class EnvironmentItem extends DisposableStore {
  constructor(environments: Pick<Environments, 'name' | 'names' | 'usual' | 'onDidChange'>) {
    super();
    const item = this.add(window.createStatusBarItem('dialtree.environment', StatusBarAlignment.Left, -1));
    item.name = l10n.t('Dialtree: environment');
    item.command = choose;
    const draw = (): void => {
      const { name, names, usual } = environments;
      if (names.length === 0) {
        item.hide();
        return;
      }
      const shown = name ?? usual ?? l10n.t('Choose environment…');
      item.text = `$(server-environment) ${shown}`;
      item.tooltip = l10n.t('Environment of the tests: {0}', shown);
      item.accessibilityInformation = { label: item.tooltip, role: 'button' };
      item.show();
    };
    this.add(environments.onDidChange(draw));
    draw();
  }
}
