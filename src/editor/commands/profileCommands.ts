import { defaultCaller, type Profile } from '../../contract/profiles.ts';
import { joined } from '../basics/words/markdownText.ts';
import { command } from './command.ts';
import type { Editor } from './editor.ts';

type Asking = Pick<Editor, 'client' | 'dialogs' | 'l10n'>;

export const profileCommands = [
  command({
    id: 'dialtree.profile.add',
    async run(editor) {
      const values = await ask(editor);
      if (values) await tell(editor, await editor.client.call('createProfile', values));
    },
  }),
  command({
    id: 'dialtree.profile.edit',
    async run(editor) {
      const { client } = editor;
      const profile = await pickProfile(editor, await profiles(client));
      const values = profile && (await ask(editor, profile));
      if (values)
        await tell(
          editor,
          await client.call('updateProfile', {
            id: profile.id,
            patienceSeconds: null,
            callerId: null,
            line: null,
            concurrency: null,
            ...values,
          }),
        );
    },
  }),
  command({
    id: 'dialtree.profile.delete',
    async run(editor) {
      const { client, dialogs, l10n } = editor;
      const profile = await pickProfile(
        editor,
        (await profiles(client)).filter(({ isDefault }) => !isDefault),
      );
      if (
        profile &&
        (await dialogs.confirm(
          l10n.t('Delete “{0}”?', profile.name),
          l10n.t(
            "You can't delete a profile that mappings or tests use. Choose another profile for those mappings and tests first.",
          ),
          l10n.t('Delete'),
        ))
      )
        await client.call('deleteProfile', { id: profile.id });
    },
  }),
];

async function ask({ client, steps, l10n }: Editor, before?: Profile) {
  const { askProfile } = await import('../profiles/profileForm.ts');
  const { items: lines } = await client.call('listLines', {});
  if (!before) return askProfile({ dialogs: steps, l10n, lines });
  const { id: _id, isDefault: _isDefault, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = before;
  return askProfile({ dialogs: steps, l10n, lines }, values);
}

/** Files name a profile by its id. */
const tell = ({ dialogs, l10n }: Editor, { id, name }: Profile): Promise<void> =>
  dialogs.tell(l10n.t('Saved the profile {0}.', name), { title: l10n.t('Copy ID'), run: () => dialogs.copy(id) });

const profiles = async (client: Editor['client']): Promise<Profile[]> => (await client.call('listProfiles', {})).items;

/**
 * Asks for the profile of something new. Doesn't ask if only the default profile exists. Returns undefined if the user
 * cancels.
 */
export async function askHowToCall(parts: Asking): Promise<{ readonly profileId?: string } | undefined> {
  const existingProfiles = await profiles(parts.client);
  if (existingProfiles.length < 2) return {};
  const profile = await pickProfile(parts, existingProfiles);
  return profile && { profileId: profile.id };
}

export const tellOnlyDefault = ({ dialogs, l10n }: Pick<Editor, 'dialogs' | 'l10n'>): Promise<void> =>
  dialogs.tell(
    l10n.t(
      'You have only the default profile. To add another profile, choose “Add Profile…” in the menu of the Lines view.',
    ),
  );

async function pickProfile({ dialogs, l10n }: Asking, held: readonly Profile[]): Promise<Profile | undefined> {
  if (held.length === 0) {
    await tellOnlyDefault({ dialogs, l10n });
    return undefined;
  }
  return dialogs.pick(
    held.map((value) => ({
      label: value.name,
      detail: joined(' · ', [
        value.voice,
        `${String(value.keyToneMs)}/${String(value.keyGapMs)} ms`,
        value.line,
        value.callerId,
      ]),
      value,
      ...(value.isDefault && value.name !== defaultCaller.name && { description: l10n.t('default') }),
    })),
    { title: l10n.t('Profiles'), placeHolder: l10n.t('Which profile do you want to use?') },
  );
}
