import type { IncomingCallLeg, PingAnswer, PingOptions, Registration, SipAgent, SipAgentOptions } from './call.ts';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { warnOfFault } from './fault.ts';
import { IncomingLeg } from './incomingLeg.ts';
import type { Leg, LegContext } from './leg.ts';
import { OutgoingLeg } from './outgoingLeg.ts';
import type { OpenMediaSocket } from './rtp/mediaSocket.ts';
import { udpMedia } from './rtp/mediaSocket.ts';
import { Pacer, systemPacer } from './rtp/pacer.ts';
import { Dialog } from './sip/dialog.ts';
import { DigestServer } from './sip/digestServer.ts';
import type { SipRequest } from './sip/message.ts';
import { sizeOf } from './sip/message.ts';
import { ping } from './sip/ping.ts';
import { LineRegistration } from './sip/registration.ts';
import type { Refusal } from './sip/response.ts';
import { readSdp } from './sip/sdp.ts';
import { intervalRefusal } from './sip/sessionTimer.ts';
import type { ServerTransaction } from './sip/transaction.ts';
import type { Answering } from './sip/transactionLayer.ts';
import type { NameService } from './sip/serverLocation.ts';
import { systemNames } from './sip/serverLocation.ts';
import { StreamTransport } from './sip/streamTransport.ts';
import type { SipTransport } from './sip/transport.ts';
import { openUdpTransport } from './sip/udpTransport.ts';
import type { UdpTransport } from './sip/udpTransport.ts';
import { newTag, UserAgent } from './sip/userAgent.ts';
import type { Arrival } from './sip/userAgent.ts';

const DEFAULT_NO_RESPONSE_MS = 10_000;
const MOST_ATTEMPTS = 5;
/** More than any caller needs. */
const MOST_INVITATION_CHARACTERS = 16 * 1024;
/** Simultaneous inbound calls. A load test has 2,000. */
const MOST_TAKEN_CALLS = 4000;

/** The parts of an agent; tests connect two agents without a network. */
export interface SipAgentParts extends Omit<SipAgentOptions, 'host' | 'otherHost' | 'port' | 'listenTcp'> {
  readonly address: { readonly host: string; readonly port: number };
  /** The first is for URIs that name none. */
  readonly transports: readonly [SipTransport, ...SipTransport[]];
  readonly openMedia: OpenMediaSocket;
  readonly pacer: Pacer;
  readonly clock: Clock;
  /** Default: the system's. */
  readonly names?: NameService | undefined;
}

/**
 * Starts an agent on UDP, which also calls over TCP and TLS. `host` is an address or name of this machine, IPv4 or
 * IPv6. Rejects with the system's error (EADDRINUSE).
 */
export async function startSipAgent(
  options: SipAgentOptions & { readonly clock?: Clock | undefined; readonly names?: NameService },
): Promise<SipAgent> {
  const { host, otherHost, port = 0, listenTcp = false, clock = systemClock, ...rest } = options;
  const how = { otherHost, names: options.names };
  const [udp, tcp] = await openBoth(host, port, listenTcp, how);
  const { address } = udp;
  const pacer =
    clock === systemClock
      ? systemPacer
      : new Pacer(clock, (play) => {
          setImmediate(play);
        });
  return createSipAgent({
    ...rest,
    address,
    transports: [udp, tcp, new StreamTransport({ protocol: 'TLS', host: address.host, ...how })],
    openMedia: udpMedia(address.host, otherHost),
    pacer,
    clock,
  });
}

/** Opens UDP and TCP, on one port if both listen (RFC 3261 section 18.2.1): it may be taken for one of them. */
async function openBoth(
  host: string,
  port: number,
  listenTcp: boolean,
  how: { readonly otherHost: string | undefined; readonly names: NameService | undefined },
  attempt = 1,
): Promise<[UdpTransport, StreamTransport]> {
  const udp = await openUdpTransport(host, port, how);
  const tcp = new StreamTransport({ protocol: 'TCP', host: udp.address.host, ...how });
  if (!listenTcp) return [udp, tcp];
  try {
    await tcp.open({ port: udp.address.port });
    return [udp, tcp];
  } catch (error) {
    await udp.close();
    if (port !== 0 || attempt >= MOST_ATTEMPTS) throw error;
    return openBoth(host, port, listenTcp, how, attempt + 1);
  }
}

export function createSipAgent(parts: SipAgentParts): SipAgent {
  return new Agent(parts);
}

class Agent implements SipAgent {
  readonly address: { readonly host: string; readonly port: number };
  readonly #context: LegContext;
  readonly #digest: DigestServer | undefined;
  readonly #legs = new Set<Leg>();
  /** By line. */
  readonly #registrations = new Map<string, LineRegistration>();
  /** Inbound calls, counted from their INVITE. */
  #taken = 0;
  #handler: ((leg: IncomingCallLeg) => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SipAgentParts) {
    this.address = parts.address;
    this.#digest = parts.challenge && new DigestServer(parts.challenge, parts.clock);
    const userAgent = new UserAgent(parts.transports, parts.clock, parts.names ?? systemNames, {
      onInvite: (request, from, answering) => this.#invited(request, from, answering),
      challenge: (request) => this.#challenge(request),
      onFault: (error, callId) => this.#failed(error, callId),
    });
    const { onFault = warnOfFault } = parts;
    this.#context = {
      onFault: (error) => {
        try {
          onFault(error);
        } catch {
          warnOfFault(error);
        }
      },
      clock: parts.clock,
      userAgent,
      openMedia: parts.openMedia,
      pacer: parts.pacer,
      srtp: parts.srtp ?? 'prefer',
      noResponseTimeoutMs: parts.noResponseTimeoutMs ?? DEFAULT_NO_RESPONSE_MS,
      registrationOf: (line) => this.#registrations.get(line ?? ''),
      onEnded: (leg) => {
        this.#legs.delete(leg as Leg);
        if (leg.direction === 'incoming') this.#taken--;
      },
    };
  }

  call(...[uri, options = {}]: Parameters<SipAgent['call']>): OutgoingLeg {
    const leg = new OutgoingLeg(this.#context, uri, options);
    this.#legs.add(leg);
    leg.start().catch((error: unknown) => leg.fail(error));
    // Later, so that the caller can attach its listeners first.
    if (this.#closing)
      queueMicrotask(() => {
        void leg.hangup();
      });
    return leg;
  }

  register(...[line, options, onChange]: Parameters<SipAgent['register']>): Registration {
    void this.#registrations.get(line)?.close();
    const registration = new LineRegistration(this.#context, line, options, (state) => {
      if (state.state === 'closed' && this.#registrations.get(line) === registration) this.#registrations.delete(line);
      onChange?.(state);
    });
    this.#registrations.set(line, registration);
    registration.start();
    if (this.#closing) void registration.close();
    return registration;
  }

  onCall(handler: (leg: IncomingCallLeg) => void): void {
    this.#handler = handler;
  }

  options(uri: string, options?: PingOptions): Promise<PingAnswer> {
    return ping(this.#context.userAgent, uri, options, this.#context.registrationOf(options?.line));
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all([
      ...[...this.#legs].map((leg) => leg.hangup()),
      ...[...this.#registrations.values()].map((registration) => registration.close()),
    ]);
    await this.#context.userAgent.close();
  }

  /** Returns the header fields of the 401 for this request, or undefined if it may pass. */
  #challenge(request: SipRequest): readonly (readonly [string, string])[] | undefined {
    const verdict = this.#digest?.verify(request) ?? 'accepted';
    return verdict === 'accepted' ? undefined : this.#digest?.challenge(request, verdict === 'stale');
  }

  /** Ends the call in which the error occurred, if it was one. */
  #failed(error: unknown, callId: string | undefined): void {
    const legs = [...this.#legs].filter((leg) => leg.callId === callId);
    if (legs.length === 0) this.#context.onFault(error);
    for (const leg of legs) leg.fail(error);
  }

  #refusalOf(request: SipRequest, called: LineRegistration | undefined): Refusal | undefined {
    if (this.#closing || !this.#handler) return [480];
    if (sizeOf(request) > MOST_INVITATION_CHARACTERS) return [513];
    const challenge = this.#challenge(request);
    if (challenge) return [401, { headers: challenge }];
    const shortest = intervalRefusal(request);
    if (shortest) return [422, { headers: shortest }];
    if (request.body !== '' && !readSdp(request.body, called?.srtp ?? this.#context.srtp)) return [488];
    if (!Dialog.ofCallee(request, '', '')) return [400];
    return this.#taken >= MOST_TAKEN_CALLS ? [503, { headers: [['Retry-After', '5']] }] : undefined;
  }

  /** Nothing is stored for a refused INVITE. */
  #invited(request: SipRequest, from: Arrival, answering: Answering): void {
    const called = this.#calledLine(request.uri, from);
    const refusal = this.#refusalOf(request, called);
    if (refusal) {
      answering.answer(...refusal);
      return;
    }
    const transaction = answering.begin();
    if (!transaction) return;
    this.#taken++;
    this.#prepareLeg(transaction, request.body, from, called).then(
      (leg) => {
        if (leg) this.#ring(leg);
        else this.#taken--;
      },
      (error: unknown) => {
        this.#taken--;
        this.#context.onFault(error);
        transaction.respond(500, { toTag: newTag() });
      },
    );
  }

  #calledLine(uri: string, { peer }: Arrival): LineRegistration | undefined {
    const registrations = [...this.#registrations.values()];
    return (
      registrations.find((registration) => registration.isCalledAs(uri)) ??
      registrations.find((registration) => registration.isCalledAs(uri, peer))
    );
  }

  /** Returns undefined if the INVITE was cancelled in the meantime. */
  async #prepareLeg(
    transaction: ServerTransaction,
    offer: string,
    from: Arrival,
    called: LineRegistration | undefined,
  ): Promise<IncomingLeg | undefined> {
    const back = { ...(await this.#context.userAgent.hopTo(from, called?.way ?? {})), taken: true };
    const hop = called?.at(back) ?? back;
    if (this.#closing) transaction.respond(480, { toTag: newTag() });
    if (this.#closing || (transaction.lastStatus ?? 100) >= 200) return undefined;
    const dialog = Dialog.ofCallee(transaction.request, newTag(), this.#context.userAgent.contact(hop.local));
    return dialog && new IncomingLeg(this.#context, { transaction, offer, dialog, hop, called });
  }

  #ring(leg: IncomingLeg): void {
    this.#legs.add(leg);
    leg
      .prepare()
      .then((isReady) => {
        if (isReady) this.#handler?.(leg);
      })
      .catch((error: unknown) => leg.fail(error));
  }
}
