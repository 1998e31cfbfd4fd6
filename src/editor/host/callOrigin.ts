import type { L10n } from '../basics/localise.ts';
import type { ServiceSettings } from '../basics/settings.ts';

/** Where this half of the editor runs, according to `vscode.env`. */
interface EditorPlace {
  /**
   * Such as `ssh-remote`, `dev-container`, `wsl`, `codespaces`. Undefined if the editor's windows run on the same
   * machine.
   */
  readonly remoteName: string | undefined;
  /** The editor's windows are pages of a browser. */
  readonly isWeb: boolean;
}

/**
 * Says in a sentence which machine calls leave from. This decides who pays for them, and whether a trunk accepts them.
 */
export function callOrigin({ mode, url }: ServiceSettings, { remoteName, isWeb }: EditorPlace, l10n: L10n): string {
  if (mode === 'remote')
    return url === undefined
      ? l10n.t('Dialtree places calls from a remote service.')
      : l10n.t('Dialtree places calls from the service at {0}.', new URL(url).host);
  switch (remoteName) {
    case undefined:
      return isWeb
        ? l10n.t('Dialtree places calls from the machine that hosts this editor.')
        : l10n.t('Dialtree places calls from this machine.');
    case 'ssh-remote':
      return l10n.t('Dialtree places calls from the remote machine (SSH), not from yours.');
    case 'dev-container':
    case 'attached-container':
      return l10n.t('Dialtree places calls from the container, over the host network.');
    case 'wsl':
      return l10n.t('Dialtree places calls from WSL on this machine.');
    case 'codespaces':
      return l10n.t('Dialtree places calls from the codespace, not from your machine.');
    case 'tunnel':
      return l10n.t('Dialtree places calls from the machine at the other end of the tunnel.');
    default:
      return l10n.t('Dialtree places calls from the remote machine ({0}), not from yours.', remoteName);
  }
}
