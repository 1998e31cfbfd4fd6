import type { Command } from './command.ts';
import { storeHelp } from './storeHelp.ts';

export const importCommand: Command = {
  usage: 'import FILE [--data DIR | --database-url URL] [--json]',
  summary: 'Takes a workspace from a file of dialtree export: all of it, or nothing.',
  help: `Its keys go on working here. A workspace that is here already is refused; but the local workspace of another installation is merged into the
local one of this data folder, and becomes a new workspace of a database: free, without minutes, its id is printed.

${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"skipped":{"table":count,…}}`,
  run: async (args) => (await import('./import.ts')).runImport(args),
};
