import { inMinutes } from '../basics/inMinutes.ts';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import { networkOf } from './registration.ts';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export interface WantedMessage {
  readonly number: string;
  /** Who asks, by network address. */
  readonly address: string;
  readonly now: Date;
}

/**
 * Counts a text message that is asked for, of all workspaces together. Returns false where its number has had as many
 * as it may: the message is not sent then, and the answer must not tell, since it would tell that somebody else asked
 * for this number.
 * @throws HumanError 429 `too_many_codes` where the network, or this server, has sent as many as it may
 */
export async function countMessage(
  transaction: Transaction<Database>,
  signer: Signer,
  { number, address, now }: WantedMessage,
): Promise<boolean> {
  const bounds = limits.textMessages;
  // One at a time, on every engine. It is taken after the lock of the workspace, and nothing after it.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('text messages', 0))`.execute(transaction);
  await transaction
    .deleteFrom('text_messages')
    .where('at', '<=', new Date(now.getTime() - dayMs))
    .execute();
  const today = await transaction.selectFrom('text_messages').selectAll().orderBy('at').execute();
  const lastHour = today.filter(({ at }) => at.getTime() > now.getTime() - hourMs);
  const network = networkOf(address);
  demandFewer(
    lastHour.filter((one) => one.network === network),
    bounds.networkAnHour,
    hourMs,
    now,
  );
  const sent = today.filter((one) => one.sent);
  demandFewer(sent, bounds.serverADay, dayMs, now);
  const hmac = signer.sign('text message', number);
  const toNumber = (messages: typeof today): number =>
    messages.filter((one) => one.sent && one.number_hmac === hmac).length;
  const goes = toNumber(lastHour) < bounds.numberAnHour && toNumber(sent) < bounds.numberADay;
  // One that is not sent counts for its network too, or counting to the refusal would tell of it.
  await transaction.insertInto('text_messages').values({ number_hmac: hmac, network, sent: goes, at: now }).execute();
  return goes;
}

/** A message that the provider didn't take counts for nothing. */
export async function forgetMessage(
  transaction: Transaction<Database>,
  signer: Signer,
  { number, address, now }: WantedMessage,
): Promise<void> {
  await transaction
    .deleteFrom('text_messages')
    .where('number_hmac', '=', signer.sign('text message', number))
    .where('network', '=', networkOf(address))
    .where('sent', '=', true)
    .where('at', '=', now)
    .execute();
}

/** @param asked in the order of their time @throws HumanError 429 `too_many_codes` */
export function demandFewer(asked: readonly { readonly at: Date }[], most: number, withinMs: number, now: Date): void {
  const first = asked.at(-most);
  if (!first || asked.length < most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((first.at.getTime() + withinMs - now.getTime()) / 1000));
  throw new HumanError(`You requested too many codes. Try again in ${inMinutes(retryAfterSeconds)}.`, {
    status: 429,
    code: 'too_many_codes',
    retryAfterSeconds,
  });
}
