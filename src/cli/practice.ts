import path from 'node:path';
import { readMenu } from '../language/menu/readMenu.ts';
import { ivrTruth } from '../model/tree/ivrTruth.ts';
import { placePracticeCall } from '../practice/caller.ts';
import { startEcho } from '../practice/echo.ts';
import { PracticeRegistry } from '../practice/registry.ts';
import { startAt, startPractice } from '../practice/server.ts';
import { integer, note, print, readArguments, UsageError, type Command } from './command.ts';
import { jsonText } from './controlCharacters.ts';
import { consentHelp, consentOption, readConsents } from './consents.ts';
import { loadIvrFile } from './runFiles.ts';
import { interruption, untilSignal } from './signals.ts';
import { withSpeech } from './speech.ts';

export const practice: Command = {
  usage:
    'practice FILE… [--host 127.0.0.1] [--port 5070] [--speak-first] [--truth] [--json] | practice FILE --call SIP-URI [--consent SIP-URI] | practice --echo [--user NAME] [--port 5070] [--json]',
  summary: 'Answers SIP calls as the practice IVRs of the given *.ivr.json files.',
  help:
    'A call reaches an IVR by its number or name in the request URI (sip:NAME@127.0.0.1:5070), or any name where there is one file.\n--port 0 picks a free port. --json prints one JSON line when calls are answered.\n--speak-first speaks every prompt before it answers calls, so that none waits for the voice.\n--truth places no calls and takes none: it prints the tree that a flawless mapper finds.\n--call takes no calls: it calls a SIP address of this machine, such as that of a compliance probe that waits, and plays the file to the person or program that answers.\n--consent goes with --call: ' +
    consentHelp +
    '.\n--echo takes no file: it answers every call and sends back what it hears, for trying a line. With --user only who knows the password in DIALTREE_PRACTICE_PASSWORD is answered.',
  async run(args) {
    const { values, positionals } = readArguments(args, {
      host: { type: 'string' },
      port: { type: 'string' },
      truth: { type: 'boolean' },
      'speak-first': { type: 'boolean' },
      call: { type: 'string' },
      json: { type: 'boolean' },
      echo: { type: 'boolean' },
      user: { type: 'string' },
      ...consentOption,
    });
    if (values.echo) {
      if (positionals.length > 0) throw new UsageError('--echo takes no file.');
      return serveEcho({ ...values, port: integer(values.port, 'port', 0, 65_535) });
    }
    if (values.user !== undefined) throw new UsageError('--user goes with --echo.');
    if (positionals.length === 0) throw new UsageError('Give at least one *.ivr.json file.');
    const port = integer(values.port, 'port', 0, 65_535);
    const sources = await Promise.all(positionals.map((file) => loadIvrFile(path.resolve(file), process.cwd())));
    if (values.truth) {
      for (const { ivr } of sources)
        print(jsonText(ivrTruth(ivr, { start: startAt(ivr, new Date()), offeredKeys }), 2));
      return 0;
    }
    const { call } = values;
    const [source, ...others] = sources;
    if (call !== undefined && (others.length > 0 || !source)) throw new UsageError('--call plays one file.');
    if (call !== undefined) await demandCallable(call, await readConsents(values.consent, {}));
    else if (values.consent !== undefined) throw new UsageError('--consent goes with --call.');
    return withSpeech(async (speech) => {
      if (call !== undefined && source) {
        const { kind, reason } = await placePracticeCall(call, source, { speech, signal: interruption() });
        print(`The call ended: ${reason}.`);
        return kind === 'hangup' ? 0 : 1;
      }
      const server = await startPractice(sources, {
        speech,
        speakFirst: values['speak-first'] === true,
        ...(values.host === undefined ? {} : { host: values.host }),
        ...(port === undefined ? {} : { port }),
        onError: (name, error) => {
          note(`${name}: a call was hung up: ${error instanceof Error ? error.message : String(error)}`);
        },
      });
      try {
        // Before anyone is told that we are ready: who reads that may end us at once.
        const ending = untilSignal();
        if (values.json)
          print(jsonText({ event: 'ready', host: server.host, port: server.port, targets: server.targets }));
        else {
          for (const target of server.targets)
            print(`${target.name}: ${target.uri}${target.number === undefined ? '' : `  (${target.number})`}`);
          note('Answering calls. Ctrl+C ends.');
        }
        await ending;
      } finally {
        await server.close();
      }
      return 0;
    });
  },
};

/** As a service does: rejects where the address is never called, or is none of Dialtree's and nobody confirmed it. */
async function demandCallable(address: string, consents: readonly string[]): Promise<void> {
  const [{ resolveTarget }, { consentRequired }] = await Promise.all([
    import('../service/numbers/dialGate.ts'),
    import('../service/runs/permission.ts'),
  ]);
  const dialling = resolveTarget(address, { routes: {}, practices: new PracticeRegistry() });
  if (dialling.consentFor !== undefined && !consents.includes(dialling.consentFor))
    throw consentRequired(dialling.consentFor, dialling);
}

/** Until a signal ends it. */
async function serveEcho({
  host,
  port,
  user,
  json,
}: {
  readonly host?: string | undefined;
  readonly port: number | undefined;
  readonly user?: string | undefined;
  readonly json?: boolean | undefined;
}): Promise<number> {
  const password = process.env['DIALTREE_PRACTICE_PASSWORD'];
  if (user !== undefined && !password)
    throw new UsageError('--user wants a password. Put it into DIALTREE_PRACTICE_PASSWORD.');
  const server = await startEcho({
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && {
      challenge: { realm: 'dialtree', passwordOf: (name) => (name === user ? password : undefined) },
    }),
  });
  try {
    const ending = untilSignal();
    if (json) print(jsonText({ event: 'ready', host: server.host, port: server.port, uri: server.uri }));
    else {
      print(`echo: ${server.uri}`);
      note('Answering calls. Ctrl+C ends.');
    }
    await ending;
  } finally {
    await server.close();
  }
  return 0;
}

const offeredKeys = (prompt: string): ReadonlySet<string> => new Set(readMenu(prompt).options.map(({ key }) => key));
