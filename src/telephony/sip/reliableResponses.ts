import { randomInt } from 'node:crypto';
import type { OnFault } from '../fault.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf } from './message.ts';
import type { ResponseParts } from './response.ts';
import { Timers, TRANSACTION_TIMEOUT } from './timers.ts';
import type { ServerTransaction } from './transaction.ts';
import type { UserAgent } from './userAgent.ts';

interface ReliableResponse {
  readonly status: number;
  readonly parts: ResponseParts;
  readonly number: number;
}

/** Sends the reliable provisional responses of one INVITE, one at a time (RFC 3262 section 3). */
export class ReliableResponses {
  readonly #transaction: ServerTransaction;
  readonly #timers: Timers;
  readonly #onLost: () => void;
  #number = randomInt(1, 2 ** 30);
  /** The first one waits for its PRACK. */
  readonly #waiting: ReliableResponse[] = [];

  /** `onLost`: no PRACK came. */
  constructor(transaction: ServerTransaction, { clock }: UserAgent, onLost: () => void, onFault: OnFault) {
    this.#transaction = transaction;
    this.#timers = new Timers(clock, onFault);
    this.#onLost = onLost;
  }

  /** A description waits for its PRACK, so the INVITE can't be accepted yet. */
  get isDescribing(): boolean {
    return this.#waiting.some(({ parts }) => (parts.body ?? '') !== '');
  }

  send(status: number, parts: ResponseParts): void {
    const number = this.#number++;
    const headers = [...(parts.headers ?? []), ['Require', '100rel'], ['RSeq', String(number)]] as const;
    this.#waiting.push({ status, parts: { ...parts, headers }, number });
    if (this.#waiting.length === 1) this.#begin();
  }

  /** Returns false if the PRACK doesn't belong to the response that waits for one. */
  acknowledge(prack: SipRequest): boolean {
    const [number, sequence, method] = (prack.headers.get('RAck') ?? '').split(/\s+/);
    const isMatch =
      Number(number) === this.#waiting[0]?.number &&
      Number(sequence) === cseqOf(this.#transaction.request).number &&
      method === 'INVITE';
    if (!isMatch) return false;
    this.#waiting.shift();
    this.#timers.stopAll();
    this.#begin();
    return true;
  }

  stop(): void {
    this.#timers.stopAll();
    this.#waiting.length = 0;
  }

  #begin(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const send = (): void => this.#transaction.respond(first.status, first.parts);
    this.#timers.retransmit('1xx', Infinity, send);
    this.#timers.start('prack', TRANSACTION_TIMEOUT, () => {
      this.stop();
      this.#onLost();
    });
    send();
  }
}

/** Returns the RSeq of a response that needs a PRACK. */
export function reliableNumber({ headers }: SipResponse): number | undefined {
  const number = Number(headers.get('RSeq'));
  return headers.tokens('Require').includes('100rel') && Number.isInteger(number) && number > 0 ? number : undefined;
}
