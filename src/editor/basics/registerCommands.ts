import { commands, type Disposable } from 'vscode';
import { commandIds, type CommandId, type Handlers } from './commandTable.ts';
import type { ErrorReporter } from './reportError.ts';

/** Registers every command. Errors of a handler are reported here, once, and the command returns undefined. */
export function registerCommands(handlers: Handlers, report: ErrorReporter): Disposable[] {
  return commandIds.map((id) =>
    commands.registerCommand(id, async (...values: unknown[]): Promise<unknown> => {
      try {
        return await handlers[id](...values);
      } catch (error) {
        report(error);
        return undefined;
      }
    }),
  );
}

export const runCommand = async (id: CommandId, ...values: unknown[]): Promise<void> => {
  await commands.executeCommand(id, ...values);
};
