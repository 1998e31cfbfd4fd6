import { l10n, window } from 'vscode';
import { isAbort, isStatus, isTypedError, isUnreachable, messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import type { CommandId } from './commandTable.ts';

export type ErrorReporter = (error: unknown) => void;

interface Action { readonly title: string; readonly command: CommandId }

/** Shows an error with what can be done about it, and logs it with its causes. */
export function createErrorReporter(log: Logger, run: (id: CommandId) => unknown): ErrorReporter {
  return (error) => {
    if (isAbort(error)) return;
    log.error(describeCause(error));
    const actions = actionsFor(error);
    const message = messageOf(error) ?? l10n.t('Internal error, see the log.');
    void window.showErrorMessage(message, ...actions).then((chosen) => {
      if (chosen) run(chosen.command);
    });
  };
}

/** At most two. */
function actionsFor(error: unknown): Action[] {
  const showLog: Action = { title: l10n.t('Show Log'), command: 'dialtree.service.showLog' };
  const restart: Action = { title: l10n.t('Restart Service'), command: 'dialtree.service.restart' };
  const choose: Action = { title: l10n.t('Choose Service'), command: 'dialtree.service.choose' };
  if (!isTypedError(error)) return [showLog];
  if (error.code === 'service_url') return [choose];
  if (isStatus(error, 401)) return [{ title: l10n.t('Set API Key'), command: 'dialtree.key.set' }, choose];
  if (isUnreachable(error) || error.code === 'start_failed' || error.code === 'crash_loop') return [restart, showLog];
  return [];
}
