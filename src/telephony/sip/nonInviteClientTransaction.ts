import type { SipRequest, SipResponse } from './message.ts';
import { T2, T4, Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ClientTransaction, ClientTransactionUser, TransactionContext } from './transaction.ts';

type NonInviteClientState = 'trying' | 'proceeding' | 'completed' | 'terminated';

/** Non-INVITE client transaction: RFC 3261 section 17.1.2. */
export class NonInviteClientTransaction implements ClientTransaction {
  readonly request: SipRequest;
  readonly #context: TransactionContext;
  readonly #user: ClientTransactionUser;
  readonly #timers: Timers;
  #state: NonInviteClientState = 'trying';

  constructor(request: SipRequest, context: TransactionContext, user: ClientTransactionUser) {
    this.request = request;
    this.#context = context;
    this.#user = user;
    this.#timers = new Timers(context.clock, context.onFault);
    this.#timers.start('F', TRANSACTION_TIMEOUT, () => this.#fail('timeout'));
    if (!context.reliable) this.#timers.retransmit('E', T2, () => context.send(request));
    context.send(request);
  }

  get state(): NonInviteClientState {
    return this.#state;
  }

  receive(response: SipResponse): void {
    if (this.#state === 'completed' || this.#state === 'terminated') return;
    if (response.status < 200) {
      if (this.#state === 'trying' && !this.#context.reliable) this.#slowDown();
      this.#state = 'proceeding';
    } else {
      this.#state = 'completed';
      this.#timers.stopAll();
      this.#timers.start('K', this.#context.reliable ? 0 : T4, () => this.terminate());
    }
    this.#user.onResponse(response);
  }

  transportFailed(): void {
    if (this.#state === 'trying' || this.#state === 'proceeding') this.#fail('transport');
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.stopAll();
    this.#context.onTerminated();
  }

  /** In the proceeding state timer E runs every T2. */
  #slowDown(): void {
    this.#timers.start('E', T2, () => {
      this.#slowDown();
      this.#context.send(this.request);
    });
  }

  #fail(failure: 'timeout' | 'transport'): void {
    this.terminate();
    this.#user.onFailure(failure);
  }
}
