import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from '../workspaces/audit.ts';
import { randomToken, sha256 } from '../workspaces/keyForm.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

/** Why a link is invalid: never issued, used, its workspace claimed with another link, or expired. */
export type DeadLink = 'unknown' | 'used' | 'claimed' | 'late';
type ClaimLook = { readonly state: 'open'; readonly workspaceId: string } | { readonly state: DeadLink };
type ClaimOutcome =
  | { readonly state: 'done'; readonly workspaceId: string; readonly personId: string }
  | { readonly state: 'wrong-password' | 'unproven' }
  | { readonly state: DeadLink };

/** Proves that the address belongs to the person. */
interface AddressProof {
  /** Whether it can prove the address of a new person. People with an account always give its password. */
  readonly mayBeNew: boolean;
  /** Uses the proof in the transaction that transfers the workspace. Returns false if it isn't valid any more. */
  readonly use: (transaction: Transaction<Database>, isNew: boolean) => Promise<boolean>;
}

/** How the store identifies a link. */
export const claimHash = sha256;

type LinkRow = Selectable<Database['claim_links']> & Pick<Selectable<Database['workspaces']>, 'kind'>;
type Person = Pick<Selectable<Database['people']>, 'id' | 'email' | 'password'>;

/** Invalid links are remembered this long, so that their page can say what happened. */
const keptMs = 7 * 24 * 3_600_000;

/** Transfers a workspace that a program registered to a person, with a single-use link. */
export class Claims {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #claimUrl: (token: string) => string;

  constructor(store: Store, now: () => Date, claimUrl: (token: string) => string) {
    this.#store = store;
    this.#now = now;
    this.#claimUrl = claimUrl;
  }

  /** Rejects with HumanError 409 if the workspace has an owner, or 503 if the store can't be written. */
  async createLink(workspaceId: string): Promise<{ url: string; expiresAt: string }> {
    const token = randomToken();
    const now = this.#now();
    const expiresAt = new Date(now.getTime() + serverLimits.claimLinkSeconds * 1000);
    await this.#store.write(async (transaction) => {
      const { kind } = await lockWorkspace(transaction, workspaceId);
      if (kind === 'local') {
        throw new HumanError(
          "This is the local workspace of the service. It belongs to the person who runs the service, so it can't be claimed.",
          { status: 409, code: 'workspace-local', reason: 'workspace-local' },
        );
      }
      if (kind !== 'agent')
        throw new HumanError('This workspace already has an owner. If you need more capacity, ask the owner.', {
          status: 409,
          code: 'workspace-claimed',
          reason: 'workspace-claimed',
        });
      await transaction
        .deleteFrom('claim_links')
        .where('workspace_id', '=', workspaceId)
        .where('expires_at', '<', new Date(now.getTime() - keptMs))
        .execute();
      await transaction
        .insertInto('claim_links')
        .values({ token_sha256: sha256(token), workspace_id: workspaceId, expires_at: expiresAt })
        .execute();
      const others = transaction
        .selectFrom('claim_links')
        .select('token_sha256')
        .where('workspace_id', '=', workspaceId)
        .where('token_sha256', '!=', sha256(token));
      await transaction
        .deleteFrom('claim_links')
        .where(
          'token_sha256',
          'in',
          others
            .orderBy('expires_at', 'desc')
            .orderBy('token_sha256')
            .offset(serverLimits.kept.claimLinks - 1),
        )
        .execute();
      await audit(transaction, workspaceId, 'claim.linked', now, { expiresAt: expiresAt.toISOString() });
    });
    await this.#store.sync();
    return { url: this.#claimUrl(token), expiresAt: expiresAt.toISOString() };
  }

  async look(hash: string): Promise<ClaimLook> {
    const link = await this.#store.db
      .selectFrom('claim_links')
      .innerJoin('workspaces', 'workspaces.id', 'claim_links.workspace_id')
      .selectAll('claim_links')
      .select('workspaces.kind')
      .where('token_sha256', '=', hash)
      .executeTakeFirst();
    return lookOf(link, this.#now());
  }

  /**
   * Makes the person with this e-mail the owner. A new person proves the address, and a person with an account gives
   * its password. The result `wrong-password` takes as long for an unknown address. Only `done` uses up the link.
   */
  async complete(
    hash: string,
    { email, password }: { readonly email: string; readonly password: string },
    proof: AddressProof,
  ): Promise<ClaimOutcome> {
    for (;;) {
      const look = await this.look(hash);
      if (look.state !== 'open') return look;
      // Hashing takes a tenth of a second, so it isn't done while the database is locked.
      const known = await this.#store.db
        .selectFrom('people')
        .select(['id', 'email', 'password'])
        .where('email', '=', email)
        .executeTakeFirst();
      if ((known || !proof.mayBeNew) && !(await verifyPassword(password, known?.password)))
        return { state: 'wrong-password' };
      const person = known ?? { id: randomUUID(), email, password: await hashPassword(password) };
      const outcome = await this.#store.write((transaction) =>
        this.#hand(transaction, hash, look.workspaceId, { ...person, isNew: !known }, proof),
      );
      if (outcome === 'person-changed') continue;
      await this.#store.sync();
      return outcome;
    }
  }

  async #hand(
    transaction: Transaction<Database>,
    hash: string,
    workspaceId: string,
    { isNew, ...person }: Person & { readonly isNew: boolean },
    proof: AddressProof,
  ): Promise<ClaimOutcome | 'person-changed'> {
    const now = this.#now();
    // Locks the workspace first. Otherwise, two links of one workspace would wait for each other.
    const { kind } = await lockWorkspace(transaction, workspaceId);
    const link = await transaction
      .selectFrom('claim_links')
      .selectAll()
      .where('token_sha256', '=', hash)
      .forUpdate()
      .executeTakeFirst();
    const look = lookOf(link && { ...link, kind }, now);
    if (look.state !== 'open') return look;
    await transaction
      .insertInto('people')
      .values({ ...person, created_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    const stored = await transaction
      .selectFrom('people')
      .select(['id', 'password'])
      .where('email', '=', person.email)
      .executeTakeFirst();
    if (stored?.id !== person.id || stored.password !== person.password) return 'person-changed';
    if (!(await proof.use(transaction, isNew))) {
      if (isNew) await transaction.deleteFrom('people').where('id', '=', person.id).execute();
      return { state: 'unproven' };
    }
    await transaction.insertInto('memberships').values({ workspace_id: workspaceId, person_id: person.id }).execute();
    await transaction
      .updateTable('workspaces')
      .set({ kind: 'person', claimed_at: now })
      .where('id', '=', workspaceId)
      .execute();
    await transaction.updateTable('claim_links').set({ used_at: now }).where('token_sha256', '=', hash).execute();
    await audit(transaction, workspaceId, 'claim.done', now, { personId: person.id });
    return { state: 'done', workspaceId, personId: person.id };
  }
}

function lookOf(link: LinkRow | undefined, now: Date): ClaimLook {
  if (!link) return { state: 'unknown' };
  if (link.used_at) return { state: 'used' };
  if (link.kind !== 'agent') return { state: 'claimed' };
  return link.expires_at.getTime() <= now.getTime()
    ? { state: 'late' }
    : { state: 'open', workspaceId: link.workspace_id };
}
