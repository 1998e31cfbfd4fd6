import { inMinutes } from '../basics/inMinutes.ts';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import { dayMs, hourMs, networkOf, secondsForNetwork, secondsToWait } from '../workspaces/networks.ts';

interface WantedMessage {
  readonly number: string;
  /** The client's network address. */
  readonly address: string;
  readonly now: Date;
}

/**
 * Counts a requested text message, for all workspaces together. Returns false if its number has reached its limit: the
 * message isn't sent then, and the response must not say so, because it would reveal that another client requested this
 * number.
 * @throws HumanError 429 `too_many_codes` if the network, or this server, has reached its limit
 */
export async function countMessage(
  transaction: Transaction<Database>,
  signer: Signer,
  { number, address, now }: WantedMessage,
): Promise<boolean> {
  const bounds = serverLimits.textMessages;
  // One at a time, on every engine. Locked after the workspace, and nothing is locked after it.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('text messages', 0))`.execute(transaction);
  await transaction
    .deleteFrom('text_messages')
    .where('at', '<=', new Date(now.getTime() - dayMs))
    .execute();
  const today = await transaction.selectFrom('text_messages').selectAll().orderBy('at').execute();
  const network = networkOf(address);
  assertBelowRate(secondsForNetwork(today, network, bounds.networkAnHour, hourMs, now));
  const sent = today.filter((one) => one.sent);
  assertBelowRate(secondsToWait(sent, bounds.serverADay, dayMs, now));
  const hmac = signer.sign('text message', number);
  const toNumber = sent.filter((one) => one.number_hmac === hmac);
  const goes =
    secondsToWait(toNumber, bounds.numberAnHour, hourMs, now) === 0 &&
    secondsToWait(toNumber, bounds.numberADay, dayMs, now) === 0;
  // A message that isn't sent also counts for its network; otherwise, counting up to the refusal would reveal it.
  await transaction.insertInto('text_messages').values({ number_hmac: hmac, network, sent: goes, at: now }).execute();
  return goes;
}

/** A message that the provider didn't accept doesn't count. */
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
export function assertBelowRate(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new HumanError(`You requested too many codes. Try again in ${inMinutes(retryAfterSeconds)}.`, {
    status: 429,
    code: 'too_many_codes',
    retryAfterSeconds,
  });
}
