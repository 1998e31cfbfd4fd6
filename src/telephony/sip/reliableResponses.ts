import { randomInt } from 'node:crypto';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import type { ResponseParts } from './response.ts';
import type { Timers } from './timers.ts';
import { TRANSACTION_TIMEOUT } from './timers.ts';
import type { ServerTransaction } from './transaction.ts';

/** Sends the reliable provisional responses of one INVITE, one at a time (RFC 3262 section 3). */
export class ReliableResponses {
  readonly #transaction: ServerTransaction;
  readonly #timers: Timers;
  readonly #onLost: () => void;
  #number = randomInt(1, 2 ** 30);
  #isWaiting = false;

  /** `timers`: those of the call. `onLost`: no PRACK came. */
  constructor(transaction: ServerTransaction, timers: Timers, onLost: () => void) {
    this.#transaction = transaction;
    this.#timers = timers;
    this.#onLost = onLost;
  }

  /** The last response waits for its PRACK, so another one can't be sent yet. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  send(status: number, parts: ResponseParts): void {
    const headers = [...(parts.headers ?? []), ['Require', '100rel'], ['RSeq', String(this.#number)]] as const;
    const send = (): void => this.#transaction.respond(status, { ...parts, headers });
    this.#isWaiting = true;
    this.#timers.retransmit('1xx', Infinity, send);
    this.#timers.start('prack', TRANSACTION_TIMEOUT, this.#onLost);
    send();
  }

  /** Returns false if the PRACK doesn't belong to the response that waits for one. */
  acknowledge(prack: SipRequest): boolean {
    const [number, sequence, method] = (prack.headers.get('RAck') ?? '').split(/\s+/);
    const isMatch =
      this.#isWaiting &&
      Number(number) === this.#number &&
      Number(sequence) === cseqOf(this.#transaction.request).number &&
      method === 'INVITE';
    if (!isMatch) return false;
    this.#isWaiting = false;
    this.#number++;
    this.#timers.stop('1xx');
    this.#timers.stop('prack');
    return true;
  }
}

/** Returns the RSeq of a response that needs a PRACK. */
export function reliableNumber({ headers }: SipResponse): number | undefined {
  const number = Number(headers.get('RSeq'));
  return headers.tokens('Require').includes('100rel') && Number.isInteger(number) && number > 0 ? number : undefined;
}
