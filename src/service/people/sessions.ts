import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { Tier } from '../../contract/limits.ts';
import { scopes } from '../../contract/scopes.ts';
import type { Signer } from '../basics/signing.ts';
import type { Store } from '../store/store.ts';
import { randomToken, sha256 } from '../workspaces/keyForm.ts';
import { personPrefix } from '../workspaces/principal.ts';
import type { Principal } from '../workspaces/principal.ts';

export const sessionSeconds = 12 * 3600;

/** A person in a browser, in one of the workspaces they own. */
export interface Session {
  readonly token: string;
  readonly personId: string;
  readonly email: string;
  readonly workspaceId: string;
  readonly tier: Tier;
}

/** The owner may do everything. In the audit, they appear in place of a key's id. */
export const principalOf = ({ personId, workspaceId, tier }: Session): Principal => ({
  workspaceId,
  keyId: `${personPrefix}${personId}`,
  tier,
  scopes: new Set(scopes),
});

/** Sessions of browsers. Only the browser has the token; the store keeps its hash. */
export class Sessions {
  readonly #store: Store;
  readonly #signer: Signer;
  readonly #now: () => Date;

  constructor(store: Store, signer: Signer, now: () => Date) {
    this.#store = store;
    this.#signer = signer;
    this.#now = now;
  }

  /** Creates a new token even if the browser has one, so that a planted token becomes worthless. */
  async open(personId: string, workspaceId: string, replaced?: string): Promise<string> {
    const token = randomToken();
    const now = this.#now();
    await this.#store.write(async (transaction) => {
      await transaction.deleteFrom('sessions').where('expires_at', '<=', now).execute();
      if (replaced !== undefined)
        await transaction.deleteFrom('sessions').where('token_sha256', '=', sha256(replaced)).execute();
      await transaction
        .insertInto('sessions')
        .values({
          token_sha256: sha256(token),
          person_id: personId,
          workspace_id: workspaceId,
          expires_at: new Date(now.getTime() + sessionSeconds * 1000),
        })
        .execute();
      // The newest stay, including this one, because all are valid equally long.
      const own = transaction
        .selectFrom('sessions')
        .select('token_sha256')
        .where('person_id', '=', personId)
        .where('token_sha256', '!=', sha256(token));
      await transaction
        .deleteFrom('sessions')
        .where(
          'token_sha256',
          'in',
          own
            .orderBy('expires_at', 'desc')
            .orderBy('token_sha256')
            .offset(serverLimits.kept.sessions - 1),
        )
        .execute();
    });
    await this.#store.sync();
    return token;
  }

  async find(token: string | undefined): Promise<Session | undefined> {
    if (token === undefined || token === '') return undefined;
    const row = await this.#store.db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .innerJoin('workspaces', 'workspaces.id', 'sessions.workspace_id')
      .innerJoin('memberships', (join) =>
        join
          .onRef('memberships.person_id', '=', 'sessions.person_id')
          .onRef('memberships.workspace_id', '=', 'sessions.workspace_id'),
      )
      .select(['sessions.person_id', 'sessions.workspace_id', 'people.email', 'workspaces.tier'])
      .where('sessions.token_sha256', '=', sha256(token))
      .where('sessions.expires_at', '>', this.#now())
      .executeTakeFirst();
    return row && { token, personId: row.person_id, email: row.email, workspaceId: row.workspace_id, tier: row.tier };
  }

  /** Switches to another workspace of the same person. Rejects with HumanError 404 if it isn't theirs. */
  async enter({ token, personId }: Session, workspaceId: string): Promise<void> {
    const entered = await this.#store.write(async (transaction) => {
      const membership = await transaction
        .selectFrom('memberships')
        .selectAll()
        .where('person_id', '=', personId)
        .execute();
      if (!membership.some((one) => one.workspace_id === workspaceId)) return false;
      await transaction
        .updateTable('sessions')
        .set({ workspace_id: workspaceId })
        .where('token_sha256', '=', sha256(token))
        .execute();
      return true;
    });
    if (!entered)
      throw new HumanError("You don't own a workspace with this id. Open your account to choose one.", {
        status: 404,
        code: 'not_found',
      });
  }

  async close(token: string): Promise<void> {
    await this.#store.writeUnguarded((transaction) =>
      transaction.deleteFrom('sessions').where('token_sha256', '=', sha256(token)).execute(),
    );
    await this.#store.sync();
  }

  /** Included in each form of a session's pages. Another site can neither read nor guess it. */
  formToken({ token }: Session): string {
    return this.#signer.sign('form', token);
  }
  isFormToken({ token }: Session, given: string): boolean {
    return this.#signer.verify('form', token, given);
  }
}
