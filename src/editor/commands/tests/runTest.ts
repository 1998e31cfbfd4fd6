import { commands, l10n, Uri, workspace } from 'vscode';
import * as z from 'zod';
import { readArgument } from '../../basics/commandArguments.ts';
import type { DialogAction } from '../../basics/dialogs/dialogs.ts';
import type { Editor } from '../editor.ts';

export const fileSchema = z.union([
  z.object({ file: z.string().min(1) }).transform(({ file }) => Uri.file(file)),
  z.object({ scheme: z.string(), authority: z.string(), path: z.string() }).transform((parts) => Uri.from(parts)),
]);
const maxFiles = 500;

/** Runs a test of the workspace and shows the words as they are spoken. Resolves when it has ended. */
export async function runTestCommand(kind: 'calltest' | 'mission', value: unknown, editor: Editor): Promise<void> {
  await runFile(readArgument(fileSchema, value) ?? (await pickFile(kind, editor)), editor);
}

export async function runFile(uri: Uri | undefined, { explorer }: Pick<Editor, 'explorer'>): Promise<void> {
  if (!uri) return;
  const running = explorer.runFiles(uri);
  // In an editor that hasn't run a test yet, this view doesn't exist until the first test begins.
  await commands.executeCommand('workbench.panel.testResults.view.focus');
  await running;
}

async function pickFile(kind: 'calltest' | 'mission', { dialogs, run }: Editor): Promise<Uri | undefined> {
  const found = await workspace.findFiles(`**/*.${kind}.json`, '**/node_modules/**', maxFiles);
  if (found.length === 0) {
    const samples: DialogAction = { title: l10n.t('Open Samples Folder…'), run: () => run('dialtree.samples.open') };
    if (kind === 'calltest') {
      await dialogs.tell(
        l10n.t('This workspace has no scripted tests. A scripted test is a file whose name ends with .calltest.json.'),
        { title: l10n.t('New Scripted Test…'), run: () => run('dialtree.file.newTest') },
        samples,
      );
    } else {
      await dialogs.tell(
        l10n.t('This workspace has no missions. A mission is a file whose name ends with .mission.json.'),
        {
          title: l10n.t('Run the Sample Mission'),
          run: () => run('dialtree.test.runMission', { sample: 'bank' }),
        },
        samples,
      );
    }
    return undefined;
  }
  const named = found
    .map((uri) => ({ label: workspace.asRelativePath(uri), value: uri }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
  return dialogs.pick(
    named,
    kind === 'calltest'
      ? { title: l10n.t('Run Scripted Test'), placeHolder: l10n.t('Which test do you want to run?') }
      : { title: l10n.t('Run Mission'), placeHolder: l10n.t('Which mission do you want to run?') },
  );
}
