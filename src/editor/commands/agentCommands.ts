import { command } from './command.ts';

export const agentCommands = [
  command({ id: 'dialtree.agent.configure', run: ({ agents }) => agents.configure() }),
  command({ id: 'dialtree.agent.copyConfig', run: ({ agents }) => agents.copyConfig() }),
];
