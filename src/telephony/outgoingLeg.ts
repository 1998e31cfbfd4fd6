import type { CallEnd, CallLeg, OutgoingCallOptions } from './call.ts';
import { acceptsInfoDigits } from './dtmf/infoDigits.ts';
import type { LegContext } from './leg.ts';
import { Leg } from './leg.ts';
import { identityFields, identityProblem } from './sip/callerIdentity.ts';
import { DigestClient } from './sip/digest.ts';
import { Dialog } from './sip/dialog.ts';
import { DialogSession } from './sip/dialogSession.ts';
import { SipHeaders } from './sip/headers.ts';
import type { InviteClientTransaction } from './sip/inviteClientTransaction.ts';
import type { SipRequest, SipResponse } from './sip/message.ts';
import { cseqOf, tagOf } from './sip/message.ts';
import { refusalEnd } from './sip/refusal.ts';
import { reliableNumber } from './sip/reliableResponses.ts';
import { routeOutside } from './sip/preloadedRoute.ts';
import { codecsIn, SDP_TYPE } from './sip/sdp.ts';
import { T1 } from './sip/timers.ts';
import { addressOfRecord, hostReference, parseUri } from './sip/uri.ts';
import { isSamePlace, Unreachable } from './sip/transport.ts';
import type { Failover } from './sip/failover.ts';
import { SERVER_WAIT_MS } from './sip/failover.ts';
import type { Hop } from './sip/targetLookups.ts';
import { ALLOW_HEADER, newTag, SUPPORTED_HEADER } from './sip/userAgent.ts';

const DEFAULT_ANSWER_TIMEOUT_MS = 30_000;
/** Forks of one INVITE that are remembered; more are an attack. */
const MAX_FORKS = 32;
/** Reliable responses of all forks that are acknowledged, because each PRACK goes where the called side says. */
const MAX_PRACKS = 100;
/** The first repeated answer can cross the ACK, and the second one the ACK to the other address. */
const LOST_ACK_REPEATS = 3;
/** A called side without SRTP refuses the offer: unsupported media type, not acceptable. */
const KEY_REFUSALS: readonly number[] = [415, 488, 606];

interface Fork {
  readonly session: DialogSession;
  ack: SipRequest | undefined;
  /** RSeq of the last reliable response (RFC 3262 section 4), and whether one of them answered the offer. */
  number: number | undefined;
  hasAnswer: boolean;
}

/** An outbound call (RFC 3261 sections 9.1 and 13.2). */
export class OutgoingLeg extends Leg implements CallLeg {
  readonly direction = 'outgoing';
  readonly #options: OutgoingCallOptions;
  readonly #localTag = newTag();
  readonly #digest: DigestClient | undefined;
  readonly #forks = new Map<string, Fork>();
  #early: DialogSession | undefined;
  #servers: Failover | undefined;
  #hop: Hop | undefined;
  #way: { readonly uri: string; readonly routes: readonly string[] };
  #transaction: InviteClientTransaction | undefined;
  #sequence = 1;
  #responded = false;
  #lastRing = '';
  #pracks = 0;
  /** How often the answer was repeated, and where its ACKs went. */
  #repeats = 0;
  #ackTo = '';
  /** A provisional response has already answered the offer. */
  #earlyAnswer = false;
  /** What to report when the cancelled attempt is over. */
  #abandoned: CallEnd | undefined;
  #cancelSent = false;
  #reconnected = false;

  constructor(context: LegContext, uri: string, options: OutgoingCallOptions) {
    super(context, { remoteUri: uri, requestUri: uri, callId: `${newTag()}${newTag()}` });
    this.#options = options;
    this.#way = { uri, routes: [] };
    this.keysBy = options.keysBy ?? 'auto';
    this.#digest = options.credentials && new DigestClient(options.credentials);
    const { srtp = 'off' } = options;
    this.local.secure(srtp, srtp !== 'off');
  }

  get #target(): string {
    return this.requestUri.split('?', 1)[0] ?? this.requestUri;
  }

  /** Dials. Never rejects: a failure ends the leg. */
  async start(): Promise<void> {
    const { signal } = this.#options;
    if (signal) {
      const abort = (): void => {
        void this.hangup();
      };
      if (signal.aborted) queueMicrotask(abort);
      else signal.addEventListener('abort', abort, { once: true });
      this.listen((event) => {
        if (event.type === 'ended') signal.removeEventListener('abort', abort);
      });
    }
    // Callers attach their listeners first.
    await Promise.resolve();
    const problem = parseUri(this.requestUri) ? identityProblem(this.#options) : `“${this.requestUri}” isn't a SIP URI`;
    if (problem !== undefined) {
      this.end({ by: 'local', kind: 'protocol', reason: problem });
      return;
    }
    try {
      const line = this.context.registrationOf(this.#options.line);
      const { servers, ...way } = await routeOutside(this.context.userAgent, this.#target, this.#options, line);
      [this.#servers, this.#way] = [servers, way];
      await this.#dial(servers);
    } catch (error) {
      this.end({ by: 'local', kind: 'unreachable', reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (!this.#abandoned) this.#awaitAnswer();
  }

  /** Sends the INVITE to the next server. */
  async #dial(servers: Failover): Promise<void> {
    const hop = await servers.next();
    await this.media.open({ peerHost: hop.peer.host, stunServer: hop.stunServer });
    if (this.state !== 'setup' || this.#abandoned) return;
    if (this.#hop && !isSamePlace(this.#hop.peer, hop.peer)) this.#digest?.renew(hop.peer);
    this.#hop = hop;
    this.local.place(hop.local.host, hop.peer.host);
    this.#responded = false;
    this.#sendInvite(hop);
    const limit = this.context.noResponseTimeoutMs;
    this.timers.start('silence', servers.hasNext ? Math.min(SERVER_WAIT_MS, limit) : limit, () =>
      this.#serverFailed('no response'),
    );
    this.timers.start('refused', Math.min(T1, limit), () => {
      this.context.userAgent.assertOpen(hop).catch((why: unknown) => {
        if (hop === this.#hop && !this.#responded) this.#serverFailed(Unreachable.by(why).message);
      });
    });
  }

  /** The next server is called (RFC 3263 section 4.3). A later answer of this one is hung up. */
  #callNextServer(why: string): void {
    this.#transaction?.abandon();
    this.#transaction = undefined;
    this.timers.stop('silence');
    this.timers.stop('refused');
    this.#forgetEarly();
    if (!this.#servers) return;
    this.#dial(this.#servers).catch((error: unknown) =>
      this.#unreachable(error instanceof Error ? `${why}, and ${error.message}` : why),
    );
  }

  /** The next INVITE has other early dialogs. */
  #forgetEarly(): void {
    this.#early?.close();
    this.#early = undefined;
    this.#earlyAnswer = false;
    this.local.forget();
  }

  #serverFailed(why: string): void {
    const isLost = this.#hop && this.#servers?.failed(this.#hop) === true && !this.#responded && !this.#abandoned;
    if (isLost) this.#callNextServer(why);
    else this.#unreachable(why);
  }

  #awaitAnswer(): void {
    this.timers.start('answer', this.#options.answerTimeoutMs ?? DEFAULT_ANSWER_TIMEOUT_MS, () =>
      this.abandonSetup({ by: 'local', kind: 'noAnswer', reason: 'no answer in time' }, 2000),
    );
  }

  protected abandonSetup(end: CallEnd, limitMs: number): void {
    if (this.#abandoned) return;
    this.#abandoned = end;
    this.timers.stopAll();
    if (!this.#transaction) {
      this.end(end);
      return;
    }
    this.#cancel();
    this.timers.start('abandoned', limitMs, () => {
      this.#transaction?.abandon();
      this.end(end);
    });
  }

  protected override end(end: CallEnd): void {
    const isLost = end.by === 'remote' && this.#repeats >= LOST_ACK_REPEATS;
    super.end(isLost ? { ...end, lostAckTo: this.#ackTo } : end);
    this.#early?.close();
  }

  #sendInvite(hop: Hop): void {
    const { userAgent } = this.context;
    const request: SipRequest = {
      kind: 'request',
      method: 'INVITE',
      uri: this.#way.uri,
      body: this.local.offer(),
      headers: new SipHeaders([
        ['Max-Forwards', '70'],
        ...this.#way.routes.map((route) => ['Route', route] as const),
        ...identityFields(this.#options, this.#localTag, `sip:anonymous@${userAgent.hostPort(hop.local)}`),
        ['To', `<${addressOfRecord(this.#target)}>`],
        ['Call-ID', this.callId],
        ['CSeq', `${String(this.#sequence++)} INVITE`],
        ['Contact', userAgent.contact(hop.local)],
        ALLOW_HEADER,
        SUPPORTED_HEADER,
        ...this.sessionTimer.requestFields(),
        ['Content-Type', SDP_TYPE],
      ]),
    };
    this.#digest?.apply(request, hop.peer);
    let heard = false,
      isCancelled = false;
    const transaction = userAgent.invite(request, hop, {
      onResponse: (response) => {
        if (transaction !== this.#transaction) {
          // A server that wasn't waited for any longer: its phone stops ringing, or its answer is hung up.
          if (response.status >= 200 && response.status < 300) this.#accepted(response, request, hop, true);
          else if (response.status < 200 && !isCancelled) userAgent.cancel(transaction, hop);
          isCancelled = true;
          return;
        }
        heard = true;
        this.#reconnected = false;
        this.#receive(response, request, hop);
      },
      onLost: ({ failure, message }) => {
        if (transaction !== this.#transaction) return;
        if (failure === 'timeout' || heard || this.#reconnected || this.#abandoned) {
          this.#serverFailed(message);
          return;
        }
        // A peer can close a connection after each response: the next request finds it closing, and is sent once more.
        this.#reconnected = true;
        this.#servers?.again(hop);
        this.#callNextServer(message);
      },
    });
    this.#transaction = transaction;
  }

  #receive(response: SipResponse, invite: SipRequest, hop: Hop): void {
    this.#responded = true;
    this.timers.stop('silence');
    this.timers.stop('refused');
    if (response.status < 200) this.#progress(response, invite, hop);
    else if (response.status < 300) this.#accepted(response, invite, hop);
    else this.#refused(response, invite, hop);
  }

  #progress(response: SipResponse, invite: SipRequest, hop: Hop): void {
    if (this.#abandoned) {
      this.#cancel();
      return;
    }
    if (response.status === 100 || this.state !== 'setup') return;
    const tag = tagOf(response, 'To') ?? '';
    const fork = this.#forks.get(tag) ?? this.#ringing(tag, response, invite, hop);
    const number = reliableNumber(response);
    if (number !== undefined) {
      // A repeated one, or one before whose predecessor came.
      if (!fork || (fork.number !== undefined && number !== fork.number + 1) || ++this.#pracks > MAX_PRACKS) return;
      fork.number = number;
      const acknowledged = ['RAck', `${String(number)} ${invite.headers.get('CSeq') ?? ''}`] as const;
      this.inBackground(fork.session.send('PRACK', undefined, [acknowledged]));
    }
    const ring = `${String(response.status)} ${tag}`;
    if (ring !== this.#lastRing) this.emit({ type: 'ringing', status: response.status });
    this.#lastRing = ring;
    if (this.state !== 'setup') return;
    if (response.body === '' || fork?.hasAnswer || !this.local.accept(response.body)) return;
    this.#earlyAnswer = true;
    if (fork && number !== undefined) fork.hasAnswer = true;
  }

  /** Undefined if the response creates no dialog. */
  #newFork(response: SipResponse, invite: SipRequest, hop: Hop): Fork | undefined {
    const { userAgent } = this.context;
    const dialog = Dialog.ofCaller(invite, response, userAgent.contact(hop.local));
    if (!dialog) return undefined;
    const user = {
      ...this.dialogUser(),
      // The offer of the INVITE is still open.
      offerRefusal: () => (this.state === 'setup' && !fork.hasAnswer ? 491 : undefined),
    } as const;
    const session = new DialogSession({
      userAgent,
      dialog,
      hop,
      digest: this.#digest,
      user,
      sessionTimer: this.sessionTimer,
      by: response,
    });
    const fork: Fork = { session, ack: undefined, number: undefined, hasAnswer: false };
    return fork;
  }

  #ringing(tag: string, response: SipResponse, invite: SipRequest, hop: Hop): Fork | undefined {
    const fork = this.#forks.size < MAX_FORKS ? this.#newFork(response, invite, hop) : undefined;
    if (!fork) return undefined;
    this.#forks.set(tag, fork);
    if (!this.#early) {
      this.#early = fork.session;
      this.#early.open();
      this.#early.hold();
    }
    return fork;
  }

  #accepted(response: SipResponse, invite: SipRequest, hop: Hop, isLate = false): void {
    const tag = tagOf(response, 'To') ?? '';
    const known = this.#forks.get(tag);
    if (known?.ack) {
      this.inBackground(this.#acknowledgeAgain(known.session, known.ack, invite, hop));
      return;
    }
    const first = this.state === 'setup' && !this.#abandoned && !isLate;
    const fork = known ?? this.#newFork(response, invite, hop);
    if (!fork) {
      if (first) this.end({ by: 'remote', kind: 'protocol', status: response.status, reason: 'the answer has no tag' });
      return;
    }
    const { session } = fork;
    session.dialog.confirm(response);
    const ack = session.dialog.createRequest('ACK', cseqOf(invite).number);
    if (!known && !first && this.#forks.size >= MAX_FORKS) {
      this.inBackground(this.#turnAway(session, ack, invite, hop));
      return;
    }
    fork.ack = ack;
    this.#forks.set(tag, fork);
    const acknowledged = session.acknowledge(ack, invite, hop);
    const sayGoodbye = async (): Promise<void> => {
      await acknowledged;
      await session.send('BYE');
      session.close();
    };
    // A second fork's answer, or one that crossed our CANCEL: hung up at once (RFC 3261 section 13.2.2.4).
    this.inBackground(first ? acknowledged : sayGoodbye());
    if (!first) {
      if (this.#abandoned) this.end(this.#abandoned);
      return;
    }
    this.timers.stop('answer');
    if (this.#early !== session) this.#early?.close();
    this.#early = undefined;
    const usable = fork.hasAnswer || (response.body === '' ? this.#earlyAnswer : this.local.accept(response.body));
    if (acceptsInfoDigits(response)) this.infoDigits = 'accepted';
    else if (response.headers.tokens('Allow').includes('info')) this.infoDigits = 'allowed';
    if (usable) {
      session.learn(response);
      session.open();
      this.sessionTimer.start(response);
      this.answered(session);
      return;
    }
    if (this.local.lacksKeys(response.body) && this.local.offerPlain()) {
      this.inBackground(this.#callAgain(sayGoodbye(), hop));
      return;
    }
    const codecs = codecsIn(response.body);
    const why = this.local.lacksKeys(response.body)
      ? ({ kind: 'noSrtp', reason: 'it answered without SRTP' } as const)
      : ({
          kind: 'noCommonCodec',
          reason: codecs.length > 0 ? `it answered with ${codecs.join(', ')}` : 'its answer names no audio (no SDP)',
        } as const);
    this.end({ by: 'local', status: response.status, ...why });
    this.inBackground(sayGoodbye());
  }

  /** The stream of an answer was refused: once more without keys. */
  async #callAgain(goodbye: Promise<void>, hop: Hop): Promise<void> {
    this.#forgetEarly();
    this.#awaitAnswer();
    await goodbye;
    if (this.state === 'setup' && !this.#abandoned) this.#sendInvite(hop);
  }

  /** A fork that isn't remembered gets ACK and BYE for each answer that it sends. */
  async #turnAway(session: DialogSession, ack: SipRequest, invite: SipRequest, hop: Hop): Promise<void> {
    const to = await session.acknowledge(ack, invite, hop, false);
    const bye = session.dialog.createRequest('BYE');
    this.#digest?.apply(bye, to.peer);
    this.context.userAgent.sendOnce(bye, to);
  }

  /**
   * The answer was repeated. If the ACK went to another address than the INVITE, it may not arrive there: a callee
   * behind a translator can name an address that only its own network reaches.
   */
  async #acknowledgeAgain(session: DialogSession, ack: SipRequest, invite: SipRequest, hop: Hop): Promise<void> {
    const to = await session.acknowledge(ack, invite, hop);
    if (this.session === session) {
      this.#repeats++;
      if (this.#repeats === 1) this.#ackTo = `${hostReference(to.peer.host)}:${String(to.peer.port)}`;
    }
    if (session.dialog.hasRoutes || isSamePlace(to.peer, hop.peer)) return;
    session.dialog.isTargetLost = true;
    await session.acknowledge(ack, invite, hop);
  }

  #refused(response: SipResponse, invite: SipRequest, hop: Hop): void {
    if (this.#abandoned) {
      this.end(this.#abandoned);
      return;
    }
    if (this.state !== 'setup') return;
    const refusesKeys = KEY_REFUSALS.includes(response.status);
    const mayChange =
      (response.status === 422 && this.sessionTimer.raise(response)) ||
      this.#digest?.learn(response, invite, hop.peer) === true ||
      (refusesKeys && this.local.offerPlain());
    if (mayChange) {
      this.#forgetEarly();
      this.#sendInvite(hop);
      return;
    }
    // RFC 3263 section 4.3: 503 is as good as no response.
    if (response.status === 503 && this.#servers?.failed(hop) === true) {
      this.#callNextServer('refused with 503');
      return;
    }
    const end = refusalEnd(response);
    this.end(refusesKeys && this.local.requiresKeys ? { ...end, kind: 'noSrtp' } : end);
  }

  #cancel(): void {
    if (!this.#transaction || !this.#hop || this.#transaction.state !== 'proceeding' || this.#cancelSent) return;
    this.#cancelSent = true;
    this.context.userAgent.cancel(this.#transaction, this.#hop);
  }

  #unreachable(why: string): void {
    this.#transaction?.abandon();
    const peer = this.#hop?.peer;
    const place = peer ? ` from ${hostReference(peer.host)}:${String(peer.port)}` : '';
    this.#abandoned ??= {
      by: 'network',
      kind: 'unreachable',
      reason: why === 'no response' ? `no response${place}` : `${why}: ${place.slice(6)}`,
    };
    this.end(this.#abandoned);
  }
}
