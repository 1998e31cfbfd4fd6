import { planAgentFiles, readAgentClients, writeAgentFiles } from '../../runner/agentFiles.ts';
import { findInstallation } from '../../service/basics/installation.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { print } from '../terminal/output.ts';

const options = { for: { type: 'string' }, 'dry-run': { type: 'boolean' }, undo: { type: 'boolean' } } as const;

export const agents: CliCommand = {
  help: `Writes into the current folder what coding agents need: an MCP configuration, which runs "dialtree mcp" and
contains no key, skills, and the agents planner, generator and healer. A file that you changed stays as it is.
--for limits this to one client. --dry-run only lists the files. --undo removes what was written, unless you changed it.`,
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    if (positionals.join() !== 'init') throw new UsageError('Give the action init.');
    const { mediaDir } = findInstallation();
    const clients = Object.entries(await readAgentClients(mediaDir)).filter(([name]) => name === (values.for ?? name));
    if (clients.length === 0) throw new UsageError('--for takes vscode, claude or codex.');
    const chosen = clients.map(([, client]) => client);
    const changes = await planAgentFiles(process.cwd(), mediaDir, chosen, values.undo === true);
    for (const { file, after } of changes)
      print(
        after === null ? `keep    ${file} (changed by you)` : `${after === undefined ? 'remove' : 'write '}  ${file}`,
      );
    if (values['dry-run'] !== true) await writeAgentFiles(process.cwd(), changes);
    print('Agents run the command "dialtree". If it isn\'t on the PATH, run "npm link" in the folder of Dialtree.');
    return 0;
  },
};
