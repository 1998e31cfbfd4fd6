import { commands, type Disposable } from 'vscode';
import { allCommands } from './allCommands.ts';
import type { Editor } from './editor.ts';

/** Registers every command. Errors of a command are reported here, once, and the command returns undefined. */
export function registerCommands(editor: Editor): Disposable[] {
  return allCommands.map(({ id, run }) =>
    commands.registerCommand(id, async (...values: unknown[]): Promise<unknown> => {
      try {
        return await run(editor, ...values);
      } catch (error) {
        editor.report(error);
        return undefined;
      }
    }),
  );
}
