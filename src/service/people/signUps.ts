import { inMinutes } from '../basics/inMinutes.ts';
import { randomInt, randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from '../workspaces/audit.ts';
import { claimHash } from './claims.ts';
import type { Claims, DeadLink } from './claims.ts';
import { randomToken, sha256 } from '../workspaces/keyForm.ts';
import type { MailSender } from './mail.ts';
import { dayMs, hourMs, networkOf, secondsForNetwork, secondsToWait } from '../workspaces/networks.ts';
import { hashPassword } from './passwords.ts';
import { countRegistration } from '../workspaces/registration.ts';

export interface SignUpOptions {
  readonly store: Store;
  readonly signer: Signer;
  readonly now: () => Date;
  /** Without it, there is no sign-up. */
  readonly mail: MailSender | undefined;
  readonly signInUrl: () => string;
  readonly claims: Pick<Claims, 'complete'>;
}

/** `over`: never begun, completed, expired, or tried too often. */
export type SignUpLook =
  | {
      readonly state: 'open';
      readonly email: string;
      /** A workspace that a program registered. */ readonly claims: boolean;
    }
  | { readonly state: 'over' };
type SignUpOutcome =
  | { readonly state: 'done'; readonly workspaceId: string; readonly personId: string }
  | { readonly state: 'wrong-code' | 'wrong-password' | 'over' | 'known' }
  | { readonly state: DeadLink };

type SignUpRow = Selectable<Database['sign_ups']>;

const { codeDigits, codeSeconds, wrongTries, codesAnHour, codesAnHourPerNetwork, codesADay } = serverLimits.signUp;
const purpose = 'sign-up code';

/**
 * Sign-ups, alone or with a claim link: a code is sent by mail, and a person who returns it with a password owns a new
 * workspace, or that of the link.
 */
export class SignUps {
  readonly #options: SignUpOptions;

  constructor(options: SignUpOptions) {
    this.#options = options;
  }

  get isOffered(): boolean {
    return this.#options.mail !== undefined;
  }

  /**
   * Sends a code. Without a claim link, a person with an account gets a mail about that instead. Neither the response
   * nor its time reveals whether the address has an account. Returns the token for entering the code.
   * @throws HumanError 429 `too_many_codes` or `too_many_registrations`, 502 `mail_failed`, 503 `mail_unavailable`
   */
  async begin(address: string, email: string, claimToken?: string): Promise<string> {
    const { store, signer, mail, now } = this.#options;
    if (!mail)
      throw new HumanError(
        "This server doesn't send mail, so you can't sign up here. Ask its operator for a claim link.",
        {
          status: 503,
          code: 'mail_unavailable',
        },
      );
    const token = randomToken();
    const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
    const at = now();
    const known = await store.write(async (transaction) => {
      await countCode(transaction, { network: networkOf(address), email, at, registers: claimToken === undefined });
      const person = await transaction.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
      await transaction
        .insertInto('sign_ups')
        .values({
          token_sha256: sha256(token),
          email,
          network: networkOf(address),
          code_sha256: person && claimToken === undefined ? '' : signer.sign(purpose, `${token}\0${code}`),
          ...(claimToken !== undefined && { claim_sha256: claimHash(claimToken) }),
          created_at: at,
          expires_at: new Date(at.getTime() + codeSeconds * 1000),
        })
        .execute();
      return person !== undefined;
    });
    await store.sync();
    try {
      await mail.send(
        claimToken !== undefined
          ? claimMail(email, code, known)
          : known
            ? knownMail(email, this.#options.signInUrl())
            : codeMail(email, code),
      );
    } catch (error) {
      // If the mail server fails, the request doesn't count against the limits of the address, the network and the
      // server.
      await store.write((transaction) =>
        transaction.deleteFrom('sign_ups').where('token_sha256', '=', sha256(token)).execute(),
      );
      throw error;
    }
    return token;
  }

  async look(token: string): Promise<SignUpLook> {
    return lookOf(await findRow(this.#options.store.db, token), this.#options.now());
  }

  /** Counts a wrong code; five end the sign-up. A right one creates the person and their workspace. */
  async complete(
    token: string,
    { address, code, password }: { readonly address: string; readonly code: string; readonly password: string },
  ): Promise<SignUpOutcome> {
    const { store, now } = this.#options;
    const outcome = await this.#checkCode(token, code);
    if (typeof outcome === 'string') return { state: outcome };
    if (outcome.claim_sha256 !== null) return await this.#claim(outcome, outcome.claim_sha256, password);
    // Hashing takes a tenth of a second, so it isn't done while the database is locked.
    const hashed = await hashPassword(password);
    const signUp = await store.write((transaction) =>
      this.#make(transaction, token, { network: networkOf(address), hashed, at: now() }),
    );
    await store.sync();
    return signUp;
  }

  /** The code showed that the address belongs to the person. A person with an account also gives its password. */
  async #claim({ token_sha256: hash, email }: SignUpRow, link: string, password: string): Promise<SignUpOutcome> {
    const { store, claims, now } = this.#options;
    const outcome = await claims.complete(
      link,
      { email, password },
      { mayBeNew: true, use: (transaction) => useUp(transaction, hash, now()) },
    );
    switch (outcome.state) {
      case 'unproven':
        return { state: 'over' };
      case 'wrong-password':
        return { state: (await store.write((transaction) => countTry(transaction, hash))) ? 'over' : 'wrong-password' };
      default:
        return outcome;
    }
  }

  async #checkCode(token: string, code: string): Promise<SignUpRow | 'wrong-code' | 'over'> {
    const { store, signer, now } = this.#options;
    return await store.write(async (transaction) => {
      const row = await findRow(transaction, token, true);
      if (!row || lookOf(row, now()).state === 'over') return 'over';
      if (signer.verify(purpose, `${token}\0${code.replaceAll(/\D/g, '')}`, row.code_sha256)) return row;
      return (await countTry(transaction, row.token_sha256)) ? 'over' : 'wrong-code';
    });
  }

  async #make(
    transaction: Transaction<Database>,
    token: string,
    { network, hashed, at }: { readonly network: string; readonly hashed: string; readonly at: Date },
  ): Promise<SignUpOutcome> {
    const row = await findRow(transaction, token);
    if (!row || !(await useUp(transaction, row.token_sha256, at))) return { state: 'over' };
    const personId = randomUUID();
    const person = await transaction
      .insertInto('people')
      .values({ id: personId, email: row.email, password: hashed, created_at: at })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    // Since the code was sent, someone with this address, and so the same person, created an account by another sign-up
    // or a claim link.
    if (!person) return { state: 'known' };
    await countRegistration(transaction, network, at);
    const workspaceId = randomUUID();
    await transaction
      .insertInto('workspaces')
      .values({
        id: workspaceId,
        kind: 'person',
        name: 'New workspace',
        default_profile_id: randomUUID(),
        created_at: at,
        claimed_at: at,
      })
      .execute();
    await transaction.insertInto('memberships').values({ workspace_id: workspaceId, person_id: personId }).execute();
    await audit(transaction, workspaceId, 'workspace.registered', at, { personId });
    return { state: 'done', workspaceId, personId };
  }
}

function lookOf(row: SignUpRow | undefined, now: Date): SignUpLook {
  if (!row || row.used_at || row.wrong_tries >= wrongTries || row.expires_at.getTime() <= now.getTime())
    return { state: 'over' };
  return { state: 'open', email: row.email, claims: row.claim_sha256 !== null };
}

/** Returns false if the sign-up is over. */
async function useUp(transaction: Transaction<Database>, hash: string, at: Date): Promise<boolean> {
  const used = await transaction
    .updateTable('sign_ups')
    .set({ used_at: at })
    .where('token_sha256', '=', hash)
    .where('used_at', 'is', null)
    .where('wrong_tries', '<', wrongTries)
    .where('expires_at', '>', at)
    .returning('token_sha256')
    .executeTakeFirst();
  return used !== undefined;
}

/** Returns whether this was the last attempt. */
async function countTry(transaction: Transaction<Database>, hash: string): Promise<boolean> {
  const row = await transaction
    .updateTable('sign_ups')
    .set((columns) => ({ wrong_tries: columns('wrong_tries', '+', 1) }))
    .where('token_sha256', '=', hash)
    .returning('wrong_tries')
    .executeTakeFirst();
  return row === undefined || row.wrong_tries >= wrongTries;
}

async function findRow(db: Store['db'], token: string, lock = false): Promise<SignUpRow | undefined> {
  const query = db.selectFrom('sign_ups').selectAll().where('token_sha256', '=', sha256(token));
  return await (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Rejects with HumanError 429 above the limit of the address, network or server. Deletes rows older than a day. */
async function countCode(
  transaction: Transaction<Database>,
  {
    network,
    email,
    at,
    registers,
  }: { readonly network: string; readonly email: string; readonly at: Date; readonly registers: boolean },
): Promise<void> {
  // Two simultaneous requests wait for each other, on every engine.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('sign-ups', 0))`.execute(transaction);
  await transaction
    .deleteFrom('sign_ups')
    .where('created_at', '<=', new Date(at.getTime() - dayMs))
    .execute();
  if (registers) await countRegistration(transaction, network, at, { look: true });
  const rows = await transaction
    .selectFrom('sign_ups')
    .select(['network', 'email', 'created_at as at'])
    .orderBy('created_at')
    .execute();
  const toAddress = rows.filter((row) => row.email === email);
  const retryAfterSeconds = Math.max(
    secondsToWait(toAddress, codesAnHour, hourMs, at),
    secondsForNetwork(rows, network, codesAnHourPerNetwork, hourMs, at),
    secondsToWait(rows, codesADay, dayMs, at),
  );
  if (retryAfterSeconds > 0)
    throw new HumanError(`Too many sign-up codes were sent. Try again in ${inMinutes(retryAfterSeconds)}.`, {
      status: 429,
      code: 'too_many_codes',
      retryAfterSeconds,
    });
}

const codeMail = (to: string, code: string) => ({
  to,
  subject: 'Your Dialtree code',
  text: `${code} is your Dialtree code. It's valid for ${String(codeSeconds / 60)} minutes.\n\nEnter it on the page where you signed up. If you didn't sign up, ignore this mail. Nothing happens without the code.\n`,
});

const claimMail = (to: string, code: string, known: boolean) => ({
  to,
  subject: 'Your Dialtree code',
  text: `${code} is your Dialtree code. It's valid for ${String(codeSeconds / 60)} minutes.\n\nEnter it on the page on which you claim a workspace.${known ? ' This e-mail address already has an account: enter its password on that page too.' : ''} If you don't claim a workspace, ignore this mail. Nothing happens without the code.\n`,
});

const knownMail = (to: string, signInUrl: string) => ({
  to,
  subject: 'You already have a Dialtree account',
  text: `This e-mail address was used to sign up for Dialtree, but it already has an account. Sign in at ${signInUrl}\n\nIf you didn't sign up, ignore this mail. Nothing was changed.\n`,
});
