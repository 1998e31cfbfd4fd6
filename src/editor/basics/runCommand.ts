import { commands } from 'vscode';
import type { CommandId } from './commandId.ts';

export const runCommand = async (id: CommandId, ...values: unknown[]): Promise<void> => {
  await commands.executeCommand(id, ...values);
};
