import type { CallEnd, IncomingCallLeg, MediaOptions, SrtpPolicy } from './call.ts';
import type { LegContext } from './leg.ts';
import { Leg } from './leg.ts';
import type { Dialog } from './sip/dialog.ts';
import { DialogSession } from './sip/dialogSession.ts';
import type { DialogSessionUser } from './sip/dialogSession.ts';
import type { SipRequest } from './sip/message.ts';
import { ReliableResponses } from './sip/reliableResponses.ts';
import { SDP_TYPE } from './sip/sdp.ts';
import type { ServerTransaction } from './sip/transaction.ts';
import { parseNameAddress } from './sip/uri.ts';
import { ALLOW_HEADER } from './sip/userAgent.ts';
import type { Hop } from './sip/targetLookups.ts';
import { parseReason } from './sip/reason.ts';

/** An INVITE without a decision is refused after this time. */
const UNDECIDED_MS = 180_000;

/** An inbound call (RFC 3261 section 13.3). */
export class IncomingLeg extends Leg implements IncomingCallLeg {
  readonly direction = 'incoming';
  readonly line: string | undefined;
  readonly peerHost: string;
  readonly #transaction: ServerTransaction;
  readonly #dialog: Dialog;
  readonly #hop: Hop;
  readonly #session: DialogSession;
  /** The INVITE's offer; empty if this side offers in the 200. */
  readonly #offer: string;
  #answer: string | undefined;
  readonly #reliable: ReliableResponses;
  /** What the last reliable response with a description was; then its PRACK came. */
  #early: 'offer' | 'answer' | 'acknowledged' | undefined;
  /** The decision to answer waits for a PRACK (RFC 3262 section 3). */
  #decided: MediaOptions | undefined;

  constructor(
    context: LegContext,
    {
      transaction,
      offer,
      dialog,
      hop,
      called,
    }: {
      readonly transaction: ServerTransaction;
      readonly offer: string;
      readonly dialog: Dialog;
      readonly hop: Hop;
      readonly called: { readonly line: string; readonly srtp: SrtpPolicy | undefined } | undefined;
    },
  ) {
    const { request } = transaction;
    super(context, {
      remoteUri: parseNameAddress(request.headers.get('From') ?? '')?.uri ?? '',
      requestUri: request.uri,
      callId: request.headers.get('Call-ID') ?? '',
    });
    this.line = called?.line;
    this.peerHost = hop.peer.host;
    this.#offer = offer;
    this.#transaction = transaction;
    this.#dialog = dialog;
    this.#hop = hop;
    this.media.isUnproven = true;
    const srtp = called?.srtp ?? context.srtp;
    this.local.secure(srtp, srtp === 'require');
    this.#session = new DialogSession({
      userAgent: context.userAgent,
      dialog,
      hop,
      digest: undefined,
      user: this.#earlyUser(),
      sessionTimer: this.sessionTimer,
      by: request,
    });
    this.#session.open();
    this.#reliable = new ReliableResponses(transaction, this.timers, () => {
      this.#refuse(504);
      this.end({ by: 'local', kind: 'protocol', status: 504, reason: 'the caller never acknowledged the ringing' });
    });
    context.userAgent.onCancel(transaction, (cancel) => this.#cancelled(cancel));
    this.timers.start('undecided', UNDECIDED_MS, () => this.reject(480));
  }

  /** Opens the media socket; afterwards the leg can be answered. Ends the leg with 500 if there is none available. */
  async prepare(): Promise<boolean> {
    try {
      await this.media.open({ peerHost: this.#hop.peer.host, stunServer: this.#hop.stunServer });
    } catch (error) {
      this.#refuse(500);
      this.end({
        by: 'local',
        kind: 'protocol',
        status: 500,
        reason: error instanceof Error ? error.message : String(error),
      });
      return false;
    }
    this.local.place(this.#hop.local.host, this.#hop.peer.host);
    return this.state === 'setup';
  }

  ring(status: 180 | 183 = 180): void {
    if (this.state !== 'setup' || this.#reliable.isWaiting) return;
    const mustBeReliable = this.#invites('Require');
    let sdp = status === 183 ? this.#describe() : undefined;
    if (mustBeReliable && this.#offer === '' && this.#early === undefined) {
      // RFC 3262 section 5: the first reliable response has the offer that the INVITE doesn't have.
      sdp = this.local.offer();
    }
    const headers: (readonly [string, string])[] = [
      ['Contact', this.context.userAgent.contact(this.#hop.local)],
      ALLOW_HEADER,
    ];
    if (sdp !== undefined) headers.push(['Content-Type', SDP_TYPE]);
    const parts = { toTag: this.#dialog.localTag, headers, body: sdp ?? '' };
    if (!mustBeReliable && (sdp === undefined || !this.#invites('Supported'))) {
      this.#transaction.respond(status, parts);
      return;
    }
    if (sdp !== undefined) this.#early ??= this.#offer === '' ? 'offer' : 'answer';
    this.#reliable.send(status, parts);
  }

  answer(media: MediaOptions = {}): void {
    if (this.state !== 'setup') return;
    this.media.impair = media.impairRtp;
    this.timers.stop('undecided');
    if (this.#reliable.isWaiting) {
      this.#decided = media;
      return;
    }
    const isDescribed = this.#early !== undefined;
    const sdp = isDescribed ? '' : (this.#describe() ?? this.local.offer());
    this.#session.accept(this.#transaction.request, this.#transaction, sdp, this.#offer === '' && !isDescribed);
    // The ACK contains the tag of this side's answer, which only reached the address that the INVITE claims as its
    // source.
    this.inBackground(
      this.#session.whenAcknowledged().then(() => {
        this.media.isUnproven = false;
      }),
    );
    this.answered(this.#session);
  }

  reject(status: number, reason?: string): void {
    if (this.state !== 'setup') return;
    const final = Number.isInteger(status) && status >= 300 && status < 700 ? status : 603;
    this.#refuse(final, reason);
    this.end({
      by: 'local',
      kind: final === 486 || final === 600 ? 'busy' : 'rejected',
      status: final,
      reason: reason ?? 'rejected',
    });
  }

  protected abandonSetup(end: CallEnd): void {
    const status = end.kind === 'internal' ? 500 : 603;
    this.#refuse(status);
    this.end({ ...end, status, ...(end.kind === 'cancelled' && { kind: 'rejected', reason: 'declined' }) });
  }

  protected override end(end: CallEnd): void {
    super.end(end);
    this.#session.close();
  }

  /** Returns the answer to the caller's offer, the same in 183 and 200. */
  #describe(): string | undefined {
    if (this.#offer !== '') this.#answer ??= this.local.answer(this.#offer);
    return this.#answer;
  }

  #invites(header: 'Require' | 'Supported'): boolean {
    return this.#transaction.request.headers.tokens(header).includes('100rel');
  }

  /** Returns the offer in it. */
  #acknowledged(prack: SipRequest): string | undefined {
    if (!this.#reliable.acknowledge(prack)) return undefined;
    // Only the address that received the RSeq knows it.
    this.media.isUnproven = false;
    const isAnswer = this.#early === 'offer';
    if (this.#early) this.#early = 'acknowledged';
    if (isAnswer && !this.local.accept(prack.body)) this.giveUp('the caller’s answer has no usable audio');
    // After the response to the PRACK.
    this.inBackground(
      Promise.resolve().then(() => {
        if (this.#decided) this.answer(this.#decided);
      }),
    );
    return isAnswer ? '' : prack.body;
  }

  #refuse(status: number, reason?: string): void {
    this.#transaction.respond(status, { toTag: this.#dialog.localTag, reason });
  }

  #cancelled(cancel: SipRequest): void {
    if (this.state !== 'setup') return;
    const { q850, text } = parseReason(cancel);
    this.#refuse(487);
    this.end({
      by: 'remote',
      kind: 'cancelled',
      reason: text ?? 'the caller hung up before the answer',
      ...(q850 === undefined ? {} : { q850 }),
    });
  }

  /** RFC 3261 section 15: a caller can also end its early dialog with BYE. */
  #earlyUser(): DialogSessionUser {
    const user = this.dialogUser();
    return {
      ...user,
      onBye: (request) => {
        if (this.state === 'setup') this.#cancelled(request);
        else user.onBye(request);
      },
      // The offer of the INVITE is still open.
      offerRefusal: () => (this.state === 'answered' || this.#early === 'acknowledged' ? undefined : 500),
      onPrack: (request) => this.#acknowledged(request),
    };
  }
}
