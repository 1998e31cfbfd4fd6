import { guideEntrySchema, type GuideEntry } from '../../../contract/guides.ts';
import { readArgument } from '../../basics/commandArguments.ts';
import type { CommandId, HandlersOf } from '../../basics/commandTable.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import type { ServiceSettings } from '../../basics/settings.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { Page } from '../../panels/documents/page.ts';
import type { ManageKeysParts } from './manageKeys.ts';
import type { RegisterParts } from './registerWorkspace.ts';

export interface WorkspaceCommandParts
  extends Pick<RegisterParts, 'register' | 'keys' | 'onKeyChanged'>, Pick<ManageKeysParts, 'ownKey'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly settings: () => ServiceSettings;
  /** The address of the remote service. @throws HumanError if none is set */
  readonly remoteUrl: () => string;
  readonly openPage: (page: Page) => Promise<void>;
  readonly dialogs: Dialogs;
  readonly run: (id: CommandId) => unknown;
  readonly l10n: L10n;
  readonly formats: Formats;
}

const editorGuide = 'getting-started';

const guideArgumentSchema = guideEntrySchema.pick({ slug: true });

export function workspaceCommands(parts: WorkspaceCommandParts): HandlersOf<'workspace' | 'guide'> {
  const { client, settings, remoteUrl, openPage, dialogs, run, l10n, formats } = parts;
  /** Shows the reason if the embedded service is in use, because it can't do this. */
  const onRemote = (reason: string, work: () => Promise<void>): Promise<void> =>
    settings().mode === 'remote'
      ? work()
      : dialogs.tell(reason, { title: l10n.t('Choose Service'), run: () => run('dialtree.service.choose') });
  return {
    'dialtree.workspace.register': () =>
      onRemote(
        l10n.t(
          "You're using the embedded service, which already has a workspace. To register a workspace on a remote service, choose that service first.",
        ),
        async () => (await import('./registerWorkspace.ts')).registerWorkspace({ ...parts, url: remoteUrl() }),
      ),
    'dialtree.workspace.verifyPhone': () =>
      onRemote(
        l10n.t(
          "You're using the embedded service, which doesn't need a verified phone. To verify a phone for a workspace on a remote service, choose that service first.",
        ),
        async () => (await import('./verifyPhone.ts')).verifyPhone(parts),
      ),
    'dialtree.workspace.getClaimLink': () =>
      onRemote(
        l10n.t(
          "You're using the embedded service, which is already yours. To get a claim link for a workspace on a remote service, choose that service first.",
        ),
        async () => {
          const { url, expiresAt } = await client.call('getClaimLink', {});
          await dialogs.tell(
            l10n.t(
              'The person who opens the claim link becomes the owner of the workspace. The link works only once and is valid until {0}.',
              formats.time(expiresAt),
            ),
            { title: l10n.t('Copy'), run: () => dialogs.copy(url) },
            { title: l10n.t('Open in Browser'), run: () => dialogs.browse(url) },
          );
        },
      ),
    'dialtree.workspace.manageKeys': async () => (await import('./manageKeys.ts')).manageKeys(parts),
    'dialtree.workspace.setLimits': async () => (await import('./workspaceLimits.ts')).setWorkspaceLimits(parts),
    'dialtree.workspace.showUsage': () => openPage({ kind: 'usage' }),
    'dialtree.guide.open': async (value) => {
      const guide = readArgument(guideArgumentSchema, value) ?? (await pickGuide(parts));
      if (guide) await openPage({ kind: 'guide', slug: guide.slug });
    },
  };
}

async function pickGuide({ client, dialogs, l10n }: WorkspaceCommandParts): Promise<GuideEntry | undefined> {
  const { items } = await client.call('listGuides', {});
  // In the service's order, except that the editor's own guide comes first. Items of a group that appears again join
  // its first occurrence.
  items.sort((one, other) => Number(other.slug === editorGuide) - Number(one.slug === editorGuide));
  const groups = [...new Set(items.map(({ group }) => group))];
  const choices = groups
    .flatMap((group) => items.filter((entry) => entry.group === group))
    .map((entry) => ({
      label: `$(${entry.kind === 'guide' ? 'book' : 'list-flat'}) ${entry.title}`,
      detail: entry.summary,
      group: entry.group,
      value: entry,
    }));
  return dialogs.pick(choices, {
    title: l10n.t('Open a Guide'),
    placeHolder: l10n.t('Which guide do you want to read?'),
  });
}
