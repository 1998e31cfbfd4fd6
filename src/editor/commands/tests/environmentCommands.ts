import * as z from 'zod';
import { columnNameSchema } from '../../../contract/testConfigs.ts';
import { targetName } from '../../../model/calls/targetName.ts';
import { command } from '../command.ts';

export const environmentCommands = [
  command({
    id: 'dialtree.environment.choose',
    async run({ environments, dialogs, l10n }) {
      const { current, offered } = environments;
      const chosen = await dialogs.pick(
        [...offered].map(([name, targets]) => {
          const shown = targets.slice(0, 3).map(targetName);
          if (name === current) shown.unshift(l10n.t('In use'));
          return { label: name, value: name, description: [...shown, ...(targets[3] ? ['…'] : [])].join(' · ') };
        }),
        { title: l10n.t('Choose Environment'), placeHolder: l10n.t('Which environment do the tests call?') },
      );
      if (chosen !== undefined) await environments.choose(chosen);
    },
  }),
  command({
    id: 'dialtree.secret.set',
    args: z.object({ name: columnNameSchema }).strict(),
    async run({ environments, dialogs, l10n }, given) {
      const title = l10n.t('Set Secret');
      const check = (text: string): string | undefined =>
        columnNameSchema.safeParse(text.trim()).success
          ? undefined
          : l10n.t('A name has 1 to 40 letters, digits and underscores.');
      const name =
        given?.name ??
        (await dialogs.ask({ title, prompt: l10n.t('The name of the secret, as in ${secret:PIN}'), check }))?.trim();
      if (name === undefined) return;
      const prompt = l10n.t(
        "The value of {0} for the tests of this workspace. Dialtree keeps it in the editor's secret storage. Leave it empty to delete it.",
        name,
      );
      const value = await dialogs.ask({ title, prompt, password: true });
      if (value !== undefined) await environments.setSecret(name, value);
    },
  }),
];
