import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { callLineEchoSchema, type Line, type LineCheck, type LineEcho } from '../../contract/lines.ts';
import type { DialogAction } from '../basics/dialogs/dialogs.ts';
import { isCode, isTypedError } from '../basics/errors.ts';
import { askConsent } from '../calls/consent.ts';
import { consentTarget, consentWords } from '../calls/consentWords.ts';
import type { AnsweredLine } from '../host/practice.ts';
import type { LineAnswers, LineBefore } from '../lines/lineForm.ts';
import { kindWord } from '../lines/lineRows.ts';
import { command } from './command.ts';
import type { Editor } from './editor.ts';
import { pickPracticeFile } from './targets/pickTarget.ts';

/** A row of the view also matches. */
const args = z.object({ name: z.string() });
type Named = z.output<typeof args> | undefined;

export const lineCommands = [
  command({
    id: 'dialtree.line.add',
    async run(editor) {
      assertOwnLines(editor);
      const answers = await askLine(editor);
      if (!answers) return undefined;
      await keep(editor, answers);
      return answers.name;
    },
  }),
  command({
    id: 'dialtree.line.edit',
    args,
    async run(editor, given) {
      assertOwnLines(editor);
      const name = await pickLine(editor, given);
      if (name !== undefined) await edit(editor, name);
    },
  }),
  command({
    id: 'dialtree.line.remove',
    args,
    async run(editor, given) {
      const { linePasswords, restart, workbench, dialogs, l10n } = editor;
      assertOwnLines(editor);
      const name = await pickLine(editor, given);
      if (name === undefined) return;
      assertLine(editor, name);
      if (
        !(await dialogs.confirm(
          l10n.t('Remove the line {0}?', name),
          l10n.t(
            'This deletes the line, its settings and its password. Dialtree can no longer call numbers that only this line serves.',
          ),
          l10n.t('Remove'),
        ))
      )
        return;
      await workbench.saveLines({ [name]: undefined });
      await linePasswords.clear(name);
      await restart.now();
    },
  }),
  command({ id: 'dialtree.line.check', args, run: onLine(check) }),
  command({ id: 'dialtree.line.echo', calls: true, args, run: onLine(echo) }),
  command({
    id: 'dialtree.line.answer',
    calls: true,
    args: args.extend({ file: z.string().optional() }),
    async run(editor, given) {
      const { settings, dialogs, l10n } = editor;
      assertOwnLines(editor);
      const name = await pickLine(editor, given, (wanted) => settings().lines[wanted]?.user !== undefined);
      if (name === undefined) return;
      const answered = await answeredLine(editor, name);
      const file = given?.file ?? (await pickPracticeFile(editor, l10n.t('Answer Calls')));
      if (file === undefined) return;
      const isAgreed = await dialogs.confirm(
        l10n.t('Answer calls to the line {0} with a practice IVR?', name),
        l10n.t(
          'Dialtree registers the line. Everyone who then calls this line hears the practice IVR, until you stop it, change the line or close the window. If your PBX allows only one phone for each user, that phone no longer rings.',
        ),
        l10n.t('Answer Calls'),
      );
      if (!isAgreed) return;
      await dialogs.wait(l10n.t('Registering the line {0}…', name), (signal) =>
        editor.lines.whileBusy(name, () => editor.practice.answerOn(answered, file, signal)),
      );
    },
  }),
  command({
    id: 'dialtree.line.stopAnswering',
    args,
    run: (editor, given) => (given ? editor.practice.endOnLine(given.name) : undefined),
  }),
  command({
    id: 'dialtree.line.setPassword',
    args,
    async run(editor, given) {
      const { linePasswords, settings, dialogs, l10n } = editor;
      assertOwnLines(editor);
      const name = await pickLine(editor, given, (wanted) => settings().lines[wanted]?.user !== undefined);
      if (name === undefined) return;
      if (assertLine(editor, name).user === undefined)
        throw new HumanError(
          l10n.t("The line {0} has no user name, so it doesn't log in. Edit the line to add a user name.", name),
          {
            status: 400,
            code: 'line_password',
          },
        );
      const typed = await dialogs.ask({
        title: l10n.t('Password for {0}', name),
        prompt: l10n.t("Login password for this line. Dialtree keeps it in the editor's secret storage."),
        password: true,
        check: (text) => (text === '' ? l10n.t('Enter the password. The line needs it to log in.') : undefined),
      });
      if (typed === undefined) return;
      await linePasswords.store(name, typed);
      await applyAndCheck(editor, name);
    },
  }),
  command({
    id: 'dialtree.line.showInSettings',
    async run(editor) {
      assertOwnLines(editor);
      await editor.workbench.openSetting('dialtree.telephony.lines');
    },
  }),
];

/** The last number called over each line, offered again. */
const echoNumbers = new Map<string, string>();

function assertOwnLines({ lines, l10n }: Editor): void {
  if (lines.isForeign)
    throw new HumanError(
      l10n.t('The operator of a remote service sets up its lines. Choose the embedded service to use your own lines.'),
      { status: 400, code: 'lines_remote' },
    );
}

/** Runs a command on the line that it is given, or that the user picks. */
function onLine<Result>(work: (editor: Editor, name: string) => Promise<Result>) {
  return async (editor: Editor, given: Named): Promise<Result | undefined> => {
    const name = await pickLine(editor, given);
    return name === undefined ? undefined : work(editor, name);
  };
}

async function pickLine(
  { lines: list, dialogs, l10n }: Editor,
  given: Named,
  wanted: (name: string) => boolean = () => true,
): Promise<string | undefined> {
  if (given) return given.name;
  await list.refresh();
  const shown = list.lines.filter(({ name }) => wanted(name));
  if (shown.length === 0)
    throw new HumanError(
      list.lines.length > 0
        ? l10n.t('None of your lines has a user name, so none of them logs in. Edit a line to add a user name.')
        : l10n.t('This command needs a line, but you have none. Add one with “Dialtree: Add Line…”.'),
      { status: 404, code: 'line_unknown' },
    );
  return shown.length === 1
    ? shown[0]?.name
    : dialogs.pick(
        shown.map(({ name, state }) => ({
          label: name,
          description: kindWord(state.kind, l10n),
          detail: state.address,
          value: name,
        })),
        { title: l10n.t('Line'), placeHolder: l10n.t('Which line do you want to use?') },
      );
}

/** @throws HumanError if the settings have no line with this name */
function assertLine({ settings, l10n }: Editor, name: string): Line {
  const { lines } = settings();
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
  if (!line)
    throw new HumanError(
      l10n.t("Your settings don't contain a line called {0}. Check the name, or add the line.", name),
      { status: 404, code: 'line_unknown' },
    );
  return line;
}

/** @throws HumanError if the line can't register */
async function answeredLine(editor: Editor, name: string): Promise<AnsweredLine> {
  const line = assertLine(editor, name);
  const password = await editor.linePasswords.read(name);
  if (line.kind === 'uri' || line.user === undefined || password === undefined)
    throw new HumanError(
      editor.l10n.t(
        "The line {0} can't register, so it takes no calls. Use an extension or a trunk with a user name and a password.",
        name,
      ),
      { status: 400, code: 'line_password' },
    );
  return { name, line, password };
}

async function askLine({ workbench, steps, l10n }: Editor, before?: LineBefore): Promise<LineAnswers | undefined> {
  const taken = workbench.lineNames().filter((name) => name !== before?.name);
  return (await import('../lines/lineForm.ts')).askLine({ dialogs: steps, l10n, taken }, before);
}

function editing(editor: Editor, name: string): DialogAction[] {
  const { lines, l10n } = editor;
  return lines.isForeign ? [] : [{ title: l10n.t('Edit Line…'), run: () => edit(editor, name, true) }];
}

/**
 * Checks a line, and shows the result with possible next steps. Says at once that it does, because a silent line is
 * waited for. A line that the service doesn't use yet is checked by its settings. `apply` comes first, and returns
 * whether the service uses the line.
 */
async function check(
  editor: Editor,
  name: string,
  apply = (): boolean | Promise<boolean> => !editor.lines.lines.some((shown) => shown.name === name && shown.waits),
): Promise<LineCheck> {
  const { client, lines, settings, dialogs, l10n } = editor;
  const checking = async (signal: AbortSignal) => {
    const waits = !(await apply());
    const line = waits ? settings().lines[name] : undefined;
    return { waits, answer: await client.call('checkLine', line ? { line } : { name }, { signal }) };
  };
  const { waits, answer } = await dialogs.wait(l10n.t('Checking the line {0}…', name), (signal) =>
    lines.whileBusy(name, () => checking(signal)),
  );
  const { state, message } = answer;
  const later = l10n.t(
    'Its settings, including any password, take effect when the runs in progress end, or after you restart the service.',
  );
  await dialogs[state === 'failed' ? 'warn' : 'tell'](
    `${name}: ${message}${waits ? ` ${later}` : ''}`,
    ...(state === 'failed' || waits ? [] : [{ title: l10n.t('Call Echo…'), run: () => echo(editor, name) }]),
    ...editing(editor, name),
  );
  return answer;
}

/** Passes settings and passwords to the service, unless the user doesn't want to interrupt its calls. */
const applyAndCheck = (editor: Editor, name: string): Promise<LineCheck> =>
  check(editor, name, () => editor.restart.now());

async function keep(editor: Editor, { name, line, password }: LineAnswers, before?: string): Promise<void> {
  const { linePasswords: passwords, workbench } = editor;
  const storedPassword = before === undefined ? undefined : await passwords.read(before);
  const newPassword = line.user === undefined ? undefined : (password ?? storedPassword);
  const replaced = await passwords.read(name);
  const put = (text: string | undefined): Promise<void> =>
    text === undefined ? passwords.clear(name) : passwords.store(name, text);
  await put(newPassword);
  try {
    await workbench.saveLines({
      ...(before !== undefined && before !== name && { [before]: undefined }),
      [name]: line,
    });
  } catch (error) {
    await put(replaced);
    throw error;
  }
  if (before !== undefined && before !== name) await passwords.clear(before);
  await applyAndCheck(editor, name);
}

async function edit(editor: Editor, name: string, showsOptions = false): Promise<void> {
  const line = assertLine(editor, name);
  const hasPassword = (await editor.linePasswords.read(name)) !== undefined;
  const answers = await askLine(editor, { name, line, hasPassword, showsOptions });
  if (answers) await keep(editor, answers, name);
}

async function echo(editor: Editor, name: string): Promise<LineEcho | undefined> {
  const { client, lines, dialogs, l10n } = editor;
  const number = await echoNumber(editor, name);
  if (number === false) return undefined;
  const call = (): Promise<LineEcho> =>
    dialogs.wait(l10n.t('Calling an echo number over {0}…', name), (signal) =>
      lines.whileBusy(name, () =>
        client.call('callLineEcho', { name, ...(number !== undefined && { number }) }, { signal }),
      ),
    );
  const echoResult = await agreed(editor, call);
  if (!echoResult) return undefined;
  await dialogs.tell(
    `${name}: ${echoResult.message}`,
    ...(echoResult.outcome === 'heard' ? [] : editing(editor, name)),
  );
  return echoResult;
}

/** Returns false if the user cancels, or undefined if the line is one address. */
async function echoNumber({ lines, dialogs, l10n }: Editor, name: string): Promise<string | undefined | false> {
  if (lines.lines.find((line) => line.name === name)?.state.kind === 'uri') return undefined;
  const typed = await dialogs.ask({
    title: l10n.t('Call Echo over {0}', name),
    prompt: l10n.t(
      'Enter a number or extension that sends back what it hears. Dialtree places one real call, which lasts up to half a minute.',
    ),
    placeHolder: '600, *43, +12025550100',
    value: echoNumbers.get(name) ?? '',
    check: (text) =>
      callLineEchoSchema.shape.number.safeParse(text.trim()).success
        ? undefined
        : l10n.t('Enter a number such as +12025550100, or an extension such as 600 or *43.'),
  });
  if (typed === undefined) return false;
  echoNumbers.set(name, typed.trim());
  return typed.trim();
}

/** If the service requires consent for the number, asks the user once. Returns undefined if they decline. */
async function agreed<T>(editor: Editor, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!isCode(error, 'consent_required') || !isTypedError(error)) throw error;
    const phoneNumber = consentTarget(error.details);
    if (phoneNumber === undefined) throw error;
    return (await askConsent(editor, phoneNumber, consentWords(error.details, editor.l10n))) ? call() : undefined;
  }
}
