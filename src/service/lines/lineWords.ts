import type { Clock } from '../../base/clock.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Line, LineCheck, LineEcho, LineSrtp, LineState, LineTransport } from '../../contract/lines.ts';
import type { EchoFigures } from '../../engine/echo/echoCall.ts';
import { describeHangUp } from '../../engine/call/hangUp.ts';
import { addressOf, srtpOf } from '../../model/calls/linePlan.ts';
import type { PingAnswer, RegistrationState } from '../../telephony/call.ts';
import { hostReference } from '../../telephony/sip/uri.ts';

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
/** Returns milliseconds with as many digits as they deserve. */
const asMeasured = (ms: number): number => (ms < 10 ? tenths(ms) : Math.round(ms));

const wrongLogin =
  'The called side rejects the user or password. Check the user, and set the password again (Dialtree: Set Line Password…).';
const noLogin =
  "The called side asks for a login. Give the line a user and a password, or ask its operator to allow this machine's address.";
const unsavedLogin = 'The called side asks for a login. The line was checked without its password.';
const noAudioFormat =
  'The called side accepts none of the offered audio formats. Set it to allow G.711 (PCMU, PCMA) for this line.';
/** By the SRTP policy of the line. */
const noAudio: Readonly<Record<LineSrtp, string>> = {
  off: `${noAudioFormat} If it requires encrypted audio, set the line's srtp to prefer.`,
  prefer: noAudioFormat,
  require: `${noAudioFormat} If it doesn't support SRTP with keys in SDES, set the line's srtp to prefer or off.`,
};
const forbidden =
  "The called side forbids this call. Ask its operator to allow this machine's public address. Check the caller ID, and that the account isn't blocked.";
const outOfOrder = 'The called side is overloaded or out of order. Try again later, or ask its operator.';

const otherLogin =
  "The called side asks for a kind of login that Dialtree doesn't support. Set the called side to digest with MD5, SHA-256 or SHA-512-256.";
const unknownAddress = "The called side couldn't find this address. Check the part before the @.";
const unknownName =
  "The called side couldn't find the user. Some PBXs accept calls anyway, so call an echo number to be sure.";

/** What a check found out besides the answer to OPTIONS. */
export interface LineFindings {
  readonly registration?: RegistrationState;
  /** When the registration expires, in seconds from now. */
  readonly registeredSeconds?: number;
  /** What the line would have to be for the called side to answer. */
  readonly answering?: Pick<Line, 'transport'> & { readonly place: string };
}

export function describeLineCheck(
  answer: PingAnswer,
  line: Line,
  login: Login,
  { registration, registeredSeconds = 0, answering }: LineFindings = {},
): Omit<LineCheck, 'at'> {
  const { failure, server, roundTripMs } = answer;
  // Some registrars refuse OPTIONS, which says nothing about the line.
  const status = registration ? registration.status : failure === undefined ? answer.status : undefined;
  const found = (): Judged => {
    if (answering) return failed(answersOtherwise(line, answering));
    if (registration?.state === 'registered') {
      const registered = `The line is registered for ${String(Math.round(registeredSeconds))} s.`;
      return judgedWay(answer, line, { state: 'ok', message: registered });
    }
    if (registration) return failed(describeUnregistered(registration, line));
    return failure ? failed(describeFailure(answer, line)) : judgedWay(answer, line, judge(answer, line, login));
  };
  const { state, message } = found();
  const isFine = answer.status >= 200 && answer.status < 300;
  const said = registration || isFine ? '' : ` (${statusText(answer)})`;
  const answered = failure
    ? ''
    : `${server === undefined ? addressOf(line) : shown(server)} answered after ${String(asMeasured(roundTripMs ?? 0))} ms${said}. `;
  return {
    state,
    message: `${answered}${message}`.trim(),
    ...(status !== undefined && { status }),
    ...(server !== undefined && { server: shown(server) }),
    ...(roundTripMs !== undefined && { roundTripMs: asMeasured(roundTripMs) }),
  };
}

const statusText = ({ status, reason }: PingAnswer): string =>
  `${String(status)}${reason === '' ? '' : ` ${shown(reason)}`}`;

const describeFailure = ({ failure = 'timeout', reason }: PingAnswer, line: Line): string =>
  failures[failure](addressOf(line), shown(reason), line.transport ?? 'udp');

function answersOtherwise(line: Line, { transport = 'udp', place }: NonNullable<LineFindings['answering']>): string {
  const change = `Set the line's transport to ${transport}${place === addressOf(line) ? '' : `, and its address to ${place}`}.`;
  return `${place} answers over ${transport.toUpperCase()}, not over ${(line.transport ?? 'udp').toUpperCase()}. ${change}`;
}

/** Behind NAT, audio can be one-way although requests are answered. */
function judgedWay({ seenAs, natTrouble }: PingAnswer, { publicAddress, stunServer }: Line, judged: Judged): Judged {
  if (natTrouble !== undefined && judged.state === 'ok')
    return warning(
      `${judged.message} The public address of this machine isn't known: ${shown(natTrouble)}. Check the line's stunServer, or set publicAddress.`.trim(),
    );
  if (seenAs === undefined || judged.state !== 'ok' || publicAddress !== undefined || stunServer !== undefined)
    return judged;
  return warning(
    `${judged.message} The called side sees this machine as ${shown(seenAs)}, so a router translates its address (NAT). If a call has no audio, set the line's stunServer or publicAddress.`.trim(),
  );
}

/** A registration as lists show it. */
export function shownRegistration(
  now: RegistrationState,
  line: Line,
  clock: Clock,
): NonNullable<LineState['registration']> {
  const dateOf = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : new Date(Date.now() + at - clock.now()).toISOString();
  return withoutUndefined({
    state: now.state,
    since: dateOf(now.since),
    until: dateOf(now.until),
    message: now.state === 'failed' ? describeUnregistered(now, line) : undefined,
  });
}

export const lineUnregistered = (name: string, state: RegistrationState, line: Line): HumanError =>
  new HumanError(`The line ${name} isn't registered. ${describeUnregistered(state, line)}`, {
    status: 503,
    code: 'line_unregistered',
    details: { line: name },
  });

/** Says why a line isn't registered, and what to do. */
function describeUnregistered({ failure, status, reason = '' }: RegistrationState, line: Line): string {
  const said = status === undefined ? '' : ` (${String(status)})`;
  switch (failure) {
    case 'wrongLogin':
      return line.user === undefined ? noLogin : wrongLogin;
    case 'forbidden':
      return `The registrar refuses to register this user${said}. Check the user and the password: some PBXs refuse a wrong one like this. Otherwise, ask its operator to allow this extension to register, from this address and as one more device.`;
    case 'notFound':
      return `The registrar doesn't know the user${said}. Check the line's user, and its host if the registrar serves several domains.`;
    case 'loop':
      return `The registration came back to a proxy that had already forwarded it${said}. Check the line's host and outboundProxy.`;
    case 'unavailable':
      return outOfOrder;
    case 'protocol':
      return `The registrar's response can't be used: ${shown(reason)}. Check that the line's host is a registrar.`;
    case undefined:
      return reason === '' ? failures.timeout(addressOf(line), '', line.transport ?? 'udp') : reason;
    default:
      return failures[failure](addressOf(line), shown(reason), line.transport ?? 'udp');
  }
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

function judge({ status, authenticated }: PingAnswer, line: Line, login: Login): Judged {
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
      return line.kind === 'uri' ? failed(unknownAddress) : warning(unknownName);
    case 405:
    case 501:
      return warning("The called side doesn't support this check. Call an echo number to see whether calls work.");
    default: {
      const advice = adviceOn(status, line);
      return advice === '' ? warning('Call an echo number to see whether calls work.') : failed(advice);
    }
  }
}

function asksForLogin({ user, missing }: Login): string {
  if (missing !== undefined) return `The called side asks for a login, but the line has no password. ${missing}`;
  return user ? otherLogin : noLogin;
}

/** Advice for calls that are refused with this status; empty if it says too little. */
function adviceOn(status: number, line: Line): string {
  if (status === 403) return forbidden;
  if (status === 488 || status === 606) return noAudio[srtpOf(line)];
  return status >= 500 && status < 600 ? outOfOrder : '';
}

/** More packet loss than this is audible. */
const roughPercent = 1;

export function describeLineEcho(figures: EchoFigures, line: Line, login: Login): LineEcho {
  const { end, setupMs, sent, heard, delayMs, sound, rtp } = figures;
  const lossPercent = rtp.received + rtp.lost === 0 ? 0 : tenths((100 * rtp.lost) / (rtp.received + rtp.lost));
  const counted = { soundsSent: sent, soundsHeard: heard, ...(setupMs !== undefined && { setupMs }) };
  if (setupMs === undefined) return { outcome: 'notAnswered', message: unanswered(end, line, login), ...counted };
  const lossPercentThere = rtp.remoteLost === undefined ? 0 : tenths((100 * rtp.remoteLost) / Math.max(1, rtp.sent));
  const audio = {
    lossPercent,
    jitterMs: tenths(rtp.jitterMs),
    ...(rtp.roundTripMs !== undefined && { roundTripMs: tenths(rtp.roundTripMs) }),
    ...(rtp.remoteLost !== undefined && { lossPercentThere }),
  };
  if (delayMs !== undefined) {
    return {
      outcome: 'heard',
      message: `Echo heard after ${String(delayMs)} ms.${lossPercent > roughPercent ? ` ${String(lossPercent)} % of the packets were lost, so words will be missing.` : ''}${lossPercentThere > roughPercent ? ` The called side reports that ${String(lossPercentThere)} % of Dialtree's packets were lost.` : ''}`,
      delayMs,
      ...counted,
      ...audio,
    };
  }
  const hungUp = end ? `${describeHangUp(end).sentence} ` : '';
  if (rtp.received === 0) {
    return {
      outcome: 'silent',
      message: rtp.refusedPackets
        ? `${hungUp}No audio could be decrypted: ${String(rtp.refusedPackets)} RTP packets came back that don't fit the keys in the SDP of the called side. Check its SRTP settings, or set the line's srtp to off.`
        : rtp.elsewhere
          ? `${hungUp}No audio came back from the called side, but RTP packets came from ${hostReference(rtp.elsewhere.host)}:${String(rtp.elsewhere.port)}, an address that it didn't name in SIP. Set it to send audio from the address in its SDP.`
          : `${hungUp}No audio came back (one-way audio). Check that firewalls let UDP (RTP) through to this machine. Behind NAT, the called side must send to the address that the packets come from.`,
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

function unanswered(end: EchoFigures['end'], line: Line, { user }: Login): string {
  if (!end) return "The called side didn't answer the call. Check the number.";
  const sentence = describeHangUp(end).sentence;
  if (end.kind === 'unauthorized') return user ? wrongLogin : noLogin;
  return end.status === 488 || end.status === 606 ? noAudio[srtpOf(line)] : sentence;
}
