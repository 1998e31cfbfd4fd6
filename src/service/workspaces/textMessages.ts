import { inMinutes } from '../basics/inMinutes.ts';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import { dayMs, hourMs, networkOf, secondsForNetwork, secondsToWait } from './networks.ts';

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
  const bounds = serverLimits.textMessages;
  // One at a time, on every engine. It is taken after the lock of the workspace, and nothing after it.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('text messages', 0))`.execute(transaction);
  await transaction
    .deleteFrom('text_messages')
    .where('at', '<=', new Date(now.getTime() - dayMs))
    .execute();
  const today = await transaction.selectFrom('text_messages').selectAll().orderBy('at').execute();
  const network = networkOf(address);
  demandFewer(secondsForNetwork(today, network, bounds.networkAnHour, hourMs, now));
  const sent = today.filter((one) => one.sent);
  demandFewer(secondsToWait(sent, bounds.serverADay, dayMs, now));
  const hmac = signer.sign('text message', number);
  const toNumber = sent.filter((one) => one.number_hmac === hmac);
  const goes =
    secondsToWait(toNumber, bounds.numberAnHour, hourMs, now) === 0 &&
    secondsToWait(toNumber, bounds.numberADay, dayMs, now) === 0;
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

/** Refuses a code that has to wait, unless that is 0. @throws HumanError 429 `too_many_codes` */
export function demandFewer(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new HumanError(`You requested too many codes. Try again in ${inMinutes(retryAfterSeconds)}.`, {
    status: 429,
    code: 'too_many_codes',
    retryAfterSeconds,
  });
}
