import type { SipRequest, SipResponse } from './message.ts';
import type { ResponseParts } from './response.ts';
import { createResponse } from './response.ts';
import { Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ServerTransaction, TransactionContext } from './transaction.ts';

type NonInviteServerState = 'trying' | 'proceeding' | 'completed' | 'terminated';

/** Non-INVITE server transaction: RFC 3261 section 17.2.2. */
export class NonInviteServerTransaction implements ServerTransaction {
  readonly request: SipRequest;
  readonly #context: TransactionContext;
  readonly #timers: Timers;
  #state: NonInviteServerState = 'trying';
  #last: SipResponse | undefined;

  constructor(request: SipRequest, context: TransactionContext) {
    this.request = request;
    this.#context = context;
    this.#timers = new Timers(context.clock, context.onFault);
  }

  get state(): NonInviteServerState {
    return this.#state;
  }
  get lastStatus(): number | undefined {
    return this.#last?.status;
  }

  receive(): void {
    if (this.#last && this.#state !== 'terminated') this.#context.send(this.#last);
  }

  respond(status: number, parts?: ResponseParts): void {
    if (this.#state === 'completed' || this.#state === 'terminated') return;
    const response = createResponse(this.request, status, parts);
    this.#last = response;
    this.#context.send(response);
    if (status < 200) {
      this.#state = 'proceeding';
      return;
    }
    this.#state = 'completed';
    this.#timers.start('J', this.#context.reliable ? 0 : TRANSACTION_TIMEOUT, () => this.terminate());
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.stopAll();
    this.#context.onTerminated();
  }
}
