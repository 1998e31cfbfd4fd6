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
];
