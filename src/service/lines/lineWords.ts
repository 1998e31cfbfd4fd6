import type { Line, LineCheck, LineEcho, LineTransport } from '../../contract/lines.ts';
import type { EchoFigures } from '../../engine/echo/echoCall.ts';
import { describeHangUp } from '../../engine/call/hangUp.ts';
import { addressOf } from '../../model/calls/linePlan.ts';
import type { PingAnswer } from '../../telephony/call.ts';

/** What is known of the login of a line. `missing` is what to do about its password. */
export interface Login {
  readonly user: boolean;
  readonly missing?: string;
}

type Judged = Pick<LineCheck, 'state' | 'message'>;

/** A far side may call itself anything, and write anything into its reasons. */
const shown = (text: string): string => text.replaceAll(/[^\P{C}]/gu, ' ').slice(0, 100);
const tenths = (value: number): number => Math.round(value * 10) / 10;

const wrongLogin =
  'It refuses our user or password. Set the password again (Dialtree: Set Line Password…), and check the user.';
const noLogin =
  'It asks for a login. Give the line a user and its password, or have the address of this machine admitted there.';
const noAudioFormat = 'It takes none of our audio formats. Allow G.711 (PCMU, PCMA) for this line there, without SRTP.';
const forbidden =
  'It knows us and forbids it. Have the public address of this machine admitted there, check the caller id, and that the account is not blocked.';
const outOfOrder = 'It is overloaded or out of order. Try again later, or ask whoever runs it.';

const otherLogin = 'It asks for a login of a kind that is not there: only digest by MD5, SHA-256 or SHA-512-256 is.';
const unknownAddress = 'It does not know this address. Check the part before the @.';
const unknownName =
  "It answers. Some exchanges accept calls although they don't know the user: call an echo number to be sure.";

/** What came of asking whether a line is there. */
export function describeCheck(answer: PingAnswer, line: Line, login: Login): Omit<LineCheck, 'at'> {
  const { status, reason, failure, server, roundTripMs } = answer;
  const told = `${String(status)}${reason === '' ? '' : ` ${shown(reason)}`}`;
  const { state, message } = failure
    ? { state: 'failed' as const, message: failures[failure](addressOf(line), shown(reason), line.transport ?? 'udp') }
    : judge(answer, line, login);
  return {
    state,
    message: failure
      ? message
      : `${server === undefined ? addressOf(line) : shown(server)} answers after ${String(tenths(roundTripMs ?? 0))} ms (${told}). ${message}`.trim(),
    ...(failure === undefined && { status }),
    ...(server !== undefined && { server: shown(server) }),
    ...(roundTripMs !== undefined && { roundTripMs: tenths(roundTripMs) }),
  };
}

const failures: Readonly<
  Record<NonNullable<PingAnswer['failure']>, (place: string, reason: string, transport: LineTransport) => string>
> = {
  unknownHost: (place) =>
    `There is no address for ${place}. Check how the host is spelled, and that this machine reaches a name server.`,
  refused: (place, _reason, transport) =>
    `Nothing listens at ${place}. Check the port, and that the exchange runs there and speaks SIP over ${transport.toUpperCase()}.`,
  timeout: (place, _reason, transport) =>
    `No answer from ${place}. Check host and port, that firewalls let ${transport.toUpperCase()} through${transport === 'udp' ? ' both ways' : ''}, and that the far side admits the address of this machine: some keep silent to all others.`,
  unusable: (place, reason) => `${place} cannot be called: ${reason}. Correct the host, or the transport of the line.`,
  network: (place, reason, transport) =>
    transport === 'udp'
      ? `Nothing could be sent to ${place}. Check the network of this machine.`
      : transport === 'tls' && /certificate/.test(reason)
        ? `${reason}. Give the line the name that its certificate is for; where the authority is your own, add its certificate to those of the machine of the service.`
        : `There is no SIP over ${transport.toUpperCase()} at ${place}: ${reason}. Check the port and the transport of the line.`,
};

const warning = (message: string): Judged => ({ state: 'warning', message });
const failed = (message: string): Judged => ({ state: 'failed', message });

function judge({ status, authenticated }: PingAnswer, { kind }: Line, login: Login): Judged {
  if (status < 300) {
    if (login.missing !== undefined) return warning(`The line logs in, and its password is missing. ${login.missing}`);
    return { state: 'ok', message: authenticated === true ? 'It takes our login.' : '' };
  }
  if (status < 400) return warning('It sends us elsewhere. Give the line the host that it names.');
  switch (status) {
    case 401:
    case 407:
      return failed(authenticated === true ? wrongLogin : asksForLogin(login));
    case 404:
    case 410:
    case 480:
    case 604:
      return kind === 'uri' ? failed(unknownAddress) : warning(unknownName);
    case 405:
    case 501:
      return warning('It is there, and does not take this question. Call an echo number to see whether calls work.');
    default: {
      const advice = adviceOn(status);
      return advice === '' ? warning('Call an echo number to see whether calls work.') : failed(advice);
    }
  }
}

function asksForLogin({ user, missing }: Login): string {
  if (missing !== undefined) return `It asks for a login, and the password of the line is missing. ${missing}`;
  return user ? otherLogin : noLogin;
}

/** What to do where calls are refused with this status; empty where it says too little. */
function adviceOn(status: number): string {
  if (status === 403) return forbidden;
  if (status === 488 || status === 606) return noAudioFormat;
  return status >= 500 && status < 600 ? outOfOrder : '';
}

/** More than this is heard. */
const roughPercent = 1;

/** What came of a call to an echo number. */
export function describeEcho(figures: EchoFigures, login: Login): LineEcho {
  const { end, setupMs, sent, heard, delayMs, sound, rtp } = figures;
  const lossPercent = rtp.received + rtp.lost === 0 ? 0 : tenths((100 * rtp.lost) / (rtp.received + rtp.lost));
  const counted = { soundsSent: sent, soundsHeard: heard, ...(setupMs !== undefined && { setupMs }) };
  if (setupMs === undefined) return { outcome: 'notAnswered', message: unanswered(end, login), ...counted };
  const audio = { lossPercent, jitterMs: tenths(rtp.jitterMs) };
  if (delayMs !== undefined) {
    return {
      outcome: 'heard',
      message: `Echo heard after ${String(delayMs)} ms.${lossPercent > roughPercent ? ` ${String(lossPercent)} % of the packets were missing: words will be lost.` : ''}`,
      delayMs,
      ...counted,
      ...audio,
    };
  }
  const hungUp = end ? `${describeHangUp(end).sentence} ` : '';
  if (rtp.received === 0) {
    return {
      outcome: 'silent',
      message: `${hungUp}No audio came back (one-way audio). Check that firewalls let UDP (RTP) through to this machine, and that behind NAT the far side sends to where our packets come from.`,
      ...counted,
    };
  }
  return {
    outcome: 'other',
    message: `${hungUp}${sound ? 'Something was heard, but not our sound' : 'Only silence came back'}. Is it an echo number? If so, our audio does not reach it: check that UDP (RTP) may leave this machine.`,
    ...counted,
    ...audio,
  };
}

function unanswered(end: EchoFigures['end'], { user }: Login): string {
  if (!end) return 'The call was not answered.';
  const sentence = describeHangUp(end).sentence;
  switch (end.kind) {
    case 'unauthorized':
      return user ? wrongLogin : noLogin;
    case 'rejected':
      return `${sentence} ${adviceOn(end.status ?? 0)}`.trim();
    default:
      return sentence;
  }
}
