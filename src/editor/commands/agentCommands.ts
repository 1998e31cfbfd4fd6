import { command } from './command.ts';

export const agentCommands = [
  command({
    id: 'dialtree.agent.configure',
    run: async (editor) => (await import('./agentForms.ts')).configure(editor),
  }),
  command({
    id: 'dialtree.agent.copyConfig',
    run: async (editor) => (await import('./agentForms.ts')).copyConfig(editor),
  }),
  command({
    id: 'dialtree.agents.setUp',
    run: async (editor) => (await import('./setUpAgents.ts')).setUpAgents(editor),
  }),
];
