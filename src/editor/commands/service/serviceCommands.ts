import { ConfigurationTarget, l10n, window, workspace } from 'vscode';
import { HumanError } from '../../../contract/errors.ts';
import type { CommandId } from '../../basics/commandId.ts';
import { serviceUrl, type ServiceSettings } from '../../basics/settings.ts';
import { command } from '../command.ts';
import { setKey } from './setKey.ts';

/** @throws HumanError if none is set */
function remoteUrl({ url }: ServiceSettings): string {
  if (url === undefined)
    throw new HumanError(l10n.t('API keys are for remote services. Choose a remote service first.'), {
      status: 400,
      code: 'service_url',
    });
  return url;
}

export const serviceCommands = [
  command({ id: 'dialtree.key.set', run: (editor) => setKey(editor, remoteUrl(editor.settings().service)) }),
  command({
    id: 'dialtree.key.clear',
    async run({ settings, keys, connection }) {
      await keys.clear(remoteUrl(settings().service));
      connection.reset();
    },
  }),
  command({
    id: 'dialtree.service.choose',
    async run(editor) {
      const { keys, origin } = editor;
      const { service } = editor.settings();
      const chosen = await window.showQuickPick(
        [
          {
            label: l10n.t('Embedded'),
            description: inUse('embedded', service),
            detail: l10n.t("{0} You don't need an account.", origin({ mode: 'embedded', url: undefined })),
            mode: 'embedded' as const,
          },
          {
            label: l10n.t('Remote…'),
            description: inUse('remote', service),
            detail: l10n.t('A service at another address, with an API key'),
            mode: 'remote' as const,
          },
        ],
        { title: l10n.t('Choose Service'), placeHolder: l10n.t('Which service do you want to use for calls?') },
      );
      if (!chosen) return;
      const configuration = workspace.getConfiguration('dialtree');
      if (chosen.mode === 'embedded') {
        await configuration.update('service.mode', 'embedded', ConfigurationTarget.Global);
        return;
      }
      const typed = await window.showInputBox({
        title: l10n.t('Address of the Service'),
        value: service.url ?? '',
        placeHolder: 'https://dialtree.example.com',
        ignoreFocusOut: true,
        validateInput: (text) =>
          text === '' || serviceUrl(text) !== undefined
            ? undefined
            : l10n.t('Enter an https address, such as https://dialtree.example.com.'),
      });
      const url = serviceUrl(typed);
      if (url === undefined) return;
      await configuration.update('service.url', url, ConfigurationTarget.Global);
      await configuration.update('service.mode', 'remote', ConfigurationTarget.Global);
      if ((await keys.read(url)) === undefined) await setKey(editor, url);
    },
  }),
  command({
    id: 'dialtree.service.restart',
    run: ({ restart }) => window.withProgress({ location: { viewId: 'dialtree.mappings' } }, () => restart.onRequest()),
  }),
  command({ id: 'dialtree.service.showLog', run: ({ channel }) => channel.show() }),
  command({
    id: 'dialtree.service.showMenu',
    async run({ settings, origin, run }) {
      const { service } = settings();
      const item = (label: string, command: CommandId): { label: string; command: CommandId } => ({ label, command });
      const isRemote = service.mode === 'remote';
      const chosen = await window.showQuickPick(
        [
          item(`$(call-outgoing) ${l10n.t('New Mapping…')}`, 'dialtree.mapping.new'),
          item(`$(play) ${l10n.t('Run Scripted Test…')}`, 'dialtree.test.run'),
          item(`$(play) ${l10n.t('Run Mission…')}`, 'dialtree.test.runMission'),
          item(`$(law) ${l10n.t('Run Compliance Probe…')}`, 'dialtree.compliance.run'),
          item(`$(graph) ${l10n.t('Start Load Test…')}`, 'dialtree.load.start'),
          item(`$(book) ${l10n.t('Open a Guide…')}`, 'dialtree.guide.open'),
          item(`$(account) ${l10n.t('Open Account Page')}`, 'dialtree.workspace.openAccount'),
          item(`$(shield) ${l10n.t('Set Budgets and Retention…')}`, 'dialtree.workspace.setLimits'),
          ...(isRemote ? [] : [item(`$(hubot) ${l10n.t('Choose Language Model…')}`, 'dialtree.model.choose')]),
          item(`$(server) ${l10n.t('Choose Service…')}`, 'dialtree.service.choose'),
          item(
            `$(refresh) ${isRemote ? l10n.t('Reconnect to Service') : l10n.t('Restart Service')}`,
            'dialtree.service.restart',
          ),
          item(`$(output) ${l10n.t('Show Log')}`, 'dialtree.service.showLog'),
          item(`$(report) ${l10n.t('Report Issue…')}`, 'dialtree.issue.report'),
        ],
        { title: 'Dialtree', placeHolder: origin(service) },
      );
      if (chosen) await run(chosen.command);
    },
  }),
];

function inUse(mode: ServiceSettings['mode'], { mode: used, url }: ServiceSettings): string {
  if (used !== mode) return '';
  return mode === 'remote' && url !== undefined ? l10n.t('in use: {0}', new URL(url).host) : l10n.t('in use');
}
