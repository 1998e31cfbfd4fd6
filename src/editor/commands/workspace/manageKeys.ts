import { nameSchema } from '../../../contract/common.ts';
import { scopes as allScopes, type Scope } from '../../../contract/scopes.ts';
import type { ApiKey } from '../../../contract/workspace.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { CommandId } from '../../basics/commandTable.ts';
import { askScopes } from '../../basics/dialogs/askScopes.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

export interface ManageKeysParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly ownKey: () => Promise<string | undefined>;
  readonly run: (id: CommandId) => unknown;
}

export async function manageKeys(parts: ManageKeysParts): Promise<void> {
  const { client, dialogs, l10n } = parts;
  const { items } = await client.call('listApiKeys', {});
  const live = items.filter(({ revokedAt }) => revokedAt === undefined);
  const ownKey = await parts.ownKey();
  const own = live.find(({ keyPrefix }) => ownKey?.startsWith(`${keyPrefix}_`) === true);
  const create: Choice<ApiKey | 'create'> = { label: `$(add) ${l10n.t('Create a Key…')}`, value: 'create' };
  const chosen = await dialogs.pick([create, ...live.map((key) => choiceOf(key, key === own, l10n))], {
    title: l10n.t('API Keys'),
    placeHolder: l10n.t('Create a key, or choose a key to revoke'),
  });
  if (chosen === 'create') await createKey(parts, own?.scopes ?? allScopes);
  else if (chosen) await revokeKey(parts, chosen, chosen === own);
}

function choiceOf(key: ApiKey, isOwn: boolean, l10n: L10n): Choice<ApiKey> {
  const used =
    key.lastUsedAt === undefined ? l10n.t('never used') : l10n.t('last used {0}', key.lastUsedAt.slice(0, 10));
  return {
    label: `$(key) ${key.name}`,
    group: l10n.t('Keys of this workspace'),
    value: key,
    description: [key.keyPrefix, ...(isOwn ? [l10n.t('used by this editor')] : [])].join(' · '),
    detail: [
      l10n.t('created {0}', key.createdAt.slice(0, 10)),
      used,
      scopesWord(key.scopes, l10n),
      ...(key.limits ? [l10n.t('limited')] : []),
    ].join(' · '),
  };
}

/** A line has space for only a few of them. */
function scopesWord(scopes: readonly Scope[], l10n: L10n): string {
  if (scopes.length === allScopes.length) return l10n.t('all scopes');
  return scopes.length > 2 ? l10n.t('{0} of {1} scopes', scopes.length, allScopes.length) : scopes.join(', ');
}

/** A key can't grant a scope that it lacks, so only its own scopes are offered. */
async function createKey({ client, dialogs, l10n }: ManageKeysParts, scopes: readonly Scope[]): Promise<void> {
  const name = await dialogs.ask({
    title: l10n.t('Create a Key'),
    prompt: l10n.t('A name that says what the key is for'),
    check: (text) => (nameSchema.safeParse(text).success ? undefined : l10n.t('Enter a name of 1 to 200 characters.')),
  });
  if (name === undefined) return;
  const wanted = await askScopes(scopes, l10n.t('Create a Key'), dialogs, l10n);
  if (wanted === undefined) return;
  const { apiKey, keyPrefix } = await client.call('createApiKey', { name: name.trim(), scopes: wanted });
  await dialogs.copy(apiKey);
  await dialogs.tell(
    l10n.t("Copied the key {0}. Store it in a safe place now. Dialtree won't show it again.", keyPrefix),
    { title: l10n.t('Copy Again'), run: () => dialogs.copy(apiKey) },
  );
}

async function revokeKey(
  { client, dialogs, run, l10n }: ManageKeysParts,
  { id, name, keyPrefix }: ApiKey,
  isOwn: boolean,
): Promise<void> {
  const agreed = await dialogs.confirm(
    l10n.t('Revoke the key “{0}”?', name),
    isOwn
      ? l10n.t(
          "This editor uses {0}, so you'll need to set another key. The revoked key stops working immediately. You can't undo this.",
          keyPrefix,
        )
      : l10n.t("{0} stops working immediately for every client that uses it. You can't undo this.", keyPrefix),
    l10n.t('Revoke'),
  );
  if (!agreed) return;
  await client.call('revokeApiKey', { id });
  if (isOwn) await run('dialtree.key.clear');
  await dialogs.tell(
    l10n.t('Revoked the key “{0}”.', name),
    ...(isOwn ? [{ title: l10n.t('Set API Key'), run: () => run('dialtree.key.set') }] : []),
  );
}
