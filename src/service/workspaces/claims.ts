import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from './audit.ts';
import { randomToken, sha256 } from './keyForm.ts';
import { lockWorkspace } from './keys.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

/** Why a link leads nowhere: never given out, used (or its workspace claimed by another link), past its hour. */
export type DeadLink = 'unknown' | 'used' | 'late';
export type ClaimLook = { readonly state: 'open'; readonly workspaceId: string } | { readonly state: DeadLink };
export type ClaimOutcome =
  | { readonly state: 'done'; readonly workspaceId: string; readonly personId: string }
  | { readonly state: 'wrong-password' }
  | { readonly state: DeadLink };

type LinkRow = Selectable<Database['claim_links']>;
type Person = Pick<Selectable<Database['people']>, 'id' | 'email' | 'password'>;

/** Dead links are known this long, so that their page can say what became of them. */
const keptMs = 7 * 24 * 3_600_000;

/** Hands a workspace that a program registered to a person, by a link of one use. */
export class Claims {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #claimUrl: (token: string) => string;

  constructor(store: Store, now: () => Date, claimUrl: (token: string) => string) {
    this.#store = store;
    this.#now = now;
    this.#claimUrl = claimUrl;
  }

  /** Rejects with HumanError 409 where the workspace has an owner, 503 where the store cannot be written. */
  async createLink(workspaceId: string): Promise<{ url: string; expiresAt: string }> {
    const token = randomToken();
    const now = this.#now();
    const expiresAt = new Date(now.getTime() + limits.claimLinkSeconds * 1000);
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
            .offset(limits.kept.claimLinks - 1),
        )
        .execute();
      await audit(transaction, workspaceId, 'claim.linked', now, { expiresAt: expiresAt.toISOString() });
    });
    await this.#store.sync();
    return { url: this.#claimUrl(token), expiresAt: expiresAt.toISOString() };
  }

  async look(token: string): Promise<ClaimLook> {
    const link = await this.#store.db
      .selectFrom('claim_links')
      .selectAll()
      .where('token_sha256', '=', sha256(token))
      .executeTakeFirst();
    return lookOf(link, this.#now());
  }

  /**
   * Makes the person with this e-mail the owner; one who has an account must give its password. The link is used up
   * only by `done`.
   */
  async complete(token: string, email: string, password: string): Promise<ClaimOutcome> {
    for (;;) {
      const look = await this.look(token);
      if (look.state !== 'open') return look;
      // Hashing takes a tenth of a second: not while the database is held.
      const known = await this.#store.db
        .selectFrom('people')
        .select(['id', 'email', 'password'])
        .where('email', '=', email)
        .executeTakeFirst();
      if (known && !(await verifyPassword(password, known.password))) return { state: 'wrong-password' };
      const person = known ?? { id: randomUUID(), email, password: await hashPassword(password) };
      const outcome = await this.#store.write((transaction) =>
        this.#hand(transaction, token, look.workspaceId, person),
      );
      if (outcome === 'person-changed') continue;
      await this.#store.sync();
      return outcome;
    }
  }

  async #hand(
    transaction: Transaction<Database>,
    token: string,
    workspaceId: string,
    person: Person,
  ): Promise<ClaimOutcome | 'person-changed'> {
    const now = this.#now();
    // The workspace first: two links of one workspace would otherwise wait for each other.
    const { kind } = await lockWorkspace(transaction, workspaceId);
    const link = await transaction
      .selectFrom('claim_links')
      .selectAll()
      .where('token_sha256', '=', sha256(token))
      .forUpdate()
      .executeTakeFirst();
    const look = lookOf(link, now);
    if (look.state !== 'open') return look;
    if (kind !== 'agent') return { state: 'used' };
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
    await transaction.insertInto('memberships').values({ workspace_id: workspaceId, person_id: person.id }).execute();
    await transaction
      .updateTable('workspaces')
      .set({ kind: 'person', claimed_at: now })
      .where('id', '=', workspaceId)
      .execute();
    await transaction
      .updateTable('claim_links')
      .set({ used_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('used_at', 'is', null)
      .execute();
    await audit(transaction, workspaceId, 'claim.done', now, { personId: person.id });
    return { state: 'done', workspaceId, personId: person.id };
  }
}

function lookOf(link: LinkRow | undefined, now: Date): ClaimLook {
  if (!link) return { state: 'unknown' };
  if (link.used_at) return { state: 'used' };
  return link.expires_at.getTime() <= now.getTime()
    ? { state: 'late' }
    : { state: 'open', workspaceId: link.workspace_id };
}
