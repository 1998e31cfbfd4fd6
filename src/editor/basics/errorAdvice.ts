import type { CommandId } from './commandId.ts';
import { isBare, isCode, isStatus, isTypedError, isUnreachable, messageOf, shownMessage } from './errors.ts';
import type { L10n } from './localise.ts';
import type { ServiceSettings } from './settings.ts';

type AdvisedAction = { readonly title: string } & (
  | { readonly command: CommandId }
  | { readonly editorCommand: 'workbench.trust.manage' }
  | { readonly setting: `dialtree.${string}` }
);

/** The actions that an error message offers: up to two. */
interface Advice {
  readonly message: string;
  readonly actions: readonly AdvisedAction[];
}

export function adviceOn(error: unknown, mode: ServiceSettings['mode'], l10n: L10n): Advice {
  return { message: messageFor(error, l10n), actions: actionsFor(error, mode, l10n) };
}

function messageFor(error: unknown, l10n: L10n): string {
  // Rate limit responses have no body, so only the status is known.
  if (isBare(error, 403))
    return l10n.t('Your workspace has reached its limit of requests per minute. Wait a minute, then try again.');
  if (isBare(error, 429)) return l10n.t('The service is busy. Wait a minute, then try again.');
  // Keybindings and links pass arguments. The schema says what doesn't fit.
  if (isCode(error, 'bad_argument')) return l10n.t("The command's argument isn't valid: {0}", messageOf(error) ?? '');
  return shownMessage(error, l10n);
}

function actionsFor(error: unknown, mode: ServiceSettings['mode'], l10n: L10n): Advice['actions'] {
  const showLog = { title: l10n.t('Show Log'), command: 'dialtree.service.showLog' } as const;
  const restart = { title: l10n.t('Restart Service'), command: 'dialtree.service.restart' } as const;
  // This editor can't restart a remote service. The same command tries it again.
  const tryAgain = { title: l10n.t('Try Again'), command: 'dialtree.service.restart' } as const;
  const choose = { title: l10n.t('Choose Service'), command: 'dialtree.service.choose' } as const;
  const setKey = { title: l10n.t('Set API Key'), command: 'dialtree.key.set' } as const;
  const account = { title: l10n.t('Open Account Page'), command: 'dialtree.workspace.openAccount' } as const;
  const claim = { title: l10n.t('Get Claim Link'), command: 'dialtree.workspace.getClaimLink' } as const;
  const addLine = { title: l10n.t('Add Line…'), command: 'dialtree.line.add' } as const;
  // An internal error.
  if (!isTypedError(error)) return [showLog, { title: l10n.t('Report Issue…'), command: 'dialtree.issue.report' }];
  const { code = '' } = error;
  if (isStatus(error, 401)) return code === 'key_required' ? [setKey, account] : [setKey, choose];
  // A limit that the workspace set for itself, independent of its minutes.
  if (code === 'budget_exceeded' || code === 'forbidden_key')
    return [{ title: l10n.t('Set Budgets and Retention…'), command: 'dialtree.workspace.setLimits' }];
  if (isStatus(error, 402)) return [error.claim ? claim : account];
  if (isUnreachable(error)) return mode === 'remote' ? [tryAgain, choose] : [restart, showLog];
  /**
   * Settings in this editor apply only to the service on this machine. For a remote service, its operator sets them.
   */
  const here = (...help: AdvisedAction[]): AdvisedAction[] => (mode === 'remote' ? [choose] : help);
  const byCode = Object.entries<Advice['actions']>({
    service_url: [choose],
    lines_remote: [choose],
    practice_remote: [choose],
    no_route: here(addLine, { title: l10n.t('Open Settings'), setting: 'dialtree.telephony.routes' }),
    // An added line can wait for the service's restart.
    line_unknown: here(addLine, restart),
    line_password: here({ title: l10n.t('Set Line Password'), command: 'dialtree.line.setPassword' }),
    start_failed: [restart, showLog],
    crash_loop: [restart, showLog],
    agents_off: [{ title: l10n.t('Let Agents Use Dialtree…'), command: 'dialtree.agent.configure' }],
    missing_scope: [setKey],
    // A limited key is meant for programs.
    number_not_allowed: [setKey],
    limited_key: [setKey],
    agent_key: [setKey],
    concurrency_ceiling: [account],
    untrusted: [{ title: l10n.t('Manage Workspace Trust'), editorCommand: 'workbench.trust.manage' }],
  });
  return new Map(byCode).get(code) ?? [];
}
