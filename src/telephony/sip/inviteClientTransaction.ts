import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import { INVITE_WAIT, Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ClientTransaction, ClientTransactionUser, TransactionContext } from './transaction.ts';

type InviteClientState = 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

/** INVITE client transaction: RFC 3261 section 17.1.1 with the accepted state of RFC 6026 section 7.2. */
export class InviteClientTransaction implements ClientTransaction {
  readonly request: SipRequest;
  readonly #context: TransactionContext;
  readonly #user: ClientTransactionUser;
  readonly #timers: Timers;
  #state: InviteClientState = 'calling';

  constructor(request: SipRequest, context: TransactionContext, user: ClientTransactionUser) {
    this.request = request;
    this.#context = context;
    this.#user = user;
    this.#timers = new Timers(context.clock, context.onFault);
    this.#timers.start('B', TRANSACTION_TIMEOUT, () => this.#fail('timeout'));
    if (!context.reliable) this.#timers.retransmit('A', Infinity, () => context.send(request));
    context.send(request);
  }

  get state(): InviteClientState {
    return this.#state;
  }

  /** Sends nothing more but still accepts a late answer until timer B, for a caller that has stopped waiting. */
  abandon(): void {
    this.#timers.stop('A');
  }

  /** After a CANCEL, waits for the final response no longer than timer B (RFC 3261 section 9.1). */
  cancelled(): void {
    if (this.#state === 'calling' || this.#state === 'proceeding')
      this.#timers.start('B', TRANSACTION_TIMEOUT, () => this.#fail('timeout'));
  }

  receive(response: SipResponse): void {
    const { status } = response;
    if (this.#state === 'completed') {
      if (status >= 300) this.#acknowledge(response);
      return;
    }
    if (this.#state === 'terminated') return;
    if (this.#state === 'accepted') {
      // Retransmissions and other forks: the user acknowledges each (RFC 6026 section 7.2).
      if (status >= 200 && status < 300) this.#user.onResponse(response);
      return;
    }
    this.#timers.stop('A');
    if (this.#state === 'calling' || status >= 200) this.#timers.stop('B');
    if (status < 200) {
      this.#state = 'proceeding';
    } else if (status < 300) {
      this.#state = 'accepted';
      this.#timers.start('M', TRANSACTION_TIMEOUT, () => this.terminate());
    } else {
      this.#state = 'completed';
      this.#acknowledge(response);
      this.#timers.start('D', this.#context.reliable ? 0 : INVITE_WAIT, () => this.terminate());
    }
    this.#user.onResponse(response);
  }

  /** A lost connection delivers no final response either. */
  transportFailed(): void {
    if (this.#state === 'calling' || (this.#context.reliable && this.#state === 'proceeding')) this.#fail('transport');
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.stopAll();
    this.#context.onTerminated();
  }

  #fail(failure: 'timeout' | 'transport'): void {
    this.terminate();
    this.#user.onFailure(failure);
  }

  /** RFC 3261 section 17.1.1.3: the ACK of a refusal belongs to the transaction. */
  #acknowledge(response: SipResponse): void {
    this.#context.send(hopRequest(this.request, 'ACK', response.headers.get('To') ?? ''));
  }
}

/** Returns an ACK or CANCEL of `invite`: same branch and Request-URI, one Via (RFC 3261 sections 17.1.1.3 and 9.1). */
export function hopRequest(
  invite: SipRequest,
  method: 'ACK' | 'CANCEL',
  to = invite.headers.get('To') ?? '',
): SipRequest {
  const headers = new SipHeaders([
    ['Via', invite.headers.list('Via')[0] ?? ''],
    ['Max-Forwards', '70'],
    ['From', invite.headers.get('From') ?? ''],
    ['To', to],
    ['Call-ID', invite.headers.get('Call-ID') ?? ''],
    ['CSeq', `${String(cseqOf(invite).number)} ${method}`],
  ]);
  for (const route of invite.headers.all('Route')) headers.add('Route', route);
  return { kind: 'request', method, uri: invite.uri, headers, body: '' };
}
