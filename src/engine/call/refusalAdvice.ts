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

/** ITU-T Q.850, table 1. */
const byCause: Readonly<Record<number, Sentences>> = {
  1: checkNumber,
  3: noRoute,
  17: tryLater,
  18: notReached,
  19: notReached,
  20: notReached,
  21: declined,
  22: checkNumber,
  27: outOfOrder,
  28: addDigits,
  31: unexplained,
  34: congested,
  38: congested,
  41: congested,
  42: congested,
  44: congested,
  47: congested,
  50: notBooked,
  55: notBooked,
  57: notBooked,
  58: congested,
  79: notAudio,
  88: notAudio,
  127: unexplained,
};

const byStatus: Readonly<Record<number, Sentences>> = {
  401: login,
  403: forbidden,
  404: checkNumber,
  407: login,
  410: checkNumber,
  480: notReached,
  484: addDigits,
  486: tryLater,
  500: faulty,
  503: congested,
  600: tryLater,
  603: declined,
  604: checkNumber,
  607: unwanted,
  608: screened,
};

/** Returns what to do about a refused call, if its status or cause says enough. 607 and 608 say more than a cause. */
export function adviseOnRefusal({ status = 0, q850 = 0, isBlocked }: CallEnd): Sentences | undefined {
  if (isBlocked) return blocked;
  return status === 607 || status === 608 ? byStatus[status] : (byCause[q850] ?? byStatus[status]);
}
