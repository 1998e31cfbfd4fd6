import type { IncomingCallLeg, PingAnswer, PingOptions, SipAgent, SipAgentOptions } from './call.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { IncomingLeg } from './incomingLeg.ts';
import type { Leg, LegContext } from './leg.ts';
import { OutgoingLeg } from './outgoingLeg.ts';
import type { OpenMediaSocket } from './rtp/mediaSocket.ts';
import { udpMedia } from './rtp/mediaSocket.ts';
import { Pacer, systemPacer } from './rtp/pacer.ts';
import { Dialog } from './sip/dialog.ts';
import { DigestServer } from './sip/digestServer.ts';
import type { SipRequest } from './sip/message.ts';
import { ping } from './sip/ping.ts';
import { createResponse } from './sip/response.ts';
import { readSdp } from './sip/sdp.ts';
import type { ServerTransaction } from './sip/transaction.ts';
import { StreamTransport } from './sip/streamTransport.ts';
import type { SipTransport } from './sip/transport.ts';
import { openUdpTransport } from './sip/udpTransport.ts';
import type { UdpTransport } from './sip/udpTransport.ts';
import { newTag, UserAgent } from './sip/userAgent.ts';
import type { Arrival } from './sip/userAgent.ts';

const DEFAULT_NO_RESPONSE_MS = 10_000;
const MOST_ATTEMPTS = 5;

/** What an agent stands on; tests link two agents without a network. */
export interface SipAgentParts extends Omit<SipAgentOptions, 'host' | 'port' | 'listenTcp'> {
  /** Where it listens. */
  readonly address: { readonly host: string; readonly port: number };
  /** The first is that of URIs which name none. */
  readonly transports: readonly [SipTransport, ...SipTransport[]];
  readonly openMedia: OpenMediaSocket;
  readonly pacer: Pacer;
  readonly clock: Clock;
}

/** Starts an agent on UDP, which also calls over TCP and TLS; `host` is an address or name of this machine, IPv4 or IPv6. Rejects with the system's error (EADDRINUSE). */
export async function startSipAgent(options: SipAgentOptions & { readonly clock?: Clock }): Promise<SipAgent> {
  const { host, port = 0, listenTcp = false, clock = systemClock, ...rest } = options;
  const [udp, tcp] = await openBoth(host, port, listenTcp);
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
    transports: [udp, tcp, new StreamTransport({ protocol: 'TLS', host: address.host })],
    openMedia: udpMedia(address.host),
    pacer,
    clock,
  });
}

/** UDP and TCP, at the same port where both listen (RFC 3261 section 18.2.1). A free port of the one may be taken for the other. */
async function openBoth(
  host: string,
  port: number,
  listenTcp: boolean,
  attempt = 1,
): Promise<[UdpTransport, StreamTransport]> {
  const udp = await openUdpTransport(host, port);
  const tcp = new StreamTransport({ protocol: 'TCP', host: udp.address.host });
  if (!listenTcp) return [udp, tcp];
  try {
    await tcp.open({ port: udp.address.port });
    return [udp, tcp];
  } catch (error) {
    await udp.close();
    if (port !== 0 || attempt >= MOST_ATTEMPTS) throw error;
    return openBoth(host, port, listenTcp, attempt + 1);
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
  #handler: ((leg: IncomingCallLeg) => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SipAgentParts) {
    this.address = parts.address;
    this.#digest = parts.challenge && new DigestServer(parts.challenge, parts.clock);
    const userAgent = new UserAgent(parts.transports, parts.clock, parts.publicHost, {
      onInvite: (request, from, transaction) => {
        void this.#invited(request, from, transaction);
      },
      challenge: (request) => this.#challenge(request),
    });
    this.#context = {
      clock: parts.clock,
      userAgent,
      openMedia: parts.openMedia,
      pacer: parts.pacer,
      noResponseTimeoutMs: parts.noResponseTimeoutMs ?? DEFAULT_NO_RESPONSE_MS,
      onEnded: (leg) => {
        this.#legs.delete(leg as Leg);
      },
    };
  }

  call(...[uri, options = {}]: Parameters<SipAgent['call']>): OutgoingLeg {
    const leg = new OutgoingLeg(this.#context, uri, options);
    this.#legs.add(leg);
    void leg.start();
    // Later, so that the caller can attach its listeners first.
    if (this.#closing)
      queueMicrotask(() => {
        void leg.hangup();
      });
    return leg;
  }

  onCall(handler: (leg: IncomingCallLeg) => void): void {
    this.#handler = handler;
  }

  options(uri: string, options?: PingOptions): Promise<PingAnswer> {
    return ping(this.#context.userAgent, uri, options);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#legs].map((leg) => leg.hangup()));
    await this.#context.userAgent.close();
  }

  /** The header fields of the 401 that this request gets; undefined where it may pass. */
  #challenge(request: SipRequest): readonly (readonly [string, string])[] | undefined {
    const verdict = this.#digest?.verify(request) ?? 'accepted';
    return verdict === 'accepted' ? undefined : this.#digest?.challenge(verdict === 'stale');
  }

  async #invited(request: SipRequest, from: Arrival, transaction: ServerTransaction): Promise<void> {
    const refuse = (status: number, headers: readonly (readonly [string, string])[] = []): void => {
      transaction.respond(createResponse(request, status, { toTag: newTag(), headers }));
    };
    if (this.#closing || !this.#handler) {
      refuse(480);
      return;
    }
    const challenge = this.#challenge(request);
    if (challenge) {
      refuse(401, challenge);
      return;
    }
    if (request.body !== '' && !readSdp(request.body)) {
      refuse(488);
      return;
    }
    const hop = await this.#context.userAgent.hopBack(from);
    // Cancelled meanwhile.
    if ((transaction.lastStatus ?? 100) >= 200) return;
    const dialog = Dialog.ofCallee(request, newTag(), this.#context.userAgent.contact(hop.local));
    if (!dialog) {
      refuse(400);
      return;
    }
    const leg = new IncomingLeg(this.#context, request, transaction, dialog, hop);
    this.#legs.add(leg);
    if (await leg.prepare()) this.#handler(leg);
  }
}
