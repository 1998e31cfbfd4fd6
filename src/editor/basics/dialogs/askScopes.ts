import type { Scope } from '../../../contract/scopes.ts';
import type { L10n } from '../localise.ts';
import type { Dialogs } from './dialogs.ts';

/** Asks what a new key allows. Only reading is selected initially. Returns undefined if the user cancels. */
export async function askScopes(
  scopes: readonly Scope[],
  title: string,
  dialogs: Pick<Dialogs, 'pickSome' | 'tell'>,
  l10n: L10n,
): Promise<Scope[] | undefined> {
  const wanted = await dialogs.pickSome(
    scopes.map((scope) => ({
      label: scope,
      description: scopeWord(scope, l10n),
      unpicked: !scope.endsWith(':read'),
      value: scope,
    })),
    { title, placeHolder: l10n.t('What do you want the key to allow?') },
  );
  if (wanted?.length !== 0) return wanted;
  await dialogs.tell(l10n.t("Couldn't create a key without a scope. Try again, and choose at least one scope."));
  return undefined;
}

function scopeWord(scope: Scope, l10n: L10n): string {
  return {
    'mapping:read': l10n.t('read mappings, trees and recordings'),
    'mapping:write': l10n.t('create and start mappings (places calls)'),
    'testing:read': l10n.t('read tests and their runs'),
    'testing:write': l10n.t('create and start tests'),
    'compliance:run': l10n.t('run compliance probes'),
    'workspace:read': l10n.t('read usage, profiles and guides'),
    'workspace:admin': l10n.t('manage keys, verified people and claim links'),
    'billing:write': l10n.t('change billing'),
  }[scope];
}
