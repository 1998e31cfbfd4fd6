import { sentence, type Sentences } from '../../base/sentences.ts';
import type { CallEnd } from '../../telephony/call.ts';

const checkNumber = sentence`Check the number, and the line or route for it.`;
const addDigits = sentence`The number is incomplete: give all digits, as the trunk expects them.`;
const noRoute = sentence`Ask the carrier whether the trunk may call this number.`;
const tryLater = sentence`Try again later, or with fewer simultaneous calls.`;
const congested = sentence`Try again later, or with fewer simultaneous calls. If this continues, ask the carrier.`;
const notReached = sentence`Check that the phone or IVR of this number is running and registered.`;
const declined = sentence`Check that the called side accepts calls from this caller ID.`;
const forbidden = sentence`Check that the trunk or PBX allows calls from this machine's address, with this caller ID, to this number.`;
const login = sentence`Check the user and password of the line, and whether it must register.`;
const outOfOrder = sentence`Ask the operator of the called side to repair the connection.`;
const notBooked = sentence`Ask the carrier to allow audio calls to this number on the trunk.`;
const notAudio = sentence`Check that the number takes audio calls with G.711, and isn't a fax or data line.`;
const unexplained = sentence`The network gives no cause. If this continues, ask the carrier for the cause of this call.`;
const faulty = sentence`Check the log of the called side. If this continues, ask its operator.`;
const blocked = sentence`The network blocked the call as unwanted (603+). Register the caller ID with its carrier, and dispute the block with the network that is named.`;
const unwanted = sentence`The called person marked the caller as unwanted (RFC 8197). Ask them to allow this caller ID, or use another one.`;
const screened = sentence`A service that analyses calls rejected it (RFC 8688). Dispute that at the contact that it gives.`;

/** ITU-T Q.850, table 1: the meaning of common causes for a caller, and what to do about a refusal. */
const causes: Readonly<Record<number, readonly [meaning: string, advice?: Sentences]>> = {
  1: ['the number is not assigned', checkNumber],
  3: ['no route to the number', noRoute],
  16: ['normal clearing'],
  17: ['the line is busy', tryLater],
  18: ["the called side doesn't respond", notReached],
  19: ["the call isn't answered", notReached],
  20: ['the subscriber is absent', notReached],
  21: ['the call was rejected', declined],
  22: ['the number has changed', checkNumber],
  27: ['the destination is out of order', outOfOrder],
  28: ['the number is incomplete', addDigits],
  31: ['normal, unspecified', unexplained],
  34: ['no circuit is free', congested],
  38: ['the network is out of order', congested],
  41: ['a temporary failure', congested],
  42: ['the switch is congested', congested],
  44: ['no channel is free', congested],
  47: ['no resource is free', congested],
  50: ['a facility is not subscribed', notBooked],
  55: ['incoming calls are barred', notBooked],
  57: ['the bearer is not authorised', notBooked],
  58: ['the bearer is not available', congested],
  79: ['the service is not implemented', notAudio],
  88: ['the destination is incompatible', notAudio],
  102: ['a timer ran out'],
  111: ['a protocol error'],
  127: ['interworking, unspecified', unexplained],
};

const byStatus: Readonly<Record<number, Sentences>> = {
  403: forbidden,
  484: addDigits,
  500: faulty,
  503: congested,
  603: declined,
  607: unwanted,
  608: screened,
};

const byKind: Partial<Readonly<Record<CallEnd['kind'], Sentences>>> = {
  unauthorized: login,
  notFound: checkNumber,
  noAnswer: notReached,
  busy: tryLater,
};

/** Returns what to do about a refused call, if its status or cause says enough. 607 and 608 say more than a cause. */
export function adviseOnRefusal({ kind, status = 0, q850 = 0, isBlocked }: CallEnd): Sentences | undefined {
  if (isBlocked) return blocked;
  if (status === 607 || status === 608) return byStatus[status];
  return causes[q850]?.[1] ?? byStatus[status] ?? byKind[kind];
}

export const meaningOfCause = (cause: number): string | undefined => causes[cause]?.[0];
