import { join, sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { HangUp } from '../../contract/testRuns.ts';
import type { CallEnd } from '../../telephony/call.ts';
import { adviseOnRefusal, meaningOfCause } from './refusalAdvice.ts';

/** By the kind of the end. `detail`: the SIP status and the Q.850 cause in parentheses, or nothing. */
const refused: Readonly<
  Record<
    Exclude<CallEnd['kind'], 'hangup' | 'cancelled' | 'mediaTimeout' | 'noCommonCodec' | 'noSrtp' | 'internal'>,
    (detail: string) => Sentences
  >
> = {
  busy: (detail) => sentence`The number was busy${detail}.`,
  rejected: (detail) => sentence`The call was refused${detail}.`,
  unauthorized: (detail) => sentence`The trunk doesn't accept the login${detail}.`,
  notFound: (detail) => sentence`The called side couldn't find the number${detail}.`,
  noAnswer: (detail) => sentence`The call wasn't answered${detail}.`,
  unreachable: (detail) =>
    sentence`Nothing answers at the number's address: check the route, and that the called side is running${detail}.`,
  protocol: (detail) => sentence`The called side violated the SIP protocol${detail}.`,
};

const sides = { local: 'us', remote: 'them', network: 'network' } as const;

/** Says in one sentence who ended a call and why, with the last prompt. `atMs`: milliseconds of the call's audio. */
export function describeHangUp(end: CallEnd, lastPrompt?: string, atMs?: number): HangUp {
  const { by, status, transferTo, q850: cause, lostAckTo, sessionTimer } = end;
  const why = join(
    transferTo === undefined
      ? undefined
      : sentence`The call was transferred by REFER to ${transferTo}, which Dialtree doesn't follow.`,
    sentenceFor(end, lastPrompt, atMs),
    isRefusal(end) ? adviseOnRefusal(end) : undefined,
    lostAckTo === undefined
      ? undefined
      : sentence`It had repeated its answer, because the ACK to ${lostAckTo} didn't arrive. Check the Contact address that the called side gives.`,
    sessionTimer === undefined
      ? undefined
      : sentence`The call's session timer ran out (${sessionTimer}). Check that requests within a call reach the called side, or turn session timers off there.`,
  );
  return {
    by: sides[by],
    sentence: String(why),
    sentenceParts: why.parts,
    ...withoutUndefined({
      status,
      transferTo,
      q850: cause,
      atMs: atMs === undefined ? undefined : Math.round(atMs),
    }),
  };
}

/** Returns the same end with other words, if there are any. */
export function withSentences(end: HangUp, why: Sentences | string | undefined): HangUp {
  if (why === undefined) return end;
  return { ...end, sentence: String(why), sentenceParts: sentencesOf(why).parts };
}

/** Says what was heard before a call was refused, if anything. */
export const saidBefore = (text = ''): Sentences | undefined =>
  text === ''
    ? undefined
    : sentence`Before that, it said: “${text.length <= longestQuote ? text : `${text.slice(0, longestQuote).replace(/\s\S*$/, '')} …`}”`;
const longestQuote = 400;

function sentenceFor(end: CallEnd, lastPrompt: string | undefined, atMs: number | undefined): Sentences {
  const { by, kind, status, reason } = end;
  const detail = detailOf(end);
  const at = atMs === undefined ? undefined : (atMs / 1000).toFixed(1);
  const prompt = lastPrompt ? shorten(lastPrompt.replace(/[.\s]+$/u, '')) : undefined;
  switch (kind) {
    case 'hangup':
      if (by === 'local') {
        if (at === undefined) return sentence`Dialtree hung up${detail}.`;
        return prompt === undefined
          ? sentence`Dialtree hung up ${at} s into the call${detail}.`
          : sentence`Dialtree hung up ${at} s into the call after “${prompt}”${detail}.`;
      }
      if (at === undefined) return sentence`The other side hung up${detail}.`;
      return prompt === undefined
        ? sentence`The other side hung up ${at} s into the call${detail}.`
        : sentence`The other side hung up ${at} s into the call after “${prompt}”${detail}.`;
    case 'cancelled':
      return sentence`The call was cancelled before it was answered.`;
    case 'internal':
      return sentence`An internal error in Dialtree ended the call. See the service log for the cause, then try again.`;
    case 'noCommonCodec':
      return sentence`No common codec: the called side answered without G.711 (PCMU, PCMA), which Dialtree needs; ${reason}. Allow G.711 on the called side, or on the trunk in between.`;
    case 'noSrtp':
      return sentence`The called side doesn't accept encrypted audio (SRTP)${detail}. Set the line's srtp to prefer or off, or switch SRTP on at the exchange.`;
    case 'mediaTimeout':
      if (at === undefined) return sentence`No more audio arrived, so Dialtree ended the call.`;
      return prompt === undefined
        ? sentence`No more audio arrived ${at} s into the call, so Dialtree ended the call.`
        : sentence`No more audio arrived ${at} s into the call after “${prompt}”, so Dialtree ended the call.`;
    default:
      if (end.sessionTimer !== undefined)
        return sentence`Dialtree ended the call, because its session wasn't refreshed.`;
      return status === 488
        ? sentence`No common codec: the called side refused the call, which offers G.711 (PCMU, PCMA)${detail}. Allow G.711 on the called side, or on the trunk in between.`
        : refused[kind](detail);
  }
}

const isRefusal = ({ by, kind, status }: CallEnd): boolean =>
  by === 'remote' &&
  kind !== 'hangup' &&
  kind !== 'cancelled' &&
  status !== undefined &&
  status >= 300 &&
  status !== 488;

/** Returns the SIP status and Q.850 cause of the end, in parentheses. */
function detailOf({ by, kind, status, q850: cause, advice }: CallEnd): string {
  const details: string[] = [];
  // An answered call ends with a BYE, which has no status of interest.
  if (status !== undefined && !(kind === 'hangup' && by === 'remote')) details.push(`SIP ${String(status)}`);
  if (cause !== undefined) {
    const meaning = meaningOfCause(cause);
    details.push(`Q.850 cause ${String(cause)}${meaning === undefined ? '' : `, ${meaning}`}`);
  }
  if (advice !== undefined) details.push(advice);
  return details.length === 0 ? '' : ` (${details.join('; ')})`;
}

const shorten = (text: string): string => (text.length <= 80 ? text : `…${text.slice(-79).replace(/^\S*\s/, '')}`);
