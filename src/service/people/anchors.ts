import { randomInt, randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { freeGrant, limits, mobileExample, serverLimits } from '../../contract/limits.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import { poolSchema } from '../../contract/workspace.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { grantSeconds } from '../workspaces/admission.ts';
import { audit } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import { mobileNumber } from './mobileNumber.ts';
import type { NumberRefusal } from './mobileNumber.ts';
import { dayMs, hourMs, secondsToWait } from '../workspaces/networks.ts';
import type { SmsSender } from './sms.ts';
import { countMessage, assertBelowRate, forgetMessage } from './textMessages.ts';

export interface AnchorOptions {
  readonly store: Store;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly now: () => Date;
  /** Without it, no codes are sent. */
  readonly sms: SmsSender | undefined;
  readonly log: Logger;
}

const refusals: Readonly<Record<NumberRefusal, string>> = {
  unparseable: `This isn't a phone number. Give a mobile number in E.164 form, such as ${mobileExample}.`,
  country_not_supported:
    'Dialtree sends codes only to mobile numbers in the United Kingdom, Guernsey, Jersey, the Isle of Man and the United States. Use one of those.',
  not_a_mobile: "This isn't a mobile number, and a landline can't receive the code. Give a mobile number.",
};

type FreeGrant = Omit<OperationOutput<'verifyAnchorCode'>, 'anchored'>;

/** People who are responsible for a workspace's calls, verified by a code sent to their mobile. */
export class Anchors {
  readonly #options: AnchorOptions;
  /** How long the provider took the last time. */
  #sendingMs = 0;

  constructor(options: AnchorOptions) {
    this.#options = options;
  }

  get sendsCodes(): boolean {
    return this.#options.sms !== undefined;
  }

  /** @param address the client's network address */
  async request(
    workspaceId: string,
    { phoneNumber, replaces }: OperationArguments<'requestAnchorCode'>,
    address: string,
  ): Promise<OperationOutput<'requestAnchorCode'>> {
    const { store, signer, sms, now } = this.#options;
    const number = mobileNumber(phoneNumber);
    if (typeof number !== 'string')
      throw new HumanError(refusals[number.refused], { status: 400, code: number.refused, reason: number.refused });
    const replaced = readReplaced(number, replaces);
    if (!sms)
      throw new HumanError("This server doesn't send text messages, so you can't verify a number here.", {
        status: 503,
        code: 'sms_unavailable',
      });
    const id = randomUUID();
    const code = String(randomInt(10 ** limits.anchors.codeDigits)).padStart(limits.anchors.codeDigits, '0');
    const at = now();
    const message = { number, address, now: at };
    const goes = await store.write(async (transaction) => {
      const workspace = await lockWorkspace(transaction, workspaceId);
      if (
        replaced !== undefined &&
        !(await transaction
          .selectFrom('anchors')
          .select('phone_number')
          .where('phone_number', '=', replaced)
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirst())
      )
        throw notHeld();
      await this.#mayHold(transaction, workspaceId, number, replaced);
      await assertCodeLimit(transaction, workspace, number, at);
      const counted = await countMessage(transaction, signer, message);
      await transaction
        .insertInto('anchor_codes')
        .values({
          id,
          workspace_id: workspaceId,
          phone_number: number,
          code_sha256: signer.sign('anchor code', `${id}\0${code}`),
          created_at: at,
          expires_at: new Date(at.getTime() + limits.anchors.codeSeconds * 1000),
        })
        .execute();
      await audit(transaction, workspaceId, 'anchor.requested', at);
      return counted;
    });
    await store.sync();
    try {
      await (goes ? this.#send(sms, number, code) : this.#waitAsIfSent());
    } catch (error) {
      // If the provider fails, the request doesn't count against the limits of the workspace, the network and the
      // server.
      await store.write(async (transaction) => {
        await transaction.deleteFrom('anchor_codes').where('id', '=', id).execute();
        await forgetMessage(transaction, signer, message);
      });
      throw error;
    }
    return { sent: true };
  }

  async #send(sms: SmsSender, number: string, code: string): Promise<void> {
    const { clock } = this.#options;
    const begun = clock.now();
    await sms.send(
      number,
      `${code} is your Dialtree code. It's valid for ${String(limits.anchors.codeSeconds / 60)} minutes. Give it only to the program that asked you for it.`,
    );
    this.#sendingMs = clock.now() - begun;
  }

  /** A faster response would reveal that nothing was sent, and so that others requested this number. */
  #waitAsIfSent(): Promise<void> {
    return sleep(this.#options.clock, this.#sendingMs);
  }

  async verify(
    workspaceId: string,
    { phoneNumber, code, replaces }: OperationArguments<'verifyAnchorCode'>,
  ): Promise<OperationOutput<'verifyAnchorCode'>> {
    const { store, log, now } = this.#options;
    const number = mobileNumber(phoneNumber);
    if (typeof number !== 'string') throw badCode();
    const replaced = readReplaced(number, replaces);
    const codeId = await this.#checkCode(workspaceId, number, code);
    await store.write(async (transaction) => {
      await lockWorkspace(transaction, workspaceId);
      if (replaced !== undefined) {
        const gone = await transaction
          .deleteFrom('anchors')
          .where('phone_number', '=', replaced)
          .where('workspace_id', '=', workspaceId)
          .returning('phone_number')
          .executeTakeFirst();
        if (!gone) throw notHeld();
        await audit(transaction, workspaceId, 'anchor.replaced', now());
      }
      await this.#mayHold(transaction, workspaceId, number);
      const anchored = await transaction
        .insertInto('anchors')
        .values({ phone_number: number, workspace_id: workspaceId, verified_at: now() })
        .onConflict((conflict) =>
          conflict
            .column('phone_number')
            .doUpdateSet((row) => ({ verified_at: row.ref('anchors.verified_at') }))
            .where('anchors.workspace_id', '=', workspaceId),
        )
        .returning('phone_number')
        .executeTakeFirst();
      // Another workspace has verified the number in the meantime.
      if (!anchored) throw alreadyAnchored();
      await audit(transaction, workspaceId, 'anchor.verified', now());
    });
    await store.sync();
    let outcome: FreeGrant;
    try {
      outcome = await this.#grant(workspaceId, number, codeId);
    } catch (error) {
      // The number is verified. The same call completes the rest while the code is valid.
      log.error({ err: error }, 'a free grant could not be stored');
      outcome = { freeGrantOutcome: 'unavailable' };
    }
    return { anchored: true, ...outcome };
  }

  /** Returns the id of the matching code. A wrong attempt is counted, even if the response is an error. */
  async #checkCode(workspaceId: string, number: string, code: string): Promise<string> {
    const { store, signer, now } = this.#options;
    const found = await store.write(async (transaction) => {
      const rows = await transaction
        .selectFrom('anchor_codes')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('phone_number', '=', number)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .where('wrong_tries', '<', limits.anchors.wrongTries)
        .orderBy('created_at', 'desc')
        .forUpdate()
        .execute();
      const right = rows.find((row) =>
        signer.verify('anchor code', `${row.id}\0${code.replaceAll(/\D/g, '')}`, row.code_sha256),
      );
      if (!right)
        for (const row of rows)
          await transaction
            .updateTable('anchor_codes')
            .set({ wrong_tries: row.wrong_tries + 1 })
            .where('id', '=', row.id)
            .execute();
      return right;
    });
    if (!found) throw badCode();
    return found.id;
  }

  async #mayHold(
    transaction: Transaction<Database>,
    workspaceId: string,
    number: string,
    replaced?: string,
  ): Promise<void> {
    const holder = await transaction
      .selectFrom('anchors')
      .select('workspace_id')
      .where('phone_number', '=', number)
      .executeTakeFirst();
    if (holder) {
      if (holder.workspace_id !== workspaceId) throw alreadyAnchored();
      return;
    }
    const existingAnchor = await transaction
      .selectFrom('anchors')
      .select('phone_number')
      .where('workspace_id', '=', workspaceId)
      .execute();
    if (existingAnchor.filter((anchor) => anchor.phone_number !== replaced).length >= limits.anchors.max) {
      throw new HumanError(
        `This workspace has ${String(limits.anchors.max)} verified people, which is the maximum. Set replaces to the number of the person to replace.`,
        { status: 403, code: 'anchor_limit_reached', reason: 'anchor_limit_reached' },
      );
    }
  }

  /** Only once per number. */
  async #grant(workspaceId: string, number: string, codeId: string): Promise<FreeGrant> {
    const { store, now } = this.#options;
    const outcome = await store.write(async (transaction): Promise<FreeGrant> => {
      const workspace = await lockWorkspace(transaction, workspaceId);
      await transaction.updateTable('anchor_codes').set({ used_at: now() }).where('id', '=', codeId).execute();
      if (workspace.unlimited || workspace.tier !== 'free') return notOwed(workspace);
      const granted = await transaction
        .insertInto('free_grants')
        .values({ phone_number: number, workspace_id: workspaceId, granted_at: now() })
        .onConflict((conflict) => conflict.column('phone_number').doNothing())
        .returning('phone_number')
        .executeTakeFirst();
      if (!granted) {
        const earlier = await transaction
          .selectFrom('free_grants')
          .select('workspace_id')
          .where('phone_number', '=', number)
          .executeTakeFirst();
        return earlier?.workspace_id === workspaceId ? { freeGrantOutcome: 'already-granted' } : notOwed(workspace);
      }
      for (const pool of poolSchema.options)
        await grantSeconds(transaction, workspaceId, pool, 'grant', freeGrant.minutes[pool] * 60, now());
      await transaction
        .updateTable('workspaces')
        .set({ tokens_granted: workspace.tokens_granted + freeGrant.enrichmentTokens })
        .where('id', '=', workspaceId)
        .execute();
      await audit(transaction, workspaceId, 'capacity.granted', now(), { source: 'grant' });
      return { freeGrantOutcome: 'granted' };
    });
    await store.sync();
    return outcome;
  }
}

const notOwed = ({ kind }: Pick<Selectable<Database['workspaces']>, 'kind'>): FreeGrant => ({
  freeGrantOutcome: 'not-owed',
  ...(kind === 'agent' && {
    message:
      'The workspace gets no free minutes for this number. Have a person claim the workspace (getClaimLink). The operator of the server can grant minutes; contact in getWorkspaceUsage says how to reach them.',
  }),
});

/** Checks this workspace's own requests, whose number it may learn. */
async function assertCodeLimit(
  transaction: Transaction<Database>,
  { id: workspaceId, kind }: Pick<Selectable<Database['workspaces']>, 'id' | 'kind'>,
  number: string,
  now: Date,
): Promise<void> {
  const rows = await transaction
    .selectFrom('anchor_codes')
    .select(['phone_number', 'created_at as at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .execute();
  if (rows.length >= limits.anchors.codesEver)
    throw new HumanError(
      `This workspace has used all its verification codes. ${kind === 'agent' ? 'Have a person claim it (getClaimLink).' : 'Ask the operator of this server to help.'}`,
      { status: 403, code: 'too_many_codes' },
    );
  assertBelowRate(secondsToWait(rows, limits.anchors.codesAnHour, hourMs, now));
  const toNumber = rows.filter((one) => one.phone_number === number);
  assertBelowRate(secondsToWait(toNumber, serverLimits.textMessages.numberADay, dayMs, now));
}

function readReplaced(number: string, replaces: string | undefined): string | undefined {
  const replaced = replaces === undefined ? undefined : mobileNumber(replaces);
  if (replaced !== undefined && typeof replaced !== 'string')
    throw new HumanError(`The value of "replaces" isn't a phone number. Use E.164 format, such as ${mobileExample}.`, {
      status: 400,
      code: 'replaces_unparseable',
      reason: 'replaces_unparseable',
    });
  if (replaced === number)
    throw new HumanError("A number can't replace itself. Set replaces to a different number.", {
      status: 400,
      code: 'survivor_is_target',
      reason: 'survivor_is_target',
    });
  return replaced;
}

const notHeld = (): HumanError =>
  new HumanError(
    "The number to replace isn't verified for this workspace. getWorkspaceUsage lists the verified numbers.",
    {
      status: 409,
      code: 'not_held',
      reason: 'not_held',
    },
  );
const badCode = (): HumanError =>
  new HumanError('The code is wrong or has expired. Check it, or request a new one.', {
    status: 400,
    code: 'bad_code',
    reason: 'bad_code',
  });
const alreadyAnchored = (): HumanError =>
  new HumanError(
    'This number is already verified for another workspace. Use another number, or replace this number in that workspace first.',
    {
      status: 409,
      code: 'already_anchored',
      reason: 'already_anchored',
    },
  );
