import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { assertCallable } from '../workspaces/known.ts';
import { localWorkspaceId } from '../workspaces/localKey.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { claimLink } from '../workspaces/refusals.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { readWorkspaceSettings } from '../workspaces/settings.ts';
import type { LineBook } from '../lines/lineBook.ts';
import { assertListed } from '../numbers/allowList.ts';
import { PracticeStopped, strangerAt } from '../numbers/dialGate.ts';
import type { Dialling } from '../numbers/dialGate.ts';

declare const permitted: unique symbol;

/** Where calls may go, and the forbidden keys on them: none at a practice IVR. Only this file gives it. */
export interface Permit extends Dialling {
  readonly [permitted]: true;
  readonly caller: CallerProfile;
  /** The called side calls Dialtree, so `uri` is empty. */
  readonly isInbound?: boolean;
  readonly forbiddenKeys: string;
  /** The key that consented to the number, if it needs consent. */
  readonly consentedBy?: string | null;
}

/** An inbound call needs no permission and costs nothing. */
export const permitInbound = (caller: CallerProfile): Permit =>
  ({ uri: '', lab: false, forbiddenKeys: '', isInbound: true, caller }) as Permit;

/** The number that a workspace calls, and how. Older runs have no caller, so they use the current profile. */
interface Called {
  readonly workspace_id: string;
  readonly phone_number: string;
  readonly caller?: CallerProfile | null | undefined;
  readonly profile_id?: string | undefined;
  /** Instead of the profile's. */
  readonly line?: string | undefined;
}

/**
 * Returns where the calls of a job or a test go. Rejects with HumanError if they may not be placed: an address that
 * this workspace may not call, no route, a line without its password, a forbidden number, a number that the key of
 * `launcher` may not call, or no consent. Without a launcher, the calls were already launched, so the permissions of
 * the launch apply.
 */
export async function permitCalls(
  { db }: Pick<Store, 'db'>,
  lines: Pick<LineBook, 'resolve'>,
  { workspace_id: workspaceId, phone_number: phoneNumber, profile_id: profileId, caller: given, line }: Called,
  launcher?: Launcher,
): Promise<Permit> {
  const caller = given ?? (await readCaller(db, workspaceId, profileId, line));
  // Before any error that would reveal whether the line exists.
  await assertCallable(db, workspaceId, phoneNumber, caller);
  const dialling = resolveFor(lines, workspaceId, phoneNumber, caller);
  assertListed(phoneNumber, launcher?.limits, dialling);
  const consent = await findConsent(db, workspaceId, dialling);
  if (dialling.consentFor !== undefined && !consent)
    throw await consentRequired(db, { workspaceId, ...launcher }, dialling.consentFor, dialling);
  const forbiddenKeys = await forbiddenKeysOn(db, workspaceId, dialling);
  return { ...dialling, forbiddenKeys, caller, ...(consent && { consentedBy: consent.consented_by }) } as Permit;
}

/** A stopped practice IVR is named with its file, which can be started, to the user of this machine. */
function resolveFor(
  lines: Pick<LineBook, 'resolve'>,
  workspaceId: string,
  phoneNumber: string,
  caller: CallerProfile,
): Dialling {
  try {
    return lines.resolve(phoneNumber, caller);
  } catch (error) {
    if (!(error instanceof PracticeStopped) || workspaceId !== localWorkspaceId) throw error;
    throw new PracticeStopped(error.ivr, true);
  }
}

/** Returns true if the number needs consent and has none. */
export const lacksConsent = async (db: Kysely<Database>, workspaceId: string, dialling: Dialling): Promise<boolean> =>
  dialling.consentFor !== undefined && !(await findConsent(db, workspaceId, dialling));

async function findConsent(
  db: Kysely<Database>,
  workspaceId: string,
  { consentFor }: Dialling,
): Promise<Pick<Selectable<Database['consents']>, 'consented_by'> | undefined> {
  if (consentFor === undefined) return undefined;
  return await db
    .selectFrom('consents')
    .select('consented_by')
    .where('workspace_id', '=', workspaceId)
    .where('phone_number', '=', consentFor)
    .executeTakeFirst();
}

export const forbiddenKeysOn = async (db: Kysely<Database>, workspaceId: string, { lab }: Dialling): Promise<string> =>
  lab ? '' : (await readWorkspaceSettings(db, workspaceId)).forbiddenKeys;

const confirm = 'confirm "I may test this number"';
const route = 'POST /v1/workspace/consents';
/** How the reader of the refusal gets consent. `unclaimed`: no person owns the workspace yet. */
const waysToConsent = {
  unclaimed: `Have a person claim the workspace: getClaimLink (POST /v1/claim) returns the link. The owner can then ${confirm} in the editor, or with ${route}.`,
  person: `Start the calls in the editor and ${confirm}, or use ${route}.`,
  program: `This API key can't give consent. Ask the person responsible to ${confirm} in the editor, or with ${route} and a key that the owner created on the account page.`,
};

export async function consentRequired(
  db: Kysely<Database>,
  { workspaceId, keyId = '' }: Pick<Launcher, 'workspaceId'> & Partial<Launcher>,
  number: string,
  dialling: Dialling,
): Promise<HumanError> {
  const { kind, by_person, scopes, limits } = await db
    .selectFrom('workspaces')
    .leftJoin('api_keys', (join) => join.onRef('workspace_id', '=', 'workspaces.id').on('api_keys.id', '=', keyId))
    .select(['kind', 'by_person', 'scopes', 'limits'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const canConsent = by_person === true && !limits && scopes?.includes('workspace:admin') === true;
  const reader = kind === 'agent' ? 'unclaimed' : canConsent ? 'person' : 'program';
  const place = strangerAt(dialling);
  const message =
    place === undefined
      ? `${number} is on the public network, so calling it needs consent.`
      : `No practice IVR of Dialtree answers at ${place}. Start the practice IVR there, then try again. If your own PBX or IVR answers there, calling ${number} needs consent.`;
  return new HumanError(`${message} ${waysToConsent[reader]}`, {
    status: 403,
    code: 'consent_required',
    details: { phoneNumber: number, statement: 'I may test this number', ...(place !== undefined && { place }) },
    ...(reader === 'unclaimed' && { claim: claimLink }),
  });
}
