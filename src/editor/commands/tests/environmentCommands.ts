import * as z from 'zod';
import { columnNameSchema } from '../../../contract/testConfigs.ts';
import { command } from '../command.ts';

const secretArgs = z.object({ name: columnNameSchema }).strict();

export const environmentCommands = [
  command({
    id: 'dialtree.environment.choose',
    async run({ environments, dialogs, l10n }) {
      const { name = environments.usual, names } = environments;
      const chosen = await dialogs.pick(
        names.map((one) => ({ label: one, value: one, ...(one === name && { description: l10n.t('In use') }) })),
        { title: l10n.t('Choose Environment'), placeHolder: l10n.t('Which environment do the tests call?') },
      );
      if (chosen !== undefined) await environments.choose(chosen);
    },
  }),
  command({
    id: 'dialtree.secret.set',
    args: secretArgs,
    async run({ environments, dialogs, l10n }, given) {
      const title = l10n.t('Set Secret');
      const check = (text: string): string | undefined =>
        columnNameSchema.safeParse(text.trim()).success
          ? undefined
          : l10n.t('A name has 1 to 40 letters, digits and underscores.');
      const name =
        given?.name ??
        (await dialogs.ask({ title, prompt: l10n.t('The name of the secret, as in ${secret:PIN}'), check }))?.trim();
      if (name === undefined || name === '') return;
      const value = await dialogs.ask({
        title,
        prompt: l10n.t(
          "The value of {0} for the tests of this workspace. Dialtree keeps it in the editor's secret storage.",
          name,
        ),
        password: true,
      });
      if (value !== undefined && value !== '') await environments.setSecret(name, value);
    },
  }),
  command({
    id: 'dialtree.secret.delete',
    args: secretArgs,
    async run({ environments, dialogs, l10n }, given) {
      const title = l10n.t('Delete Secret');
      const { secretNames } = environments;
      if (secretNames.length === 0) {
        await dialogs.tell(l10n.t('This workspace has no secrets.'));
        return;
      }
      const name =
        given?.name ??
        (await dialogs.pick(
          secretNames.map((one) => ({ label: one, value: one })),
          { title, placeHolder: l10n.t('Which secret do you want to delete?') },
        ));
      if (name !== undefined) await environments.setSecret(name, undefined);
    },
  }),
];
