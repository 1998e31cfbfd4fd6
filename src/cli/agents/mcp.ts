import { homedir } from 'node:os';
import path from 'node:path';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { isRemote, readService } from '../calling/serviceChoice.ts';
import { interruption } from '../terminal/signals.ts';
import { bridgeStdio } from './bridgeStdio.ts';
import { SharedProcess } from './sharedProcess.ts';

export const mcp: CliCommand = {
  help: `Speaks MCP on stdin and stdout, for agents that start a command. Passes every message to the service of the data
folder and starts that service if necessary. It ends when stdin closes.

  --data DIR   data folder of the service (default ~/.dialtree)
  --url URL    passes the messages to this service instead, with the key in the environment variable DIALTREE_API_KEY`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, url: { type: 'string' } });
    if (positionals.length > 0) throw new UsageError(`"${positionals.join(' ')}" isn't an option.`);
    const { data, url } = values;
    if (data !== undefined && url !== undefined) throw new UsageError('Give --data or --url, not both.');
    const remote = url === undefined ? undefined : await readService({ url });
    const service = new SharedProcess(path.resolve(data ?? path.join(homedir(), '.dialtree')));
    try {
      await bridgeStdio(
        remote && isRemote(remote)
          ? {
              address: () =>
                Promise.resolve({ mcpUrl: remote.baseUrl.replace(/\/v1$/, '/mcp'), apiKey: remote.apiKey }),
              lost: () => undefined,
            }
          : service,
        interruption(),
      );
    } finally {
      service.release();
    }
    return 0;
  },
};
