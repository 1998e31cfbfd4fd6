import { guideEntrySchema, type GuideEntry } from '../../../contract/guides.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';

const editorGuide = 'getting-started';

export const workspaceCommands = [
  command({
    id: 'dialtree.workspace.openAccount',
    async run({ client, settings, dialogs }) {
      const { mode, url } = settings().service;
      // A person signs in on a remote service. A service on this machine gives its own key a link that signs in.
      const page =
        mode === 'remote' && url?.startsWith('https:') === true
          ? new URL('/account', url).href
          : (await client.call('getAccountLink', {})).url;
      await dialogs.browse(page);
    },
  }),
  command({
    id: 'dialtree.workspace.getClaimLink',
    async run({ client, settings, dialogs, run, l10n, formats }) {
      if (settings().service.mode !== 'remote')
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
  }),
  command({
    id: 'dialtree.workspace.setLimits',
    run: async (editor) => (await import('./workspaceLimits.ts')).setWorkspaceLimits(editor),
  }),
  command({
    id: 'dialtree.guide.open',
    args: guideEntrySchema.pick({ slug: true }),
    async run(editor, args) {
      const guide = args ?? (await pickGuide(editor));
      if (guide) await editor.guides.open(guide.slug);
    },
  }),
];

async function pickGuide({ client, dialogs, l10n }: Editor): Promise<GuideEntry | undefined> {
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
