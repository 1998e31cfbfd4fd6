import type { Clock } from '../../base/clock.ts';
import type { OnFault } from '../fault.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { ResponseParts } from './response.ts';

/** The environment of every state machine of RFC 3261 section 17. */
export interface TransactionContext {
  readonly clock: Clock;
  readonly reliable: boolean;
  /** Sends a message to this transaction's peer. */
  readonly send: (message: SipRequest | SipResponse) => void;
  readonly onTerminated: () => void;
  /** A timer of this transaction threw an error. */
  readonly onFault: OnFault;
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
  /** Stops immediately, without notifying the user. */
  terminate(): void;
}

export interface ServerTransaction {
  /** What a response needs of the request (`copyEssentials`), without its body. */
  readonly request: SipRequest;
  /** The last response sent, if any. */
  readonly lastStatus: number | undefined;
  /** A retransmission of the request, or the ACK of a refused INVITE. */
  receive(request: SipRequest): void;
  respond(status: number, parts?: ResponseParts): void;
  terminate(): void;
}
