import { commands, l10n, window } from 'vscode';
import type { CommandId } from './commandId.ts';
import { adviceOn } from './errorAdvice.ts';
import { isAbort, isTypedError } from './errors.ts';
import { describeCause, type Logger } from './log/logger.ts';
import { openSetting } from './openSetting.ts';
import type { ServiceSettings } from './settings.ts';

export type ErrorReporter = (error: unknown) => void;

export function createErrorReporter(
  log: Logger,
  mode: () => ServiceSettings['mode'],
  run: (id: CommandId) => unknown,
): ErrorReporter {
  return (error) => {
    if (isAbort(error)) return;
    // A problem that the user can fix isn't an internal error.
    log[isTypedError(error) ? 'warn' : 'error'](`A command failed: ${describeCause(error)}`);
    const { message, actions } = adviceOn(error, mode(), l10n);
    void window.showErrorMessage(message, ...actions).then((chosen) => {
      if (!chosen) return;
      if ('command' in chosen) run(chosen.command);
      else if ('editorCommand' in chosen) void commands.executeCommand(chosen.editorCommand);
      else void openSetting(chosen.setting);
    });
  };
}
