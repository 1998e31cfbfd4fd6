import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Line, LineCheck, LineEcho, Lines } from '../../contract/lines.ts';
import type { Basics } from '../basics/createBasics.ts';
import { readArgument } from '../basics/commandArguments.ts';
import type { HandlersOf } from '../basics/commandTable.ts';
import type { Action } from '../basics/dialogs/dialogs.ts';
import { isCode, isTypedError } from '../basics/errors.ts';
import { askConsent } from '../calls/consent.ts';
import { consentTarget, consentWords } from '../calls/consentWords.ts';
import type { LinePasswords } from '../host/linePasswords.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { LineAnswers, LineBefore } from './lineForm.ts';
import type { LineList } from './lineList.ts';
import { kindWord } from './lineRows.ts';

interface LineCommandParts extends Pick<Basics, 'dialogs' | 'steps' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly list: LineList;
  readonly lines: () => Lines;
  /** Names in the settings that must not be overwritten, including invalid lines. */
  readonly names: () => readonly string[];
  readonly passwords: LinePasswords;
  /** Writes the user settings: saves each of these lines, and removes those that are undefined. */
  readonly save: (lines: Readonly<Record<string, Line | undefined>>) => Promise<void>;
  /** Passes settings and passwords to the service. Returns false if the user doesn't want to interrupt its calls. */
  readonly apply: () => Promise<boolean>;
  readonly openSettings: (setting: string) => Promise<void>;
}

/** A row of the view also matches. */
const lineArgument = z.object({ name: z.string() });

export function lineCommands(parts: LineCommandParts): HandlersOf<'line'> {
  const { client, list, lines, passwords, dialogs, steps, save, apply, openSettings, l10n } = parts;
  /** The last number called over each line, offered again. */
  const echoNumbers = new Map<string, string>();

  const assertOwnLines = (): void => {
    if (list.isForeign)
      throw new HumanError(
        l10n.t(
          'The operator of a remote service sets up its lines. Choose the embedded service to use your own lines.',
        ),
        { status: 400, code: 'lines_remote' },
      );
  };
  const pickLine = async (
    value: unknown,
    wanted: (name: string) => boolean = () => true,
  ): Promise<string | undefined> => {
    const argument = readArgument(lineArgument, value);
    if (argument) return argument.name;
    await list.refresh();
    const shown = list.lines.filter(({ name }) => wanted(name));
    if (shown.length === 0)
      throw new HumanError(
        list.lines.length > 0
          ? l10n.t('None of your lines has a user name, so none of them logs in. Edit a line to add a user name.')
          : l10n.t('This command needs a line, but you have none. Add one with “Dialtree: Add Line…”.'),
        {
          status: 404,
          code: 'line_unknown',
        },
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
  };
  /** @throws HumanError if the settings have no line with this name */
  const assertLine = (name: string): Line => {
    const line = Object.hasOwn(lines(), name) ? lines()[name] : undefined;
    if (!line)
      throw new HumanError(
        l10n.t("Your settings don't contain a line called {0}. Check the name, or add the line.", name),
        {
          status: 404,
          code: 'line_unknown',
        },
      );
    return line;
  };

  const askLine = async (before?: LineBefore): Promise<LineAnswers | undefined> => {
    const others = Object.fromEntries(Object.entries(lines()).filter(([name]) => name !== before?.name));
    const taken = parts.names().filter((name) => name !== before?.name);
    return (await import('./lineForm.ts')).askLine({ dialogs: steps, l10n, others, taken }, before);
  };
  /** The service doesn't have a line that waits for its restart. */
  const isWaiting = (name: string): boolean => list.lines.some((shown) => shown.name === name && shown.waits);
  const check = async (name: string, waits = isWaiting(name)): Promise<LineCheck> => {
    const line = waits ? lines()[name] : undefined;
    return await dialogs.wait(l10n.t('Asking {0}…', name), (signal) =>
      list.whileBusy(name, () => client.call('checkLine', line ? { line } : { name }, { signal })),
    );
  };
  const editing = (name: string): Action[] =>
    list.isForeign ? [] : [{ title: l10n.t('Edit Line…'), run: () => edit(name, true) }];
  /** Shows the result, with possible next steps. */
  const tellCheck = async (name: string, { state, message }: LineCheck, waits = isWaiting(name)): Promise<void> => {
    const later = l10n.t(
      'Its settings, including any password, take effect when the runs in progress end, or after you restart the service.',
    );
    await dialogs.tell(
      `${name}: ${message}${waits ? ` ${later}` : ''}`,
      ...(state === 'failed' || waits ? [] : [{ title: l10n.t('Call Echo…'), run: () => echo(name) }]),
      ...editing(name),
    );
  };
  const applyAndCheck = async (name: string): Promise<void> => {
    const waits = !(await apply());
    await tellCheck(name, await check(name, waits), waits);
  };
  const keep = async ({ name, line, password }: LineAnswers, before?: string): Promise<void> => {
    const storedPassword = before === undefined ? undefined : await passwords.read(before);
    const newPassword = line.user === undefined ? undefined : (password ?? storedPassword);
    const replaced = await passwords.read(name);
    const put = (text: string | undefined): Promise<void> =>
      text === undefined ? passwords.clear(name) : passwords.store(name, text);
    await put(newPassword);
    try {
      await save({ ...(before !== undefined && before !== name && { [before]: undefined }), [name]: line });
    } catch (error) {
      await put(replaced);
      throw error;
    }
    if (before !== undefined && before !== name) await passwords.clear(before);
    await applyAndCheck(name);
  };

  async function edit(name: string, showsOptions = false): Promise<void> {
    const line = assertLine(name);
    const hasPassword = (await passwords.read(name)) !== undefined;
    const answers = await askLine({ name, line, hasPassword, showsOptions });
    if (answers) await keep(answers, name);
  }

  async function echo(name: string): Promise<LineEcho | undefined> {
    const number = await echoNumber(name);
    if (number === false) return undefined;
    const call = (): Promise<LineEcho> =>
      dialogs.wait(l10n.t('Calling an echo number over {0}…', name), (signal) =>
        list.whileBusy(name, () =>
          client.call('callLineEcho', { name, ...(number !== undefined && { number }) }, { signal }),
        ),
      );
    const echoResult = await agreed(call);
    if (!echoResult) return undefined;
    await dialogs.tell(`${name}: ${echoResult.message}`, ...(echoResult.outcome === 'heard' ? [] : editing(name)));
    return echoResult;
  }
  /** Returns false if the user cancels, or undefined if the line is one address. */
  async function echoNumber(name: string): Promise<string | undefined | false> {
    if (list.lines.find((line) => line.name === name)?.state.kind === 'uri') return undefined;
    const typed = await dialogs.ask({
      title: l10n.t('Call Echo over {0}', name),
      prompt: l10n.t(
        'Enter a number or extension that sends back what it hears. Dialtree places one real call, which lasts up to half a minute.',
      ),
      placeHolder: '600, *43, +12025550100',
      value: echoNumbers.get(name) ?? '',
      check: (text) =>
        /^[+*#]?[\w*#.-]{1,64}$/.test(text.trim())
          ? undefined
          : l10n.t('Enter a number such as +12025550100, or an extension such as 600 or *43.'),
    });
    if (typed === undefined) return false;
    echoNumbers.set(name, typed.trim());
    return typed.trim();
  }
  /** If the service requires consent for the number, asks the user once. Returns undefined if they decline. */
  async function agreed<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!isCode(error, 'consent_required') || !isTypedError(error)) throw error;
      const phoneNumber = consentTarget(error.details);
      if (phoneNumber === undefined) throw error;
      return (await askConsent(parts, phoneNumber, consentWords(error.details, l10n))) ? call() : undefined;
    }
  }

  return {
    async 'dialtree.line.add'() {
      assertOwnLines();
      const answers = await askLine();
      if (!answers) return undefined;
      await keep(answers);
      return answers.name;
    },
    async 'dialtree.line.edit'(value) {
      assertOwnLines();
      const name = await pickLine(value);
      if (name !== undefined) await edit(name);
    },
    async 'dialtree.line.remove'(value) {
      assertOwnLines();
      const name = await pickLine(value);
      if (name === undefined) return;
      assertLine(name);
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
      await save({ [name]: undefined });
      await passwords.clear(name);
      await apply();
    },
    async 'dialtree.line.check'(value) {
      const name = await pickLine(value);
      if (name === undefined) return undefined;
      const answer = await check(name);
      await tellCheck(name, answer);
      return answer;
    },
    async 'dialtree.line.echo'(value) {
      const name = await pickLine(value);
      return name === undefined ? undefined : echo(name);
    },
    async 'dialtree.line.setPassword'(value) {
      assertOwnLines();
      const name = await pickLine(value, (wanted) => lines()[wanted]?.user !== undefined);
      if (name === undefined) return;
      if (assertLine(name).user === undefined)
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
      await passwords.store(name, typed);
      await applyAndCheck(name);
    },
    async 'dialtree.line.showInSettings'() {
      assertOwnLines();
      await openSettings('dialtree.telephony.lines');
    },
  };
}
