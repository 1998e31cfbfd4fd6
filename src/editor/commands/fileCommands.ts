import * as z from 'zod';
import { dialTargetSchema, nameSchema } from '../../contract/common.ts';
import type { CommandId } from '../basics/commandId.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import { typedTargetOf, targetQuestion } from '../basics/typedTarget.ts';
import { fileNameFor, fillTemplate, type NewKind, type NewTarget } from '../files/newFile.ts';
import { relativePath } from '../files/reading/relativePath.ts';
import { command, type EditorCommand } from './command.ts';
import type { Editor } from './editor.ts';

/** A folder or file of the Explorer's menu, or arguments from keybindings and tests, all optional. */
const args = z.union([
  z.object({ scheme: z.string(), authority: z.string(), path: z.string() }),
  z
    .object({ name: nameSchema.optional(), phoneNumber: dialTargetSchema.optional(), ivr: z.string().optional() })
    .strict(),
]);

const newFile = (id: CommandId, kind: NewKind): EditorCommand =>
  command({
    id,
    args,
    async run(editor, argument) {
      const { files, workbench } = editor;
      const address = argument && 'scheme' in argument ? argument : undefined;
      const said = argument && !('scheme' in argument) ? argument : {};
      const folder = await workbench.folderFor(address);
      const target =
        kind === 'ivr'
          ? undefined
          : said.phoneNumber !== undefined
            ? { phoneNumber: said.phoneNumber }
            : said.ivr !== undefined
              ? { ivr: said.ivr }
              : await askTarget(kind, folder?.uri, editor);
      if (target === undefined && kind !== 'ivr') return;
      const name = said.name ?? (await askName(kind, editor));
      if (name === undefined) return;
      const { text, selection } = fillTemplate(
        kind,
        await files.template(kind),
        name,
        target === 'later' ? undefined : target,
      );
      await workbench.showNew({
        folder: folder?.uri,
        name: fileNameFor(name, kind, folder?.names ?? new Set()),
        text,
        selection,
      });
    },
  });

export const fileCommands = [
  newFile('dialtree.file.newMission', 'mission'),
  newFile('dialtree.file.newTest', 'calltest'),
  newFile('dialtree.file.newIvr', 'ivr'),
];

const titleOf = (kind: NewKind, l10n: L10n): string =>
  kind === 'mission'
    ? l10n.t('New Mission')
    : kind === 'calltest'
      ? l10n.t('New Scripted Test')
      : l10n.t('New Practice IVR');

/** Returns the called number, or undefined if the user cancels. */
async function askTarget(
  kind: NewKind,
  folder: string | undefined,
  { dialogs, index, l10n }: Editor,
): Promise<NewTarget | 'later' | undefined> {
  const title = titleOf(kind, l10n);
  const group = l10n.t('Practice IVRs in this workspace');
  const ivrs = (await index.ready())
    .filter((file) => file.kind === 'ivr')
    .flatMap((file): Choice<NewTarget>[] => {
      const path = relativePath(`${folder ?? ''}/${kind}`, file.uri);
      return path === undefined ? [] : [{ label: file.name ?? path, description: path, group, value: { ivr: path } }];
    });
  const chosen = await dialogs.pick<NewTarget | 'type' | 'later'>(
    [
      { label: l10n.t('Enter a number or SIP address…'), value: 'type' },
      { label: l10n.t('Decide later'), description: l10n.t('uses a practice number until then'), value: 'later' },
      ...ivrs.sort((one, other) => (one.label < other.label ? -1 : 1)),
    ],
    { title, placeHolder: l10n.t('What do you want to call?') },
  );
  if (chosen !== 'type') return chosen;
  const typed = await dialogs.ask({ title, ...targetQuestion(l10n) });
  return typed === undefined ? undefined : { phoneNumber: typedTargetOf(typed) };
}

async function askName(kind: NewKind, { dialogs, l10n }: Editor): Promise<string | undefined> {
  const name = await dialogs.ask({
    title: titleOf(kind, l10n),
    prompt: l10n.t('Enter a name. Dialtree also uses it as the file name.'),
    check: (text) => (nameSchema.safeParse(text).success ? undefined : l10n.t('Enter a name of 1 to 200 characters.')),
  });
  return name?.trim();
}
