import { ThemeColor, type StatusBarItem } from 'vscode';
import type { CommandId } from '../basics/commandId.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import type { L10n } from '../basics/localise.ts';

const choose: CommandId = 'dialtree.environment.choose';

export interface ShownEnvironments {
  readonly offered: ReadonlyMap<string, unknown>;
  /** What applies. */
  readonly current: string | undefined;
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** The status bar item with the environment of the tests. It is shown only if a file has environments. */
export class EnvironmentItem extends DisposableStore {
  constructor(environments: ShownEnvironments, item: Omit<StatusBarItem, 'id' | 'alignment' | 'priority'>, l10n: L10n) {
    super();
    this.add(item);
    item.name = l10n.t('Dialtree: environment');
    item.command = choose;
    const draw = (): void => {
      const { offered, current } = environments;
      if (offered.size === 0) return item.hide();
      const shown = current ?? l10n.t('Choose environment…');
      const isGone = current !== undefined && !offered.has(current);
      item.text = `$(server-environment) ${shown}`;
      item.tooltip = isGone
        ? l10n.t('No dialtree.env.json has the environment “{0}” any more. Choose another one.', shown)
        : l10n.t('Environment of the tests: {0}', shown);
      item.backgroundColor = isGone ? new ThemeColor('statusBarItem.warningBackground') : undefined;
      item.accessibilityInformation = { label: item.tooltip, role: 'button' };
      item.show();
    };
    this.add(environments.onDidChange(draw));
    draw();
  }
}
