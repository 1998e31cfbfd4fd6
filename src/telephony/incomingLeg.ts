import type { CallEnd, IncomingCallLeg, MediaOptions } from './call.ts';
import type { LegContext } from './leg.ts';
import { Leg } from './leg.ts';
import type { Dialog } from './sip/dialog.ts';
import { DialogSession } from './sip/dialogSession.ts';
import type { DialogSessionUser } from './sip/dialogSession.ts';
import type { SipRequest } from './sip/message.ts';
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
  readonly #transaction: ServerTransaction;
  readonly #dialog: Dialog;
  readonly #hop: Hop;
  readonly #session: DialogSession;
  /** The INVITE's offer; empty if this side offers in the 200. */
  readonly #offer: string;
  #answer: string | undefined;

  constructor(context: LegContext, transaction: ServerTransaction, offer: string, dialog: Dialog, hop: Hop) {
    const { request } = transaction;
    super(context, {
      remoteUri: parseNameAddress(request.headers.get('From') ?? '')?.uri ?? '',
      requestUri: request.uri,
      callId: request.headers.get('Call-ID') ?? '',
    });
    this.#offer = offer;
    this.#transaction = transaction;
    this.#dialog = dialog;
    this.#hop = hop;
    this.media.isUnproven = true;
    this.#session = new DialogSession({
      userAgent: context.userAgent,
      dialog,
      hop,
      digest: undefined,
      user: this.#earlyUser(),
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
    if (this.state !== 'setup') return;
    const sdp = status === 183 ? this.#describe() : undefined;
    const headers: (readonly [string, string])[] = [
      ['Contact', this.context.userAgent.contact(this.#hop.local)],
      ALLOW_HEADER,
    ];
    if (sdp !== undefined) headers.push(['Content-Type', SDP_TYPE]);
    this.#transaction.respond(status, { toTag: this.#dialog.localTag, headers, body: sdp ?? '' });
  }

  answer({ impairRtp }: MediaOptions = {}): void {
    if (this.state !== 'setup') return;
    this.media.impair = impairRtp;
    const sdp = this.#describe() ?? this.local.offer();
    this.timers.stop('undecided');
    this.#session.accept(this.#transaction, this.#dialog.localTag, sdp, this.#offer === '');
    // The ACK contains the tag of this side's answer, which only reached the address that the INVITE claims as its
    // source.
    this.inBackground(
      this.#session.whenAcknowledged().then(() => {
        this.media.isUnproven = false;
      }),
    );
    this.startSession(this.#transaction.request);
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
      onOffer: (sdp) => (this.state === 'answered' ? user.onOffer(sdp) : undefined),
    };
  }
}
