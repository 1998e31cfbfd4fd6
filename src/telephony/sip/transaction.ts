import type { Clock } from '../clock.ts';
import type { SipRequest, SipResponse } from './message.ts';

/** What every state machine of RFC 3261 section 17 needs of its surroundings. */
export interface TransactionContext {
  readonly clock: Clock;
  readonly reliable: boolean;
  /** Puts a message on the wire to this transaction's peer. */
  readonly send: (message: SipRequest | SipResponse) => void;
  readonly onTerminated: () => void;
}

export type TransactionFailure = 'timeout' | 'transport';

export interface ClientTransactionUser {
  readonly onResponse: (response: SipResponse) => void;
  readonly onFailure: (failure: TransactionFailure) => void;
}

export interface ClientTransaction {
  readonly request: SipRequest;
  receive(response: SipResponse): void;
  transportFailed(): void;
  /** Stops at once, without a word to the user. */
  terminate(): void;
}

export interface ServerTransaction {
  readonly request: SipRequest;
  /** The last response sent, if any. */
  readonly lastStatus: number | undefined;
  /** A retransmission of the request, or the ACK of a refused INVITE. */
  receive(request: SipRequest): void;
  respond(response: SipResponse): void;
  terminate(): void;
}
