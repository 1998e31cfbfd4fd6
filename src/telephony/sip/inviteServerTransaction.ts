import type { SipRequest, SipResponse } from './message.ts';
import type { ResponseParts } from './response.ts';
import { createResponse } from './response.ts';
import { T2, T4, Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ServerTransaction, TransactionContext } from './transaction.ts';

type InviteServerState = 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

/** A user that takes longer than this to respond lets the transaction send 100 (RFC 3261 section 17.2.1). */
const TRYING_DELAY_MS = 200;

/** INVITE server transaction: RFC 3261 section 17.2.1 with the accepted state of RFC 6026 section 7.1. */
export class InviteServerTransaction implements ServerTransaction {
  readonly request: SipRequest;
  readonly #context: TransactionContext;
  readonly #timers: Timers;
  #state: InviteServerState = 'proceeding';
  #last: SipResponse | undefined;

  constructor(request: SipRequest, context: TransactionContext) {
    this.request = request;
    this.#context = context;
    this.#timers = new Timers(context.clock, context.onFault);
    this.#timers.start('trying', TRYING_DELAY_MS, () => this.respond(100));
  }

  get state(): InviteServerState {
    return this.#state;
  }
  get lastStatus(): number | undefined {
    return this.#last?.status;
  }

  receive(request: SipRequest): void {
    if (request.method === 'ACK') {
      if (this.#state !== 'completed') return;
      this.#state = 'confirmed';
      this.#timers.stopAll();
      this.#timers.start('I', this.#context.reliable ? 0 : T4, () => this.terminate());
    } else if (this.#last && (this.#state === 'proceeding' || this.#state === 'completed')) {
      this.#context.send(this.#last);
    }
  }

  respond(status: number, parts?: ResponseParts): void {
    const response = createResponse(this.request, status, parts);
    const success = status >= 200 && status < 300;
    // The user itself repeats its 2xx until the ACK (RFC 3261 section 13.3.1.4).
    if (this.#state === 'accepted' && success) {
      this.#context.send(response);
      return;
    }
    if (this.#state !== 'proceeding') return;
    this.#timers.stop('trying');
    this.#last = response;
    this.#context.send(response);
    if (status < 200) return;
    if (success) {
      this.#state = 'accepted';
      this.#timers.start('L', TRANSACTION_TIMEOUT, () => this.terminate());
      return;
    }
    this.#state = 'completed';
    this.#timers.start('H', TRANSACTION_TIMEOUT, () => this.terminate());
    if (!this.#context.reliable) this.#timers.retransmit('G', T2, () => this.#context.send(response));
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.stopAll();
    this.#context.onTerminated();
  }
}
