import { acknowledge } from './acknowledge.ts';
import type { Dialog } from './dialog.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import type { Hop } from './targetLookups.ts';
import type { Timers } from './timers.ts';
import { TRANSACTION_TIMEOUT } from './timers.ts';
import type { TransactionFailure } from './transaction.ts';
import type { UserAgent } from './userAgent.ts';

interface ReinviteParts {
  readonly userAgent: UserAgent;
  readonly dialog: Dialog;
  readonly hop: Hop;
  /** Those of the dialog. */
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** Sends a re-INVITE, and acknowledges each copy of its 2xx. Returns the final response, or why there is none. */
export function sendReinvite(
  request: SipRequest,
  { userAgent, dialog, hop, timers, onError }: ReinviteParts,
): Promise<SipResponse | TransactionFailure> {
  return new Promise((resolve) => {
    let ack: SipRequest | undefined;
    const finish = (result: SipResponse | TransactionFailure): void => {
      timers.stop('reinvite');
      resolve(result);
    };
    const transaction = userAgent.invite(request, hop, {
      onResponse: (response) => {
        if (response.status < 200) return;
        if (response.status < 300) {
          if (!ack) dialog.refreshTarget(response);
          ack ??= dialog.createRequest('ACK', cseqOf(request).number);
          acknowledge(userAgent, { ack, invite: request, dialog, hop }).catch(onError);
        }
        finish(response);
      },
      onFailure: finish,
    });
    timers.start('reinvite', TRANSACTION_TIMEOUT, () => {
      if (transaction.state === 'proceeding') userAgent.cancel(transaction, hop);
      finish('timeout');
    });
  });
}
