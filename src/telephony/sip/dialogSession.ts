import type { DigestClient } from './digest.ts';
import type { Dialog } from './dialog.ts';
import { exchange } from './exchange.ts';
import type { InviteClientTransaction } from './inviteClientTransaction.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import type { OnFault } from '../fault.ts';
import { transferTarget } from './refer.ts';
import type { HeaderFields, ResponseParts } from './response.ts';
import { SDP_TYPE } from './sdp.ts';
import { intervalRefusal } from './sessionTimer.ts';
import type { SessionTimer } from './sessionTimer.ts';
import { T2, Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ServerTransaction } from './transaction.ts';
import type { Hop } from './targetLookups.ts';
import { isSamePlace, noResponse, Unreachable } from './transport.ts';
import type { DialogOwner, UserAgent } from './userAgent.ts';
import { ALLOW_HEADER, SUPPORTED_HEADER } from './userAgent.ts';

interface Content {
  readonly type: string;
  readonly body: string;
}

export interface DialogSessionUser {
  readonly onBye: (request: SipRequest) => void;
  /** The peer offers new media: returns the answer, or undefined to refuse it with 488. */
  readonly onOffer: (sdp: string) => string | undefined;
  /** Returns why the peer may not offer new media now (RFC 3311 section 5.2), if so. */
  readonly offerRefusal: () => 491 | 500 | undefined;
  /** Returns the offer in a PRACK, '' if it has none, or undefined if no response waits for it. */
  readonly onPrack: (request: SipRequest) => string | undefined;
  /** The peer requests an offer in the 2xx; its answer arrives in `onAnswer`. */
  readonly makeOffer: () => string;
  readonly onAnswer: (sdp: string) => void;
  /** The peer asked for a transfer to this URI, and was declined. */
  readonly onTransfer: (target: string) => void;
  /** A 2xx of this side was never acknowledged. */
  readonly onUnacknowledged: () => void;
  /** A timer of this dialog threw an error. */
  readonly onFault: OnFault;
}

/** Both sides kept offering at the same time this often. */
const MAX_GLARES = 5;
const RETRY_LATER: ResponseParts = { headers: [['Retry-After', '1']] };

interface DialogSessionParts {
  readonly userAgent: UserAgent;
  readonly dialog: Dialog;
  readonly hop: Hop;
  readonly digest: DigestClient | undefined;
  readonly user: DialogSessionUser;
  readonly sessionTimer: SessionTimer;
  /** What established the dialog. */
  readonly by: SipMessage;
}

/** A dialog: answers the peer's requests within it once it's open, sends its own, repeats 2xx until the ACK. */
export class DialogSession implements DialogOwner {
  readonly dialog: Dialog;
  readonly #parts: DialogSessionParts;
  readonly #userAgent: UserAgent;
  readonly #user: DialogSessionUser;
  readonly #timers: Timers;
  #lastReinvite: Promise<unknown> = Promise.resolve();
  /** An offer of this side waits for its answer. */
  #isOffering = false;
  #allowsUpdate = false;
  /** A re-INVITE that has no final response yet. */
  #open: InviteClientTransaction | undefined;
  #isClosed = false;
  #unacknowledged: { sequence: number; expectsAnswer: boolean } | undefined;
  #release: (() => void) | undefined;
  readonly #onAcknowledged: (() => void)[] = [];

  constructor(parts: DialogSessionParts) {
    this.#parts = parts;
    ({ dialog: this.dialog, userAgent: this.#userAgent, user: this.#user } = parts);
    this.#timers = new Timers(parts.userAgent.clock, parts.user.onFault);
    this.learn(parts.by);
  }

  /** Receives the peer's requests from now on. */
  open(): void {
    this.#userAgent.addDialog(this.dialog, this);
  }

  /** Reads which methods the peer allows. */
  learn({ headers }: SipMessage): void {
    if (headers.has('Allow')) this.#allowsUpdate = headers.tokens('Allow').includes('update');
  }

  /** The connection is kept until the session closes. */
  hold(): void {
    this.#release ??= this.#userAgent.hold(this.#parts.hop);
  }

  /** Drops the dialog: later requests are answered with 481. */
  close(): void {
    this.#release?.();
    this.#release = undefined;
    this.#timers.stopAll();
    this.#isClosed = true;
    // Its timer B ends it.
    this.#open?.cancelled();
    this.#userAgent.removeDialog(this.dialog);
    this.#acknowledged();
  }

  receive(request: SipRequest, transaction: ServerTransaction | undefined): void {
    if (!transaction) {
      this.#receiveAck(request);
      return;
    }
    const answer = (status: number, parts?: ResponseParts): void => {
      transaction.respond(status, parts);
    };
    if (!this.dialog.accepts(request)) {
      answer(500);
      return;
    }
    switch (request.method) {
      case 'BYE':
        answer(200);
        this.#user.onBye(request);
        return;
      case 'INVITE':
        this.#receiveReinvite(request, transaction);
        return;
      case 'UPDATE':
        this.#receiveUpdate(request, transaction);
        return;
      case 'PRACK':
        this.#receivePrack(request, transaction);
        return;
      case 'OPTIONS':
        answer(200, { headers: [ALLOW_HEADER, SUPPORTED_HEADER, ['Accept', SDP_TYPE]] });
        return;
      // RFC 6086: without a package it has no meaning, except as a keepalive.
      case 'INFO':
        answer(request.body === '' ? 200 : 415);
        return;
      case 'REFER': {
        const target = transferTarget(request);
        answer(target === undefined ? 400 : 603);
        if (target !== undefined) this.#user.onTransfer(target);
        return;
      }
      default:
        answer(405, { headers: [ALLOW_HEADER] });
    }
  }

  /**
   * Sends a 2xx and repeats it until the ACK (RFC 3261 section 13.3.1.4). `sdp` is empty if a reliable response has
   * described the media.
   */
  accept(request: SipRequest, transaction: ServerTransaction, sdp: string, expectsAnswer: boolean): void {
    const parts = { toTag: this.dialog.localTag, ...this.#acceptance(request, sdp) };
    this.#unacknowledged = { sequence: cseqOf(request).number, expectsAnswer };
    this.#timers.retransmit('2xx', T2, () => transaction.respond(200, parts));
    this.#timers.start('ack', TRANSACTION_TIMEOUT, () => {
      this.#acknowledged();
      this.#user.onUnacknowledged();
    });
    transaction.respond(200, parts);
  }

  /** Resolves once no 2xx waits for its ACK, because a callee may not send BYE earlier (RFC 3261 section 15). */
  whenAcknowledged(): Promise<void> {
    return this.#unacknowledged
      ? new Promise((resolve) => {
          this.#onAcknowledged.push(resolve);
        })
      : Promise.resolve();
  }

  /** Sends a request within the dialog and answers permitted digest challenges. Undefined without a response. */
  async send(method: string, content?: Content, headers: HeaderFields = []): Promise<SipResponse | undefined> {
    const { digest, hop } = this.#parts;
    try {
      const { response } = await exchange({
        digest,
        connect: () => this.#userAgent.hopWithin(this.dialog, hop),
        write: () => {
          const request = { ...this.dialog.createRequest(method), body: content?.body ?? '' };
          for (const [name, value] of headers) request.headers.add(name, value);
          if (content) request.headers.add('Content-Type', content.type);
          return request;
        },
        send: (request, to) => (method === 'INVITE' ? this.#invite(request, to) : this.#userAgent.request(request, to)),
      });
      return response;
    } catch (error) {
      if (error instanceof Unreachable) return undefined;
      throw error;
    }
  }

  /** Sends the ACK of a 2xx to an INVITE that went over `hop`. Returns where it went. */
  async acknowledge(ack: SipRequest, invite: SipRequest, hop: Hop, mayLookUp = true): Promise<Hop> {
    const to = await this.#userAgent.hopWithin(this.dialog, hop, mayLookUp);
    // RFC 3261 section 22.1: an ACK can't be challenged and repeats its INVITE's credentials.
    for (const header of ['Authorization', 'Proxy-Authorization']) {
      const value = invite.headers.get(header);
      if (value !== undefined && isSamePlace(to.peer, hop.peer)) ack.headers.set(header, value);
      else ack.headers.delete(header);
    }
    this.#userAgent.sendOnce(ack, to);
    return to;
  }

  /** Offers media by re-INVITE, one at a time. `offer` is written when its turn comes. Undefined without a response. */
  reinvite(offer: () => string): Promise<SipResponse | undefined> {
    const response = this.#lastReinvite.then(() => this.#reinviteUntilNoGlare(offer));
    this.#lastReinvite = response.catch(() => undefined);
    return response;
  }

  /** RFC 3261 section 14.1. */
  async #reinviteUntilNoGlare(offer: () => string): Promise<SipResponse | undefined> {
    for (let glares = 0; ; glares++) {
      await this.whenAcknowledged();
      if (this.#isClosed) return undefined;
      this.#isOffering = true;
      const response = await this.#keepSession('INVITE', { type: SDP_TYPE, body: offer() });
      this.#isOffering = false;
      if (response && response.status < 300 && response.body !== '') this.#user.onAnswer(response.body);
      if (response?.status !== 491 || glares === MAX_GLARES) return response;
      const pause = this.#parts.by.kind === 'response' ? 2100 + Math.random() * 1900 : 10 + Math.random() * 1990;
      await new Promise<void>((resolve) => this.#timers.start('glare', pause, resolve));
    }
  }

  /** Refreshes the session, by UPDATE if possible (RFC 4028 section 7.4). Undefined without a response. */
  async refresh(): Promise<SipResponse | undefined> {
    if (this.#allowsUpdate) {
      const response = await this.#keepSession('UPDATE');
      if (response?.status !== 405 && response?.status !== 501) return response;
      this.#allowsUpdate = false;
    }
    return this.reinvite(() => this.#user.makeOffer());
  }

  async #keepSession(method: string, content?: Content): Promise<SipResponse | undefined> {
    for (;;) {
      const fields = [ALLOW_HEADER, ['Supported', 'timer'] as const, ...this.#parts.sessionTimer.requestFields()];
      const response = await this.send(method, content, fields);
      if (response?.status === 422 && this.#parts.sessionTimer.raise(response)) continue;
      if (response && response.status < 300) {
        this.learn(response);
        this.dialog.refreshTarget(response);
        this.#parts.sessionTimer.start(response);
      }
      return response;
    }
  }

  /** Sends a re-INVITE, and acknowledges each copy of its 2xx. */
  #invite(invite: SipRequest, hop: Hop): Promise<SipResponse> {
    return new Promise<SipResponse>((resolve, reject) => {
      let ack: SipRequest | undefined;
      const transaction = this.#userAgent.invite(invite, hop, {
        onResponse: (response) => {
          if (response.status < 200) return;
          resolve(response);
          if (response.status >= 300) return;
          if (!ack) this.dialog.refreshTarget(response);
          ack ??= this.dialog.createRequest('ACK', cseqOf(invite).number);
          this.acknowledge(ack, invite, hop).catch(this.#user.onFault);
        },
        onLost: reject,
      });
      this.#open = transaction;
      this.#timers.start('reinvite', TRANSACTION_TIMEOUT, () => {
        if (transaction.state === 'proceeding') this.#userAgent.cancel(transaction, hop);
        reject(noResponse());
      });
    }).finally(() => {
      this.#open = undefined;
      this.#timers.stop('reinvite');
    });
  }

  #receiveAck(ack: SipRequest): void {
    const waiting = this.#unacknowledged;
    if (waiting?.sequence !== cseqOf(ack).number) return;
    this.#acknowledged();
    if (waiting.expectsAnswer) this.#user.onAnswer(ack.body);
  }

  #acknowledged(): void {
    this.#unacknowledged = undefined;
    this.#timers.stop('2xx');
    this.#timers.stop('ack');
    for (const resolve of this.#onAcknowledged.splice(0)) resolve();
  }

  /** RFC 3261 section 14.2. */
  #receiveReinvite(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#unacknowledged) {
      transaction.respond(500, RETRY_LATER);
      return;
    }
    if (this.#isOffering) {
      transaction.respond(491);
      return;
    }
    const sdp = this.#describe(request, transaction, () => this.#user.makeOffer());
    if (sdp !== undefined) this.accept(request, transaction, sdp, request.body === '');
  }

  /** RFC 3311. */
  #receiveUpdate(request: SipRequest, transaction: ServerTransaction): void {
    const refusal = this.#unacknowledged || this.#isOffering ? 491 : this.#user.offerRefusal();
    if (refusal !== undefined && request.body !== '') {
      transaction.respond(refusal, refusal === 500 ? RETRY_LATER : {});
      return;
    }
    const sdp = this.#describe(request, transaction, () => '');
    if (sdp !== undefined) transaction.respond(200, this.#acceptance(request, sdp));
  }

  /** RFC 3262 section 5: it can have an offer. */
  #receivePrack(request: SipRequest, transaction: ServerTransaction): void {
    const offer = this.#user.onPrack(request);
    const sdp = offer === '' || offer === undefined ? '' : this.#user.onOffer(offer);
    if (offer === undefined) transaction.respond(481);
    else if (sdp === undefined) transaction.respond(488);
    else transaction.respond(200, sdp === '' ? {} : { headers: [['Content-Type', SDP_TYPE]], body: sdp });
  }

  /** Returns the description for the 2xx, or undefined if the request was refused. */
  #describe(request: SipRequest, transaction: ServerTransaction, otherwise: () => string): string | undefined {
    const shortest = intervalRefusal(request);
    if (shortest) {
      transaction.respond(422, { headers: shortest });
      return undefined;
    }
    const sdp = request.body === '' ? otherwise() : this.#user.onOffer(request.body);
    if (sdp === undefined) transaction.respond(488);
    else this.dialog.refreshTarget(request);
    return sdp;
  }

  /** The 2xx to an INVITE or UPDATE. */
  #acceptance(request: SipRequest, sdp: string): ResponseParts {
    const headers: (readonly [string, string])[] = [
      ['Contact', this.#userAgent.contact(this.#parts.hop.local)],
      ALLOW_HEADER,
      SUPPORTED_HEADER,
      ...this.#parts.sessionTimer.accept(request),
    ];
    if (sdp !== '') headers.push(['Content-Type', SDP_TYPE]);
    return { headers, body: sdp };
  }
}
