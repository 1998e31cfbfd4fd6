import type { OperationOutput } from '../../../contract/operations.ts';
import type { CommandId } from '../../basics/commandTable.ts';
import type { Action, Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';

export interface RegisterParts {
  /** REST address of the remote service. */
  readonly url: string;
  readonly register: (url: string, signal: AbortSignal) => Promise<OperationOutput<'registerWorkspace'>>;
  readonly keys: {
    readonly read: (url: string) => Promise<string | undefined>;
    readonly store: (url: string, key: string) => Promise<void>;
  };
  /** Another key is in use from now on. */
  readonly onKeyChanged: () => void;
  readonly dialogs: Dialogs;
  readonly run: (id: CommandId) => unknown;
  readonly l10n: L10n;
}

/**
 * Makes a new workspace and keeps its key in the secret storage. The key goes nowhere else, but to the clipboard for
 * who asks.
 */
export async function registerWorkspace({
  url,
  register,
  keys,
  onKeyChanged,
  dialogs,
  run,
  l10n,
}: RegisterParts): Promise<void> {
  const { host } = new URL(url);
  // A workspace whose only key is gone can be reached by nobody.
  const replaces =
    (await keys.read(url)) !== undefined &&
    !(await dialogs.confirm(
      l10n.t('Register another workspace on {0}?', host),
      l10n.t(
        'The key of the new workspace takes the place of the one that is kept for {0} now. Without a copy of that one, its workspace cannot be reached any more.',
        host,
      ),
      l10n.t('Register'),
    ));
  if (replaces) return;
  const { apiKey, keyPrefix } = await dialogs.wait(l10n.t('Registering a workspace on {0}…', host), (signal) =>
    register(url, signal),
  );
  const copy: Action = { title: l10n.t('Copy Key'), run: () => dialogs.copy(apiKey) };
  try {
    await keys.store(url, apiKey);
  } catch (error) {
    await dialogs.tell(
      l10n.t(
        'The workspace is registered, but its key {0} could not be kept. Copy it now: it is not given again.',
        keyPrefix,
      ),
      copy,
    );
    throw error;
  }
  onKeyChanged();
  await dialogs.tell(
    l10n.t(
      'A workspace is registered on {0}. Its key {1} is kept in the secret storage; verify a phone for its free minutes.',
      host,
      keyPrefix,
    ),
    { title: l10n.t('Verify a Phone'), run: () => run('dialtree.workspace.verifyPhone') },
    copy,
  );
}
