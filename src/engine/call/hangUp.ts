import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { HangUp } from '../../contract/testRuns.ts';
import type { CallEnd } from '../../telephony/call.ts';

/** ITU-T Q.850, table 1: the meaning of common causes for a caller. */
const q850: Readonly<Record<number, string>> = {
  1: 'the number is not assigned',
  3: 'no route to the number',
  16: 'normal clearing',
  17: 'the line is busy',
  18: "the called side doesn't respond",
  19: "the call isn't answered",
  20: 'the subscriber is absent',
  21: 'the call was rejected',
  22: 'the number has changed',
  27: 'the destination is out of order',
  28: 'the number is incomplete',
  31: 'normal, unspecified',
  34: 'no circuit is free',
  38: 'the network is out of order',
  41: 'a temporary failure',
  42: 'the switch is congested',
  44: 'no channel is free',
  47: 'no resource is free',
  55: 'incoming calls are barred',
  58: 'the bearer is not available',
  88: 'the destination is incompatible',
  102: 'a timer ran out',
  111: 'a protocol error',
  127: 'interworking, unspecified',
};

const refused: Readonly<
  Record<Exclude<CallEnd['kind'], 'hangup' | 'cancelled' | 'mediaTimeout' | 'noCommonCodec' | 'internal'>, string>
> = {
  busy: 'The number was busy',
  rejected: 'The call was refused',
  unauthorized: "The trunk doesn't accept the login: check the line's user and password",
  notFound: "The called side couldn't find the number",
  noAnswer: "The call wasn't answered",
  unreachable: "Nothing answers at the number's address: check the route, and that the called side is running",
  protocol: 'The called side violated the SIP protocol',
};

const sides = { local: 'us', remote: 'them', network: 'network' } as const;

/** Says in one sentence who ended a call and why, with the last prompt. `atMs`: milliseconds of the call's audio. */
export function describeHangUp(end: CallEnd, lastPrompt?: string, atMs?: number): HangUp {
  const after = lastPrompt ? ` after “${shorten(lastPrompt.replace(/[.\s]+$/u, ''))}”` : '';
  const when = atMs === undefined ? '' : ` ${(atMs / 1000).toFixed(1)} s into the call`;
  return {
    by: sides[end.by],
    sentence: transferredOf(end) + sentenceOf(end, when + after) + lostAckOf(end),
    ...withoutUndefined({
      status: end.status,
      transferTo: end.transferTo,
      q850: end.q850,
      atMs: atMs === undefined ? undefined : Math.round(atMs),
    }),
  };
}

const lostAckOf = ({ lostAckTo }: CallEnd): string =>
  lostAckTo === undefined
    ? ''
    : ` It had repeated its answer, because the ACK to ${lostAckTo} didn't arrive. Check the Contact address that the called side gives.`;

const transferredOf = ({ transferTo }: CallEnd): string =>
  transferTo === undefined ? '' : `The call was transferred by REFER to ${transferTo}, which Dialtree doesn't follow. `;

/** `where`: the time in the call, and the prompt before it. */
function sentenceOf(end: CallEnd, where: string): string {
  const { by, kind, status, reason } = end;
  const detail = detailOf(end);
  switch (kind) {
    case 'hangup':
      return `${by === 'local' ? 'Dialtree hung up' : 'The other side hung up'}${where}${detail}.`;
    case 'cancelled':
      return 'The call was cancelled before it was answered.';
    case 'internal':
      return 'An internal error in Dialtree ended the call. See the service log for the cause, then try again.';
    case 'noCommonCodec':
      return (
        'No common codec: the called side answered without G.711 (PCMU, PCMA), which Dialtree ' +
        `needs; ${reason}. Allow G.711 on the called side, or on the trunk in between.`
      );
    case 'mediaTimeout':
      return `No more audio arrived${where}, so Dialtree ended the call.`;
    default:
      return status === 488
        ? 'No common codec: the called side refused the call, which offers G.711 (PCMU, PCMA)' +
            `${detail}. Allow G.711 on the called side, or on the trunk in between.`
        : `${refused[kind]}${detail}.`;
  }
}

/** Returns the SIP status and Q.850 cause of the end, in parentheses. */
function detailOf({ by, kind, status, q850: cause, advice }: CallEnd): string {
  // An answered call ends with a BYE, and networks that pass on a reason put it there.
  const isBye = kind === 'hangup' && by === 'remote';
  const details: string[] = [];
  if (isBye) details.push('BYE');
  else if (status !== undefined) details.push(`SIP ${String(status)}`);
  if (cause !== undefined) {
    const meaning = q850[cause];
    details.push(`Q.850 cause ${String(cause)}${meaning === undefined ? '' : `, ${meaning}`}`);
  } else if (isBye) details.push('no Q.850 cause given');
  if (advice !== undefined) details.push(advice);
  return details.length === 0 ? '' : ` (${details.join('; ')})`;
}

const shorten = (text: string): string => (text.length <= 80 ? text : `…${text.slice(-79).replace(/^\S*\s/, '')}`);
