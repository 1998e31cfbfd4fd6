import { ConfigurationTarget, l10n, window, workspace } from 'vscode';
import type { LogOutputChannel } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { ApiKeys } from '../host/apiKeys.ts';
import type { Connection } from '../host/connection.ts';
import type { ServiceSettings } from '../host/settings.ts';
import { serviceUrl } from '../host/settings.ts';
import type { CommandId, HandlersOf } from './commandTable.ts';
import { runCommand } from './registerCommands.ts';

export interface ServiceCommandParts {
  readonly connection: Connection;
  readonly keys: ApiKeys;
  readonly settings: () => ServiceSettings;
  readonly channel: Pick<LogOutputChannel, 'show'>;
}

/** @throws HumanError where none is set */
export function remoteUrl({ url }: ServiceSettings): string {
  if (url === undefined) throw new HumanError(l10n.t('Keys belong to a remote service. Choose one first.'), { status: 400, code: 'service_url' });
  return url;
}

export function serviceCommands({ connection, keys, settings, channel }: ServiceCommandParts): HandlersOf<'service' | 'key'> {
  const askKey = async (url: string): Promise<void> => {
    const key = await window.showInputBox({
      title: l10n.t('API Key'), prompt: l10n.t('The key for {0}. It is kept in the secret storage of the editor.', new URL(url).host), password: true, ignoreFocusOut: true,
    });
    if (key === undefined || key.trim() === '') return;
    await keys.store(url, key.trim());
    connection.reset();
  };
  return {
    'dialtree.key.set': () => askKey(remoteUrl(settings())),
    'dialtree.key.clear': async () => {
      await keys.clear(remoteUrl(settings()));
      connection.reset();
    },
    'dialtree.service.choose': async () => {
      const chosen = await window.showQuickPick([
        { label: l10n.t('Embedded'), description: l10n.t('calls from this machine; no account'), mode: 'embedded' as const },
        { label: l10n.t('Remote…'), description: l10n.t('a service at another address, with an API key'), mode: 'remote' as const },
      ], { title: l10n.t('Choose Service'), placeHolder: l10n.t('Which service shall place the calls?') });
      if (!chosen) return;
      const configuration = workspace.getConfiguration('dialtree');
      if (chosen.mode === 'embedded') {
        await configuration.update('service.mode', 'embedded', ConfigurationTarget.Global);
        return;
      }
      const typed = await window.showInputBox({
        title: l10n.t('Address of the Service'), value: settings().url ?? '', placeHolder: 'https://dialtree.example.com', ignoreFocusOut: true,
        validateInput: (text) => (text === '' || serviceUrl(text) !== undefined ? undefined : l10n.t('Give an https address, such as https://dialtree.example.com.')),
      });
      const url = serviceUrl(typed);
      if (url === undefined) return;
      await configuration.update('service.url', url, ConfigurationTarget.Global);
      await configuration.update('service.mode', 'remote', ConfigurationTarget.Global);
      if (await keys.read(url) === undefined) await askKey(url);
    },
    'dialtree.service.restart': () => window.withProgress({ location: { viewId: 'dialtree.mappings' } }, () => connection.restart()),
    'dialtree.service.showLog': () => { channel.show(); },
    'dialtree.service.showMenu': async () => {
      const item = (label: string, command: CommandId): { label: string; command: CommandId } => ({ label, command });
      const chosen = await window.showQuickPick([
        item(`$(call-outgoing) ${l10n.t('New Mapping…')}`, 'dialtree.mapping.new'),
        item(`$(book) ${l10n.t('Open a Guide…')}`, 'dialtree.guide.open'),
        item(`$(graph) ${l10n.t('Show Usage')}`, 'dialtree.workspace.showUsage'),
        item(`$(server) ${l10n.t('Choose Service…')}`, 'dialtree.service.choose'),
        item(`$(debug-restart) ${l10n.t('Restart Service')}`, 'dialtree.service.restart'),
        item(`$(output) ${l10n.t('Show Log')}`, 'dialtree.service.showLog'),
      ], { title: 'Dialtree' });
      if (chosen) await runCommand(chosen.command);
    },
  };
}
