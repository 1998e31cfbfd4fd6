import { count } from '../../base/count.ts';
import { agentClients, type FileChange } from '../../model/agents/agentFiles.ts';
import { AgentFolder } from '../../runner/agentFolder.ts';
import { findInstallation } from '../../service/basics/installation.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { print } from '../terminal/output.ts';

export const agents: CliCommand = {
  help: `Writes what coding agents need to use Dialtree in the current folder: the MCP configuration, which runs
"dialtree mcp" and contains no key, skills, and the agents planner, generator and healer.
Files that you changed stay as they are.

  --for vscode|claude|codex  only for this client; you can repeat this option (default: all three)
  --dry-run                  prints what would be written, and writes nothing
  --undo                     removes what was written, if you didn't change it`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      for: { type: 'string', multiple: true },
      'dry-run': { type: 'boolean' },
      undo: { type: 'boolean' },
    });
    if (positionals.length !== 1 || positionals[0] !== 'init') throw new UsageError('Give the action init.');
    const clients = agentClients.filter((client) => values.for?.includes(client) ?? true);
    if (values.for?.some((name) => !agentClients.some((client) => client === name)))
      throw new UsageError(`--for takes ${agentClients.join(', ')}.`);
    const folder = new AgentFolder(process.cwd(), findInstallation().mediaDir);
    const { changes, kept } = await folder.plan(clients, values.undo === true);
    for (const change of changes) print(`${actionOf(change)}  ${change.path}`);
    for (const file of kept) print(`keep    ${file}  (you changed it)`);
    if (values['dry-run'] === true) {
      print(`Would change ${count(changes.length, 'file')}.`);
      return 0;
    }
    await folder.apply(changes);
    print(`Changed ${count(changes.length, 'file')}.`);
    if (values.undo !== true)
      print(
        'Agents run the command "dialtree", so it must be on the PATH. To put it there, run "npm link" in the folder of Dialtree.',
      );
    return 0;
  },
};

const actionOf = ({ before, after }: FileChange): string =>
  after === undefined ? 'remove' : before === undefined ? 'add   ' : 'change';
