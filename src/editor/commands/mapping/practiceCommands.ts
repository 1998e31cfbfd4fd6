import { env, l10n, window } from 'vscode';
import { isRecord } from '../../../base/isRecord.ts';
import { practiceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import { practiceOrigin } from '../../views/practiceView.ts';
import { openCreated } from './mappingCommands.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';
import { pickPracticeFile } from '../targets/pickTarget.ts';

function fileOf({ samples }: Editor, value: unknown): string | undefined {
  const choice = readArgument(practiceSchema, value);
  if (!choice) return undefined;
  return 'file' in choice ? choice.file : samples.fileOf(choice.sample, l10n);
}

async function pickRunning(
  editor: Editor,
  value: unknown,
  offered = editor.practice.running,
): Promise<PracticeIvr | undefined> {
  const file = fileOf(editor, value);
  if (file !== undefined) return editor.practice.find(file);
  const chosen = await window.showQuickPick(
    offered.map((ivr) => ({ label: ivr.name, description: `${practiceOrigin(ivr)} · ${ivr.uri}`, ivr })),
    { placeHolder: l10n.t('Which practice IVR do you want to use?') },
  );
  return chosen?.ivr;
}

export const practiceCommands = [
  command({
    id: 'dialtree.practice.start',
    async run(editor, value) {
      // The title of the view passes the selected row, which is already running.
      const file =
        fileOf(editor, isRecord(value) && 'uri' in value ? undefined : value) ??
        (await pickPracticeFile(editor, editor.l10n.t('Start Practice IVR')));
      return file === undefined ? undefined : editor.startPractice(file);
    },
  }),
  command({
    id: 'dialtree.practice.stop',
    async run(editor, value) {
      const own = editor.practice.running.filter(({ isElsewhere }) => isElsewhere !== true);
      const ivr = await pickRunning(editor, value, own);
      if (ivr) await editor.practice.stop(ivr.file);
    },
  }),
  command({
    id: 'dialtree.practice.map',
    calls: true,
    async run(editor, value) {
      editor.assertCallsFromHere();
      const file = fileOf(editor, value) ?? (await pickPracticeFile(editor, editor.l10n.t('Map Practice IVR')));
      if (file === undefined) return undefined;
      const { uri, name } = await editor.startPractice(file);
      return openCreated(editor, editor.actions.createOrMapAgain({ target: uri, name }));
    },
  }),
  command({
    id: 'dialtree.practice.copyAddress',
    async run(editor, value) {
      const ivr = await pickRunning(editor, value);
      if (ivr) await env.clipboard.writeText(ivr.uri);
    },
  }),
];
