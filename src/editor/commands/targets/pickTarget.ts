import { l10n, QuickPickItemKind, window, workspace, type QuickPickItem } from 'vscode';
import { dialTargetSchema, nameSchema } from '../../../contract/common.ts';
import type { NewMapping } from '../../basics/commandArguments.ts';
import { targetOf } from '../../basics/typedTarget.ts';
import type { PracticeIvrs } from '../../host/practice.ts';
import type { Samples } from '../../host/samples.ts';
import type { TestNumber } from './testNumbers.ts';

export type Target = Pick<NewMapping, 'target' | 'name'>;

type Choice = QuickPickItem &
  (
    | { readonly kind: QuickPickItemKind.Separator }
    | { readonly kind?: QuickPickItemKind.Default; readonly target: () => Promise<Target | undefined> }
  );

interface PickParts {
  readonly practice: PracticeIvrs;
  readonly samples: Samples;
  readonly callsFromHere: () => boolean;
  readonly testNumbers: () => Promise<readonly TestNumber[]>;
}

/** What to ask about a target. A name is requested for what will be saved under one. */
export interface TargetQuestion {
  readonly title: string;
  readonly placeHolder?: string;
  readonly named: boolean;
  /** Also offers the numbers that the workspace's tests call. */
  readonly tests?: boolean;
}

/** Asks what to call. Returns undefined if the user cancels. */
export async function pickTarget(
  { practice, samples, callsFromHere, testNumbers }: PickParts,
  question: TargetQuestion,
): Promise<Target | undefined> {
  const typed = (): Promise<Target | undefined> => typeTarget(question);
  const numbers = question.tests === true ? await testNumbers() : [];
  if (!callsFromHere() && numbers.length === 0) return typed();
  const byFile = (file: string) => async (): Promise<Target> => {
    const { uri, name } = await practice.start(file);
    return { target: uri, name };
  };
  const separator = (label: string): Choice => ({ label, kind: QuickPickItemKind.Separator });
  const called = numbers.map(({ phoneNumber, names: [name, ...others] }): Choice => ({
    label: `$(beaker) ${phoneNumber}`,
    target: () => Promise.resolve({ target: phoneNumber }),
    ...(name !== undefined && {
      description: others.length === 0 ? name : l10n.t('{0} and {1} more', name, others.length),
    }),
  }));
  const running: Choice[] = practice.running.map((ivr) => ({
    label: `$(call-incoming) ${ivr.name}`,
    description: l10n.t('practice IVR, running'),
    target: () => Promise.resolve({ target: ivr.uri, name: ivr.name }),
  }));
  const others = (await practiceFiles(samples)).filter(
    ({ file }) => !practice.running.some((ivr) => ivr.file === file),
  );
  const choices: Choice[] = [
    { label: `$(edit) ${l10n.t('Enter a number or SIP address…')}`, alwaysShow: true, target: typed },
    ...(called.length === 0 ? [] : [separator(l10n.t('Called by tests in this workspace')), ...called]),
    ...(callsFromHere()
      ? [
          separator(l10n.t('Practice IVRs on this machine')),
          ...running,
          ...others.map(({ file, label, description }): Choice => ({
            label: `$(call-incoming) ${label}`,
            description,
            target: byFile(file),
          })),
        ]
      : []),
  ];
  const chosen = await window.showQuickPick(choices, {
    title: question.title,
    placeHolder: question.placeHolder ?? l10n.t('What do you want to call?'),
    matchOnDescription: true,
  });
  return chosen && 'target' in chosen ? chosen.target() : undefined;
}

export async function pickPracticeFile(samples: Samples): Promise<string | undefined> {
  const files = await practiceFiles(samples);
  const chosen = await window.showQuickPick(files, {
    title: l10n.t('Start Practice IVR'),
    placeHolder: l10n.t('Which practice IVR do you want to start?'),
  });
  return chosen?.file;
}

/** In a restricted workspace, files aren't offered, because they would be run. */
async function practiceFiles(samples: Samples): Promise<{ label: string; description: string; file: string }[]> {
  const own = workspace.isTrusted ? await workspace.findFiles('**/*.ivr.json', '**/node_modules/**', 100) : [];
  return [
    ...samples.all.map(({ label, file }) => ({ label, description: l10n.t('sample'), file })),
    ...own
      .filter((uri) => uri.scheme === 'file')
      .map((uri) => ({
        label: workspace.asRelativePath(uri),
        description: l10n.t('this workspace'),
        file: uri.fsPath,
      })),
  ];
}

async function typeTarget({ title, named }: TargetQuestion): Promise<Target | undefined> {
  const typed = await window.showInputBox({
    title,
    prompt: l10n.t('A number in international form, or a SIP address'),
    placeHolder: '+12025550101',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const parsed = dialTargetSchema.safeParse(targetOf(text));
      return parsed.success || text.trim() === ''
        ? undefined
        : l10n.t(
            'Enter a number with + and the country code, such as +12025550101, or a SIP address, such as sip:practice@127.0.0.1:5070.',
          );
    },
  });
  if (typed === undefined || typed.trim() === '') return undefined;
  const target = dialTargetSchema.parse(targetOf(typed));
  if (!named) return { target };
  const name = await window.showInputBox({
    title,
    prompt: l10n.t('A name for the mapping (optional)'),
    placeHolder: target,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || nameSchema.safeParse(text).success
        ? undefined
        : l10n.t('Enter a name of 1 to 200 characters.'),
  });
  if (name === undefined) return undefined;
  return { target, ...(name.trim() !== '' && { name: name.trim() }) };
}
