import type { Command } from './command.ts';
import { serve } from './serve.ts';

export const serveCommand: Command = {
  usage: 'serve [--host 127.0.0.1] [--port 0] [--data DIR] [--routes FILE|JSON]',
  summary: 'Serves the interface (MCP and REST) on this machine until it is stopped.',
  help: 'Prints one JSON line when it is ready: {"event":"ready","mcpUrl":…,"baseUrl":…,"apiKey":…}. Logs go to stderr.',
  run: (args) => serve([...args]),
};
