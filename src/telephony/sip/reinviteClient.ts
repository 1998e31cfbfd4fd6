import { acknowledge } from './acknowledge.ts';
import type { DigestClient } from './digest.ts';
import type { Dialog } from './dialog.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import type { HeaderFields } from './response.ts';
import { SDP_TYPE } from './sdp.ts';
import type { Hop } from './targetLookups.ts';
import type { Timers } from './timers.ts';
import { TRANSACTION_TIMEOUT } from './timers.ts';
import type { UserAgent } from './userAgent.ts';

/** Both sides kept offering at the same time this often. */
const MAX_GLARES = 5;

interface ReinviteParts {
  readonly userAgent: UserAgent;
  readonly dialog: Dialog;
  readonly hop: Hop;
  readonly digest: DigestClient | undefined;
  /** Those of the dialog. */
  readonly timers: Timers;
  /** The Call-ID is this side's. */
  readonly isCaller: boolean;
  /** Resolves if no INVITE of the peer is open. */
  readonly whenFree: () => Promise<void>;
  readonly onAnswer: (sdp: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Sends re-INVITEs, one at a time (RFC 3261 section 14.1). */
export class ReinviteClient {
  readonly #parts: ReinviteParts;
  #last: Promise<unknown> = Promise.resolve();
  #isPending = false;

  constructor(parts: ReinviteParts) {
    this.#parts = parts;
  }

  /** An offer of this side waits for its answer. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** Returns the final response, or undefined without one. `offer` is written when its turn comes. */
  send(offer: () => string, headers: HeaderFields): Promise<SipResponse | undefined> {
    const response = this.#last.then(() => this.#sendUntilNoGlare(offer, headers));
    this.#last = response.catch(() => undefined);
    return response;
  }

  async #sendUntilNoGlare(offer: () => string, headers: HeaderFields): Promise<SipResponse | undefined> {
    const { whenFree, timers, isCaller } = this.#parts;
    for (let glares = 0; ; glares++) {
      await whenFree();
      const response = await this.#sendWithCredentials(offer(), headers);
      if (response?.status !== 491 || glares === MAX_GLARES) return response;
      const pause = isCaller ? 2100 + Math.random() * 1900 : 10 + Math.random() * 1990;
      await new Promise<void>((resolve) => timers.start('glare', pause, resolve));
    }
  }

  async #sendWithCredentials(body: string, headers: HeaderFields): Promise<SipResponse | undefined> {
    const { userAgent, dialog, hop, digest } = this.#parts;
    for (;;) {
      const request = { ...dialog.createRequest('INVITE'), body };
      for (const [name, value] of [...headers, ['Content-Type', SDP_TYPE] as const]) request.headers.add(name, value);
      const to = await userAgent.hopWithin(dialog, hop);
      digest?.apply(request, to.peer);
      this.#isPending = true;
      const response = await this.#exchange(request, to);
      this.#isPending = false;
      if (response && digest?.learn(response, request, to.peer) === true) continue;
      return response;
    }
  }

  #exchange(request: SipRequest, hop: Hop): Promise<SipResponse | undefined> {
    const { userAgent, dialog, timers, onAnswer, onError } = this.#parts;
    return new Promise((resolve) => {
      let ack: SipRequest | undefined;
      const finish = (response?: SipResponse): void => {
        timers.stop('reinvite');
        resolve(response);
      };
      const transaction = userAgent.invite(request, hop, {
        onResponse: (response) => {
          if (response.status < 200) return;
          if (response.status < 300) {
            const isFirst = ack === undefined;
            if (isFirst) dialog.refreshTarget(response);
            ack ??= dialog.createRequest('ACK', cseqOf(request).number);
            acknowledge(userAgent, { ack, invite: request, dialog, hop }).catch(onError);
            if (isFirst && response.body !== '') onAnswer(response.body);
          }
          finish(response);
        },
        onFailure: () => finish(),
      });
      timers.start('reinvite', TRANSACTION_TIMEOUT, () => {
        if (transaction.state === 'proceeding') userAgent.cancel(transaction, hop);
        finish();
      });
    });
  }
}
