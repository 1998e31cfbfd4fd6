import type { Command } from './command.ts';
import { storeHelp } from './storeHelp.ts';

export const adminCommand: Command = {
  usage: 'admin workspaces|tier|grant [ID …] [--data DIR | --database-url URL] [--json]',
  summary: 'What the operator of a server does: see workspaces, set their tier, add minutes.',
  help: `  admin workspaces                      lists the workspaces of this store
  admin tier ID free|starter|team|enterprise
  admin grant ID POOL MINUTES           adds a pack; POOL is testing, loadTesting, mapping, s2s or s2stest

${storeHelp}
  --json               prints the list as JSON`,
  run: async (args) => (await import('./admin.ts')).runAdmin(args),
};
