import type { Dialog } from './dialog.ts';
import type { SipRequest } from './message.ts';
import type { Hop } from './targetLookups.ts';
import { isSamePlace } from './transport.ts';
import type { UserAgent } from './userAgent.ts';

/** Sends the ACK of a 2xx to an INVITE that went over `hop`. Returns where it went. */
export async function acknowledge(
  userAgent: UserAgent,
  { ack, invite, dialog, hop }: { ack: SipRequest; invite: SipRequest; dialog: Dialog; hop: Hop },
  mayLookUp = true,
): Promise<Hop> {
  const to = await userAgent.hopWithin(dialog, hop, mayLookUp);
  // RFC 3261 section 22.1: an ACK can't be challenged and repeats its INVITE's credentials.
  for (const header of ['Authorization', 'Proxy-Authorization']) {
    const value = invite.headers.get(header);
    if (value !== undefined && isSamePlace(to.peer, hop.peer)) ack.headers.set(header, value);
    else ack.headers.delete(header);
  }
  userAgent.sendOnce(ack, to);
  return to;
}
