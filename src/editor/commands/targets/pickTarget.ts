import { l10n, Uri, window, workspace } from 'vscode';
import type { Choice, Dialogs } from '../../basics/dialogs/dialogs.ts';
import { typedTargetOf, targetQuestion } from '../../basics/typedTarget.ts';
import { practiceOrigin } from '../../views/practiceView.ts';
import type { Editor, MappingTarget, TargetQuestion } from '../editor.ts';
import { targetChoices } from './targetChoices.ts';
import { numbersOfTests } from './testNumbers.ts';

/** Asks what to call. Returns undefined if the user cancels. Targets of practice IVRs have a name. */
export async function pickTarget(
  { practice, samples, callsFromHere, index, startPractice, dialogs }: Editor,
  { title, placeHolder = l10n.t('What do you want to call?'), tests = false }: TargetQuestion,
): Promise<MappingTarget | undefined> {
  const ask = (text: string) => (): Promise<MappingTarget | undefined> => typeTarget(title, text, dialogs);
  const use = (target: string) => (): Promise<MappingTarget> => Promise.resolve({ target });
  const numbers = tests ? numbersOfTests(await index.ready()) : [];
  if (!callsFromHere() && numbers.length === 0) return ask('')();
  const { running } = practice;
  const files = callsFromHere() ? await practiceFiles({ samples, index }) : [];
  const others: Choice<() => Promise<MappingTarget | undefined>>[] = [
    ...numbers.map(({ phoneNumber, names: [name, ...more] }) => ({
      label: `$(beaker) ${phoneNumber}`,
      group: l10n.t('Called by tests in this workspace'),
      value: use(phoneNumber),
      ...(name !== undefined && {
        description: more.length === 0 ? name : l10n.t('{0} and {1} more', name, more.length),
      }),
    })),
    ...[
      ...running.map((ivr) => ({
        label: ivr.name,
        description: l10n.t('{0}, running', practiceOrigin(ivr)),
        value: () => Promise.resolve({ target: ivr.uri, name: ivr.name }),
      })),
      ...files
        .filter(({ file }) => practice.find(file) === undefined)
        .map(({ file, label, description }) => ({
          label,
          description,
          value: async () => {
            const { uri, name } = await startPractice(file);
            return { target: uri, name };
          },
        })),
    ].map((choice) => ({
      ...choice,
      label: `$(call-incoming) ${choice.label}`,
      group: l10n.t('Practice IVRs on this machine'),
    })),
  ];
  const chosen = await dialogs.search((typed) => Promise.resolve(targetChoices(typed, others, { use, ask }, l10n)), {
    title,
    placeHolder,
  });
  return chosen?.();
}

/** Returns the path of the file that the user chooses, or undefined if the user cancels. */
export async function pickPracticeFile(editor: Pick<Editor, 'samples' | 'index'>, title: string) {
  const placeHolder = l10n.t('Which practice IVR do you want to use?');
  return (await window.showQuickPick(await practiceFiles(editor), { title, placeHolder }))?.file;
}

/** In a restricted workspace, files aren't offered, because they would be run. */
async function practiceFiles({ samples, index }: Pick<Editor, 'samples' | 'index'>) {
  const own = workspace.isTrusted ? (await index.ready()).filter(({ kind }) => kind === 'ivr') : [];
  return [
    ...samples.all.map(({ label, file }) => ({ label, description: l10n.t('sample'), file })),
    ...own.flatMap(({ uri, name }) => {
      const { scheme, fsPath } = Uri.parse(uri);
      const path = workspace.asRelativePath(fsPath);
      return scheme === 'file' ? [{ label: name ?? path, description: path, file: fsPath }] : [];
    }),
  ];
}

async function typeTarget(
  title: string,
  value: string,
  dialogs: Pick<Dialogs, 'ask'>,
): Promise<MappingTarget | undefined> {
  const question = targetQuestion(l10n);
  const check = (text: string): string | undefined => (text.trim() === '' ? undefined : question.check(text));
  const typed = await dialogs.ask({ title, ...question, value, refusal: check(value), check });
  return typed === undefined || typed.trim() === '' ? undefined : { target: typedTargetOf(typed) };
}
