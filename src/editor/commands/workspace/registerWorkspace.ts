import type { OperationOutput } from '../../../contract/operations.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { CommandId } from '../../basics/commandTable.ts';
import type { Action } from '../../basics/dialogs/dialogs.ts';

export interface RegisterParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  /** REST address of the remote service. */
  readonly url: string;
  readonly register: (url: string, signal: AbortSignal) => Promise<OperationOutput<'registerWorkspace'>>;
  readonly keys: {
    readonly read: (url: string) => Promise<string | undefined>;
    readonly store: (url: string, key: string) => Promise<void>;
  };
  /** Another key is in use from now on. */
  readonly onKeyChanged: () => void;
  readonly run: (id: CommandId) => unknown;
}

/**
 * Registers a new workspace and stores its key in the secret storage. The key goes nowhere else, except to the
 * clipboard if the user asks.
 */
export async function registerWorkspace(parts: RegisterParts): Promise<void> {
  const { url, register, keys, onKeyChanged, dialogs, run, l10n } = parts;
  const { host } = new URL(url);
  // A workspace whose only key is lost can't be reached any more.
  const replaces =
    (await keys.read(url)) !== undefined &&
    !(await dialogs.confirm(
      l10n.t('Register another workspace on {0}?', host),
      l10n.t(
        "The new key replaces the one that is stored for {0}. If you don't have a copy of the old key, you lose access to its workspace.",
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
        "Registered the workspace, but couldn't store its key {0}. Copy the key now. Dialtree won't show it again.",
        keyPrefix,
      ),
      copy,
    );
    throw error;
  }
  onKeyChanged();
  await dialogs.tell(
    l10n.t(
      "Registered a workspace on {0} and stored its key {1} in the editor's secret storage. Verify a phone to get the workspace's free minutes.",
      host,
      keyPrefix,
    ),
    { title: l10n.t('Verify a Phone'), run: () => run('dialtree.workspace.verifyPhone') },
    copy,
  );
}
