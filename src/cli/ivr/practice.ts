import path from 'node:path';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { stayWay } from '../../contract/tree.ts';
import { ivrTruth } from '../../model/tree/ivrTruth.ts';
import { placePracticeCall } from '../../practice/caller.ts';
import { startEcho } from '../../practice/echo.ts';
import type { IvrSource } from '../../practice/ivrSource.ts';
import { PracticeRegistry } from '../../practice/registry.ts';
import { startAt, startPractice } from '../../practice/server.ts';
import { consentHelp, consentOption, consentRefusal, readConsents } from '../calling/consents.ts';
import { integerOption, readArguments, UsageError, type CliCommand } from '../command.ts';
import { lineUnregistered } from '../../service/lines/lineWords.ts';
import { lineToRegister, registrationText, type LineToRegister } from '../line/registration.ts';
import { linesHelp, linesOption, readGivenLines } from '../settings/lines.ts';
import type { RegistrationState } from '../../telephony/call.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { note, print } from '../terminal/output.ts';
import { interruption, untilSignal } from '../terminal/signals.ts';
import { loadIvrFile } from './ivrFile.ts';
import { noteHangUp } from './playedIvrs.ts';
import { withSpeech } from './speech.ts';

const options = {
  host: { type: 'string' },
  port: { type: 'string' },
  truth: { type: 'boolean' },
  'speak-first': { type: 'boolean' },
  call: { type: 'string' },
  json: { type: 'boolean' },
  echo: { type: 'boolean' },
  user: { type: 'string' },
  line: { type: 'string' },
  ...linesOption,
  ...consentOption,
} as const;
type Values = ReturnType<typeof readArguments<typeof options>>['values'];

export const practice: CliCommand = {
  help:
    "A call reaches an IVR by its number or name in the request URI (sip:NAME@127.0.0.1:5070). With one file, any name reaches it.\n--port 0 picks the port that the first file had last, or a free one. --json prints one JSON line when the command is ready for calls.\n--speak-first prepares the audio of every prompt before it answers calls, so that no call has to wait.\n--truth neither answers nor places calls: it prints the tree that a perfect mapping would find.\n--call doesn't answer calls: it calls a SIP address on this machine, such as a compliance probe that waits for a call, and plays the file to the person or program that answers.\n--consent is used with --call. It " +
    consentHelp +
    ".\n--line NAME also registers this line of --lines, and answers its calls with the first file. A call that isn't on the line must come from this machine. --lines takes " +
    linesHelp +
    '.\n--echo takes no file: it answers every call and sends back what it hears, so that you can test a line. With --user, it answers only callers who know the password in DIALTREE_PRACTICE_PASSWORD.',
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    checkUse(values, positionals);
    const port = integerOption(values.port, 'port', 0, 65_535);
    const answering = { at: withoutUndefined({ host: values.host, port }), json: values.json === true };
    if (values.echo) return serveEcho(values.user, answering);
    const sources = await Promise.all(positionals.map((file) => loadIvrFile(path.resolve(file), process.cwd())));
    if (values.truth) {
      for (const { ivr } of sources)
        print(jsonText(ivrTruth(ivr, { start: startAt(ivr, new Date()), offeredKeys }), 2));
      return 0;
    }
    if (values.call !== undefined) return callWith(sources, values.call, values.consent);
    if (values.consent !== undefined) throw new UsageError('Use --consent only with --call.');
    const line =
      values.line === undefined
        ? undefined
        : lineToRegister(values.line, await readGivenLines(values.lines, process.env));
    return answerCalls(sources, answering, values['speak-first'] === true, line);
  },
};

function checkUse({ echo, user, line, lines, truth, call }: Values, positionals: readonly string[]): void {
  if (echo && positionals.length > 0) throw new UsageError("--echo doesn't take a file.");
  if (!echo && user !== undefined) throw new UsageError('Use --user only with --echo.');
  if ((line === undefined) !== (lines === undefined)) throw new UsageError('Use --line and --lines together.');
  if (line !== undefined && (echo ?? truth ?? call) !== undefined)
    throw new UsageError('Use --line without --echo, --truth and --call.');
  if (!echo && positionals.length === 0) throw new UsageError('Give at least one *.ivr.json file.');
}

const offeredKeys = (prompt: string): ReadonlySet<string> => {
  const { options: offered, stayOnLine } = readMenu(prompt);
  return new Set([...offered.map(({ key }) => key), ...(stayOnLine ? [stayWay] : [])]);
};

async function callWith(
  [source, ...others]: readonly IvrSource[],
  address: string,
  consent: readonly string[] | undefined,
): Promise<number> {
  if (others.length > 0 || !source) throw new UsageError('--call takes exactly one file.');
  await assertCallable(address, await readConsents(consent, {}));
  return withSpeech(async (speech) => {
    const { kind, reason } = await placePracticeCall(address, source, { speech, signal: interruption() });
    print(`The call ended: ${reason}.`);
    return kind === 'hangup' ? 0 : 1;
  });
}

/** Rejects, as a service does, if the address must never be called, or isn't Dialtree's own and has no consent. */
async function assertCallable(address: string, consents: readonly string[]): Promise<void> {
  const { resolveTarget, strangerAt } = await import('../../service/numbers/dialGate.ts');
  const dialling = resolveTarget(address, { routes: {}, practices: new PracticeRegistry() });
  if (dialling.consentFor !== undefined && !consents.includes(dialling.consentFor))
    throw consentRefusal(dialling.consentFor, strangerAt(dialling));
}

interface Answering {
  readonly at: { readonly host?: string; readonly port?: number };
  readonly json: boolean;
}

const answerCalls = async (
  sources: readonly IvrSource[],
  { at, json }: Answering,
  speakFirst: boolean,
  line: LineToRegister | undefined,
): Promise<number> =>
  withSpeech(async (speech) => {
    const registering = line && watchRegistration(line, json);
    const server = await startPractice(sources, {
      speech,
      speakFirst,
      keepsAddress: true,
      ...(registering && { ...line.hosts, line: { ...line, onChange: registering.onChange } }),
      ...at,
      onError: noteHangUp,
      reload: (file) => loadIvrFile(file, process.cwd()),
      onStale: (problem) => note(`${problem}\nUntil this is fixed, calls hear the last valid version of the file.`),
    });
    const { targets } = server;
    const registry = new PracticeRegistry();
    // Its earlier addresses still call it.
    const known = targets.map((target) => ({ ...target, addresses: registry.hadBy(target.file) }));
    await answerUntilSignal(
      server,
      json
        ? [jsonText({ event: 'ready', host: server.host, port: server.port, targets: known })]
        : targets.map(({ name, uri, number }) => `${name}: ${uri}${number === undefined ? '' : `  (${number})`}`),
      json,
      registering?.registered,
    );
    return 0;
  });

/** Prints the changes of a registration. `registered` rejects if the first attempt fails. */
function watchRegistration(line: LineToRegister, json: boolean) {
  const { promise: registered, resolve, reject } = Promise.withResolvers<undefined>();
  const onChange = (state: RegistrationState): void => {
    print(registrationText(line, state, json));
    if (state.state === 'registered') resolve(undefined);
    if (state.state === 'failed') reject(lineUnregistered(line.name, state, line.settings));
  };
  return { registered, onChange };
}

/** Answers all calls, or those for this user, and echoes their audio. */
async function serveEcho(user: string | undefined, { at, json }: Answering): Promise<number> {
  const password = process.env['DIALTREE_PRACTICE_PASSWORD'];
  if (user !== undefined && !password)
    throw new UsageError('--user needs a password. Put it in the environment variable DIALTREE_PRACTICE_PASSWORD.');
  const server = await startEcho({
    ...at,
    ...(user !== undefined && {
      challenge: { realm: 'dialtree', passwordOf: (name) => (name === user ? password : undefined) },
    }),
  });
  const { uri } = server;
  await answerUntilSignal(
    server,
    [json ? jsonText({ event: 'ready', host: server.host, port: server.port, uri }) : `echo: ${uri}`],
    json,
  );
  return 0;
}

async function answerUntilSignal(
  server: { close(): Promise<void> },
  ready: readonly string[],
  json: boolean,
  before?: Promise<undefined>,
): Promise<void> {
  try {
    await before;
    // Created before "ready" is printed: a program that reads it can send the signal immediately.
    const ending = untilSignal();
    for (const line of ready) print(line);
    if (!json) note('Answering calls. Press Ctrl+C to stop.');
    await ending;
  } finally {
    await server.close();
  }
}
