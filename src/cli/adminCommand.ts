import type { Command } from './command.ts';

export const adminCommand: Command = {
  usage: 'admin workspaces|tier|grant [ID …] [--data DIR] [--json]',
  summary: 'What the operator of a server does: see workspaces, set their tier, add minutes.',
  help: `  admin workspaces                      lists the workspaces of this data folder
  admin tier ID free|starter|team|enterprise
  admin grant ID POOL MINUTES           adds a pack; POOL is testing, loadTesting, mapping, s2s or s2stest

  --data DIR     folder of the store (default ~/.dialtree); no service may run on it
  --assets DIR   folder of the store's files
  --json         prints the list as JSON`,
  run: async (args) => (await import('./admin.ts')).runAdmin(args),
};
