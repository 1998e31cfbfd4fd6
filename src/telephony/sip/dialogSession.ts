import type { DigestClient } from './digest.ts';
import type { Dialog } from './dialog.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import type { OnFault } from '../fault.ts';
import type { ResponseParts } from './response.ts';
import { transferTarget } from './refer.ts';
import { SDP_TYPE } from './sdp.ts';
import { T2, Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ServerTransaction, TransactionFailure } from './transaction.ts';
import type { Hop } from './targetLookups.ts';
import type { DialogOwner, UserAgent } from './userAgent.ts';
import { ALLOW_HEADER } from './userAgent.ts';

export interface DialogSessionUser {
  readonly onBye: (request: SipRequest) => void;
  /** The peer offers new media: returns the answer, or undefined to refuse it with 488. */
  readonly onOffer: (sdp: string) => string | undefined;
  /** A re-INVITE or UPDATE was accepted. */
  readonly onRefresh: (request: SipRequest) => void;
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

/** An active dialog: answers the peer's requests within it, sends BYE and OPTIONS, repeats 2xx until the ACK. */
export class DialogSession implements DialogOwner {
  readonly dialog: Dialog;
  readonly #userAgent: UserAgent;
  readonly #hop: Hop;
  readonly #digest: DigestClient | undefined;
  readonly #user: DialogSessionUser;
  readonly #timers: Timers;
  #unacknowledged: { sequence: number; expectsAnswer: boolean } | undefined;
  #release: (() => void) | undefined;
  readonly #onAcknowledged: (() => void)[] = [];

  constructor(parts: {
    userAgent: UserAgent;
    dialog: Dialog;
    hop: Hop;
    digest: DigestClient | undefined;
    user: DialogSessionUser;
  }) {
    this.dialog = parts.dialog;
    this.#userAgent = parts.userAgent;
    this.#hop = parts.hop;
    this.#digest = parts.digest;
    this.#user = parts.user;
    this.#timers = new Timers(parts.userAgent.clock, parts.user.onFault);
    parts.userAgent.addDialog(parts.dialog, this);
  }

  /** The call is answered: its connection is kept until the session closes. */
  hold(): void {
    this.#release ??= this.#userAgent.hold(this.#hop);
  }

  /** Drops the dialog: later requests are answered with 481. */
  close(): void {
    this.#release?.();
    this.#release = undefined;
    this.#timers.stopAll();
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
      case 'OPTIONS':
        answer(200, { headers: [ALLOW_HEADER, ['Accept', SDP_TYPE]] });
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

  /** Sends a 2xx and repeats it until the ACK (RFC 3261 section 13.3.1.4). */
  accept(transaction: ServerTransaction, toTag: string, sdp: string, expectsAnswer: boolean): void {
    const parts: ResponseParts = {
      toTag,
      body: sdp,
      headers: [['Contact', this.#userAgent.contact(this.#hop.local)], ALLOW_HEADER, ['Content-Type', SDP_TYPE]],
    };
    this.#unacknowledged = { sequence: cseqOf(transaction.request).number, expectsAnswer };
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
  async send(
    method: string,
    content?: { readonly type: string; readonly body: string },
  ): Promise<SipResponse | undefined> {
    let again = true;
    for (;;) {
      const request = { ...this.dialog.createRequest(method), body: content?.body ?? '' };
      if (content) request.headers.add('Content-Type', content.type);
      const hop = await this.#userAgent.hopWithin(this.dialog, this.#hop);
      this.#digest?.apply(request, hop.peer);
      const response = await this.#exchange(request, hop);
      // A lost connection is opened again, once.
      if (response === 'transport' && again) {
        again = false;
        continue;
      }
      if (typeof response !== 'object') return undefined;
      if (this.#digest?.learn(response, request, hop.peer) !== true) return response;
    }
  }

  #exchange(request: SipRequest, hop: Hop): Promise<SipResponse | TransactionFailure> {
    return new Promise((resolve) =>
      this.#userAgent.request(request, hop, {
        onResponse: (response) => {
          if (response.status >= 200) resolve(response);
        },
        onFailure: (failure) => resolve(failure),
      }),
    );
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
      transaction.respond(500, { headers: [['Retry-After', '1']] });
      return;
    }
    const sdp = request.body === '' ? this.#user.makeOffer() : this.#user.onOffer(request.body);
    if (sdp === undefined) {
      transaction.respond(488);
      return;
    }
    this.dialog.refreshTarget(request);
    this.#user.onRefresh(request);
    this.accept(transaction, this.dialog.localTag, sdp, request.body === '');
  }

  /** RFC 3311. */
  #receiveUpdate(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#unacknowledged && request.body !== '') {
      transaction.respond(491);
      return;
    }
    const sdp = request.body === '' ? '' : this.#user.onOffer(request.body);
    if (sdp === undefined) {
      transaction.respond(488);
      return;
    }
    this.dialog.refreshTarget(request);
    this.#user.onRefresh(request);
    const headers: (readonly [string, string])[] = [
      ['Contact', this.#userAgent.contact(this.#hop.local)],
      ALLOW_HEADER,
    ];
    if (sdp !== '') headers.push(['Content-Type', SDP_TYPE]);
    transaction.respond(200, { headers, body: sdp });
  }
}
