import type { Command } from './command.ts';
import { storeHelp } from './storeHelp.ts';

export const exportCommand: Command = {
  usage: 'export WORKSPACE_ID FILE [--data DIR | --database-url URL] [--json]',
  summary: 'Writes a whole workspace into one file: keys, people, mappings, tests, runs and recordings.',
  help: `\`dialtree admin workspaces\` lists the ids. \`dialtree import\` takes the file, into another data folder or database.
Keys and passwords are in it as hashes, numbers and transcripts as they are: only you may read it. A file that is there is replaced.

${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"skipped":{…}}`,
  run: async (args) => (await import('./export.ts')).runExport(args),
};
