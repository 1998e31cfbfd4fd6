import type { Line, LineCheck, LineEcho, LineTransport } from '../../contract/lines.ts';
import type { EchoFigures } from '../../engine/echo/echoCall.ts';
import { describeHangUp } from '../../engine/call/hangUp.ts';
import { addressOf } from '../../model/calls/linePlan.ts';
import type { PingAnswer } from '../../telephony/call.ts';

/** The state of a line's login. `missing` says what to do about its password. */
export interface Login {
  readonly user: boolean;
  readonly missing?: string;
  /** The line is checked by its settings, without the password that it needs. */
  readonly isUnsaved?: boolean;
}

type Judged = Pick<LineCheck, 'state' | 'message'>;

/** The called side can use any name, and write anything into its reasons. */
const shown = (text: string): string => text.replaceAll(/[^\P{C}]/gu, ' ').slice(0, 100);
const tenths = (value: number): number => Math.round(value * 10) / 10;

const wrongLogin =
  'The called side rejects the user or password. Check the user, and set the password again (Dialtree: Set Line Password…).';
const noLogin =
  "The called side asks for a login. Give the line a user and a password, or ask its operator to allow this machine's address.";
const unsavedLogin = 'The called side asks for a login. The line was checked without its password.';
const noAudioFormat =
  'The called side accepts none of the offered audio formats. Set it to allow G.711 (PCMU, PCMA) without SRTP for this line.';
const forbidden =
  "The called side forbids this call. Ask its operator to allow this machine's public address. Check the caller ID, and that the account isn't blocked.";
const outOfOrder = 'The called side is overloaded or out of order. Try again later, or ask its operator.';

const otherLogin =
  "The called side asks for a kind of login that Dialtree doesn't support. Set the called side to digest with MD5, SHA-256 or SHA-512-256.";
const unknownAddress = "The called side couldn't find this address. Check the part before the @.";
const unknownName =
  "The called side couldn't find the user. Some PBXs accept calls anyway, so call an echo number to be sure.";

export function describeLineCheck(answer: PingAnswer, line: Line, login: Login): Omit<LineCheck, 'at'> {
  const { status, reason, failure, server, roundTripMs } = answer;
  const statusText = `${String(status)}${reason === '' ? '' : ` ${shown(reason)}`}`;
  const { state, message } = failure
    ? { state: 'failed' as const, message: failures[failure](addressOf(line), shown(reason), line.transport ?? 'udp') }
    : judge(answer, line, login);
  return {
    state,
    message: failure
      ? message
      : `${server === undefined ? addressOf(line) : shown(server)} answered after ${String(tenths(roundTripMs ?? 0))} ms (${statusText}). ${message}`.trim(),
    ...(failure === undefined && { status }),
    ...(server !== undefined && { server: shown(server) }),
    ...(roundTripMs !== undefined && { roundTripMs: tenths(roundTripMs) }),
  };
}

const failures: Readonly<
  Record<NonNullable<PingAnswer['failure']>, (place: string, reason: string, transport: LineTransport) => string>
> = {
  unknownHost: (place) =>
    `Couldn't find an address for ${place}. Check the spelling of the host, and that this machine can reach a DNS server.`,
  refused: (place, _reason, transport) =>
    `Nothing is listening at ${place}. Check the port, and that the PBX or trunk is running there and uses SIP over ${transport.toUpperCase()}.`,
  timeout: (place, _reason, transport) =>
    `No answer from ${place}. Check the host and port, that firewalls let ${transport.toUpperCase()} through${transport === 'udp' ? ' in both directions' : ''}, and that the called side allows this machine's address: some systems don't answer unknown addresses.`,
  unusable: (place, reason) => `Can't call ${place}: ${reason}. Correct the line's host or transport.`,
  network: (place, reason, transport) =>
    transport === 'udp'
      ? `Couldn't send anything to ${place}. Check this machine's network connection.`
      : transport === 'tls' && /certificate/.test(reason)
        ? `${reason}. Use the name in the certificate as the line's host. If you run your own certificate authority, add its certificate to the machine that runs the service.`
        : `Couldn't use SIP over ${transport.toUpperCase()} at ${place}: ${reason}. Check the port and the line's transport.`,
};

const warning = (message: string): Judged => ({ state: 'warning', message });
const failed = (message: string): Judged => ({ state: 'failed', message });

function judge({ status, authenticated }: PingAnswer, { kind }: Line, login: Login): Judged {
  if (status < 300) {
    if (login.missing !== undefined) return warning(`The line needs a password to log in. ${login.missing}`);
    return { state: 'ok', message: authenticated === true ? 'The called side accepts the login.' : '' };
  }
  if (status < 400) return warning('The called side redirects to another host. Use that host for the line.');
  switch (status) {
    case 401:
    case 407:
      if (login.isUnsaved === true) return warning(unsavedLogin);
      return failed(authenticated === true ? wrongLogin : asksForLogin(login));
    case 404:
    case 410:
    case 480:
    case 604:
      return kind === 'uri' ? failed(unknownAddress) : warning(unknownName);
    case 405:
    case 501:
      return warning("The called side doesn't support this check. Call an echo number to see whether calls work.");
    default: {
      const advice = adviceOn(status);
      return advice === '' ? warning('Call an echo number to see whether calls work.') : failed(advice);
    }
  }
}

function asksForLogin({ user, missing }: Login): string {
  if (missing !== undefined) return `The called side asks for a login, but the line has no password. ${missing}`;
  return user ? otherLogin : noLogin;
}

/** Advice for calls that are refused with this status; empty if it says too little. */
function adviceOn(status: number): string {
  if (status === 403) return forbidden;
  if (status === 488 || status === 606) return noAudioFormat;
  return status >= 500 && status < 600 ? outOfOrder : '';
}

/** More packet loss than this is audible. */
const roughPercent = 1;

export function describeLineEcho(figures: EchoFigures, login: Login): LineEcho {
  const { end, setupMs, sent, heard, delayMs, sound, rtp } = figures;
  const lossPercent = rtp.received + rtp.lost === 0 ? 0 : tenths((100 * rtp.lost) / (rtp.received + rtp.lost));
  const counted = { soundsSent: sent, soundsHeard: heard, ...(setupMs !== undefined && { setupMs }) };
  if (setupMs === undefined) return { outcome: 'notAnswered', message: unanswered(end, login), ...counted };
  const audio = { lossPercent, jitterMs: tenths(rtp.jitterMs) };
  if (delayMs !== undefined) {
    return {
      outcome: 'heard',
      message: `Echo heard after ${String(delayMs)} ms.${lossPercent > roughPercent ? ` ${String(lossPercent)} % of the packets were lost, so words will be missing.` : ''}`,
      delayMs,
      ...counted,
      ...audio,
    };
  }
  const hungUp = end ? `${describeHangUp(end).sentence} ` : '';
  if (rtp.received === 0) {
    return {
      outcome: 'silent',
      message: `${hungUp}No audio came back (one-way audio). Check that firewalls let UDP (RTP) through to this machine. Behind NAT, the called side must send to the address that the packets come from.`,
      ...counted,
    };
  }
  return {
    outcome: 'other',
    message: `${hungUp}${sound ? 'Audio came back, but not the echo' : 'Only silence came back'}. Check that the number belongs to an echo service. If it does, the audio isn't reaching the called side: check that UDP (RTP) can leave this machine.`,
    ...counted,
    ...audio,
  };
}

function unanswered(end: EchoFigures['end'], { user }: Login): string {
  if (!end) return "The called side didn't answer the call. Check the number.";
  const sentence = describeHangUp(end).sentence;
  switch (end.kind) {
    case 'unauthorized':
      return user ? wrongLogin : noLogin;
    default:
      return sentence;
  }
}
