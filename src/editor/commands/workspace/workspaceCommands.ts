import { guideEntrySchema, type GuideEntry } from '../../../contract/guides.ts';
import { readArgument } from '../../basics/commandArguments.ts';
import type { CommandId, HandlersOf } from '../../basics/commandTable.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import type { ServiceSettings } from '../../basics/settings.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { Page } from '../../panels/documents/page.ts';

interface WorkspaceCommandParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly settings: () => ServiceSettings;
  readonly openPage: (page: Page) => Promise<void>;
  readonly dialogs: Dialogs;
  readonly run: (id: CommandId) => unknown;
  readonly l10n: L10n;
  readonly formats: Formats;
}

const editorGuide = 'getting-started';

const guideArgumentSchema = guideEntrySchema.pick({ slug: true });

export function workspaceCommands(parts: WorkspaceCommandParts): HandlersOf<'workspace' | 'guide'> {
  const { client, settings, openPage, dialogs, run, l10n, formats } = parts;
  return {
    'dialtree.workspace.openAccount': async () => {
      const { mode, url } = settings();
      // A person signs in on a remote service. A service on this machine gives its own key a link that signs in.
      const page =
        mode === 'remote' && url?.startsWith('https:') === true
          ? new URL('/account', url).href
          : (await client.call('getAccountLink', {})).url;
      await dialogs.browse(page);
    },
    'dialtree.workspace.getClaimLink': async () => {
      if (settings().mode !== 'remote')
        return dialogs.tell(
          l10n.t(
            "You're using the embedded service, which is already yours. To get a claim link for a workspace on a remote service, choose that service first.",
          ),
          { title: l10n.t('Choose Service'), run: () => run('dialtree.service.choose') },
        );
      const { url, expiresAt } = await client.call('getClaimLink', {});
      return dialogs.tell(
        l10n.t(
          'The person who opens the claim link becomes the owner of the workspace. The link works only once and is valid until {0}.',
          formats.time(expiresAt),
        ),
        { title: l10n.t('Copy'), run: () => dialogs.copy(url) },
        { title: l10n.t('Open in Browser'), run: () => dialogs.browse(url) },
      );
    },
    'dialtree.workspace.setLimits': async () => (await import('./workspaceLimits.ts')).setWorkspaceLimits(parts),
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
