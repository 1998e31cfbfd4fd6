import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import path from 'node:path';
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { parsedJson } from '../../base/parsedJson.ts';
import { HumanError } from '../../contract/errors.ts';
import { markedTextOnlyHeader } from '../../contract/untrusted.ts';
import { isRemote, readService } from '../calling/serviceChoice.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';

const sessionHeader = 'mcp-session-id';
const lastResponsesMs = 10_000;
const addressSchema = z.object({ mcpUrl: z.url(), apiKey: z.string() });
type Address = z.output<typeof addressSchema>;

export const mcp: CliCommand = {
  help: `For agents that start a command. Passes each message to the service of the data folder --data (default
~/.dialtree), which it starts if necessary, or to the service at --url, with the key in DIALTREE_API_KEY.
Without this variable, it uses the unlimited key of the data folder. It ends when stdin closes.`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, url: { type: 'string' } });
    if (positionals.length > 0) throw new UsageError('This command takes only options.');
    const remote = values.url === undefined ? undefined : await readService({ url: values.url });
    const dataDir = path.resolve(values.data ?? path.join(homedir(), '.dialtree'));
    const key = process.env['DIALTREE_API_KEY'];
    if (key?.trim() === '')
      throw new HumanError('The variable DIALTREE_API_KEY is empty. Put an API key in it, or remove the variable.', {
        status: 400,
        code: 'no_key',
      });
    const locate = async (): Promise<Address> =>
      remote && isRemote(remote)
        ? { mcpUrl: remote.baseUrl.replace(/\/v1$/, '/mcp'), apiKey: remote.apiKey }
        : { ...(await startService(dataDir)), ...(key !== undefined && { apiKey: key }) };
    let address: Promise<Address> | undefined;
    /** Distinguishes this client from others with the same key. */
    let session: string | null = null;
    /** The service keeps no sessions, so one that starts later continues where another ended. */
    const forward = async (line: string, again = true): Promise<void> => {
      let failure = 'The connection to the service ended before its response. Check what the request did.';
      try {
        const { mcpUrl, apiKey } = await (address ??= locate());
        const headers = {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'x-api-key': apiKey,
          [markedTextOnlyHeader]: 'true',
          ...(session !== null && { [sessionHeader]: session }),
        };
        const response = await fetch(mcpUrl, { method: 'POST', headers, body: line });
        session = response.headers.get(sessionHeader) ?? session;
        if (!response.ok) failure = `The service refused the request with status ${String(response.status)}.`;
        // Each message is one line, whether the response is JSON or a stream of events.
        for await (const text of linesOf(response.body?.pipeThrough(new TextDecoderStream()) ?? [])) {
          const message = parsedJson(text.replace(/^data: ?/, ''));
          // The responses to a batch.
          if (Array.isArray(message)) {
            await write(message);
            return;
          }
          if (!isRecord(message)) continue;
          const { id, jsonrpc, error } = message;
          if (jsonrpc !== undefined && id !== null) await write(message);
          // With 401, the error is a code of OAuth, beside the message.
          else failure = String((isRecord(error) ? error : message)['message']);
          if (jsonrpc !== undefined && id !== null && !('method' in message)) return;
        }
      } catch (error) {
        address = undefined;
        // Only a request that no service received can be sent again.
        const isSafe = error instanceof TypeError && JSON.stringify(error.cause).includes('ECONNREFUSED');
        if (isSafe && again) return forward(line, false);
        if (isSafe || error instanceof HumanError) failure = isSafe ? "Couldn't reach the service." : error.message;
      }
      const requests = [parsedJson(line)].flat();
      if (requests[0] === undefined)
        await write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: failure } });
      for (const request of requests)
        if (isRecord(request) && 'method' in request && request['id'] !== undefined)
          await write({ jsonrpc: '2.0', id: request['id'], error: { code: -32603, message: failure } });
    };
    const underWay = new Set<Promise<void>>();
    for await (const line of linesOf(process.stdin.setEncoding('utf8'))) {
      if (line.trim() === '') continue;
      const forwarding: Promise<void> = forward(line).finally(() => underWay.delete(forwarding));
      underWay.add(forwarding);
    }
    // A program that sends all messages at once still gets the responses. The service doesn't keep this process.
    await Promise.race([Promise.all(underWay), delay(lastResponsesMs)]);
    process.exit(0);
  },
};

/** Resolves when the client has received it, so that the process doesn't end before. */
const write = (message: object): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve()));

/** Texts contain line separators that `readline` takes for the end of a line. */
async function* linesOf(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = chunk.split('\n');
    // A response of many megabytes arrives in thousands of chunks, so only the chunk is searched.
    rest += end;
    for (const line of lines) {
      yield rest;
      rest = line;
    }
  }
  yield rest;
}

/** Starts the service of a data folder, which outlives this process, or finds the one that another process started. */
async function startService(dataDir: string): Promise<Address> {
  const program = [...process.execArgv, process.argv[1] ?? '', 'serve', '--data', dataDir, '--idle-exit', '600'];
  const child = spawn(process.execPath, program, {
    // The service outlives the client, and needs no key of it.
    env: { ...process.env, DIALTREE_API_KEY: undefined },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let lastWords = '';
  child.once('error', ({ message }) => (lastWords = message));
  child.stderr.on('data', (chunk) => (lastWords = String(chunk)));
  for await (const line of linesOf(child.stdout.setEncoding('utf8')))
    if (line !== '') return addressSchema.parse(parsedJson(line));
  throw new HumanError(`The service didn't start. ${lastWords.trim()}`);
}
