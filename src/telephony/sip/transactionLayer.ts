import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { InviteClientTransaction } from './inviteClientTransaction.ts';
import { InviteServerTransaction } from './inviteServerTransaction.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { cseqOf, copyEssentials, parseMessage, serialiseMessage, sizeOf, tagOf, topVia } from './message.ts';
import { NonInviteClientTransaction } from './nonInviteClientTransaction.ts';
import { NonInviteServerTransaction } from './nonInviteServerTransaction.ts';
import type { Refusal, ResponseParts } from './response.ts';
import { createResponse } from './response.ts';
import { MAX_SDP_CHARACTERS } from './sdp.ts';
import type { ClientTransaction, ClientTransactionUser, ServerTransaction, TransactionContext } from './transaction.ts';
import { isSamePeer } from './transport.ts';
import type { SipLocal, SipPeer, SipTransport } from './transport.ts';
import { isPort } from './uri.ts';
import type { Via } from './via.ts';
import { DEFAULT_SIP_PORT, formatVia, MAGIC_COOKIE, responsePeer, stampVia } from './via.ts';

/** The two ways to answer a request that doesn't belong to a transaction yet. */
export interface Answering {
  /** Answers and drops it. A repeated request gets the same response, including the To tag (RFC 3261 section 8.2.7). */
  readonly answer: (status: number, parts?: ResponseParts) => void;
  /** Stores it. Undefined if it was refused here: 482 as merged, 503 if too much is stored already. */
  readonly begin: () => ServerTransaction | undefined;
}

interface TransactionLayerUser {
  /** A new request. ACK comes without `answering`. */
  readonly onRequest: (request: SipRequest, from: SipPeer, answering: Answering | undefined) => void;
  /** Every message, for traces. */
  readonly onWire: (direction: 'sent' | 'received', peer: SipPeer, message: SipMessage, datagram: Uint8Array) => void;
  /** Handling a message with this Call-ID, or a timer of its transaction, threw an error. */
  readonly onFault: (error: unknown, callId: string | undefined) => void;
}

/** Limit of server transactions: many times what 50 new calls per second need. More are answered with 503. */
const MAX_SERVER_TRANSACTIONS = 20_000;
const MAX_SERVER_CHARACTERS = 24 * 1024 * 1024;
/** Requests outside dialogs get only this share, so that calls can still be hung up during a flood of them. */
const SHARE_OF_STRANGERS = 0.75;
/** The size of a transaction in addition to the request: its own state and the response. */
const TRANSACTION_CHARACTERS = 2048;
const RETRY_AFTER_SECONDS = 5;

/** Matches messages with transactions (RFC 3261 sections 17.1.3, 17.2.3, 18). */
export class TransactionLayer {
  readonly #transport: SipTransport;
  readonly #clock: Clock;
  readonly #user: TransactionLayerUser;
  readonly #clients = new Map<string, { transaction: ClientTransaction; peer: SipPeer }>();
  readonly #servers = new Map<string, ServerTransaction>();
  /** Server transactions of requests outside dialogs, by what a fork of the same request shares. */
  readonly #merges = new Map<string, ServerTransaction>();
  readonly #tagSecret = randomBytes(16);
  #serverCharacters = 0;
  #isClosed = false;

  constructor(transport: SipTransport, clock: Clock, user: TransactionLayerUser) {
    this.#transport = transport;
    this.#clock = clock;
    this.#user = user;
    transport.listen({
      // A datagram from port 0 has no sender that could be answered.
      onMessage: (datagram, from) => {
        if (isPort(from.port)) this.#receive(datagram, from);
      },
      onFailure: (peer) => this.#failed(peer),
    });
  }

  /** Adds a new Via to `request` and starts its client transaction. `local` is the address for the peer's response. */
  startInvite(
    request: SipRequest,
    peer: SipPeer,
    local: SipLocal,
    user: ClientTransactionUser,
  ): InviteClientTransaction {
    const { key, context } = this.#prepare(request, peer, local);
    return this.#register(key, peer, new InviteClientTransaction(request, context, user));
  }

  startRequest(request: SipRequest, peer: SipPeer, local: SipLocal, user: ClientTransactionUser): ClientTransaction {
    const { key, context } = this.#prepare(request, peer, local);
    return this.#register(key, peer, new NonInviteClientTransaction(request, context, user));
  }

  /** CANCEL keeps the Via of its INVITE (RFC 3261 section 9.1). */
  startCancel(cancel: SipRequest, peer: SipPeer): void {
    const key = clientKey(cancel);
    // The INVITE's own final response counts.
    const user = { onResponse: () => undefined, onFailure: () => undefined };
    this.#register(key, peer, new NonInviteClientTransaction(cancel, this.#context(key, peer, cancel), user));
  }

  /** Outside any transaction, with its own branch, like the ACK of a 2xx (RFC 3261 section 13.2.2.4). */
  sendOnce(request: SipRequest, peer: SipPeer, local: SipLocal): void {
    if (topVia(request) === undefined) request.headers.prepend('Via', this.#newVia(local));
    this.#send(request, peer);
  }

  /** Returns the INVITE of a CANCEL (RFC 3261 section 9.2). */
  invitationOf(cancel: SipRequest): ServerTransaction | undefined {
    return this.#servers.get(serverKey(cancel, 'INVITE'));
  }

  /** The size of the server transactions. */
  get held(): { readonly transactions: number; readonly characters: number } {
    return { transactions: this.#servers.size, characters: this.#serverCharacters };
  }

  /** Ends all transactions without notification. Later ones fail as on a lost transport. */
  close(): void {
    this.#isClosed = true;
    for (const { transaction } of [...this.#clients.values()]) transaction.terminate();
    for (const transaction of [...this.#servers.values()]) transaction.terminate();
  }

  #prepare(request: SipRequest, peer: SipPeer, local: SipLocal): { key: string; context: TransactionContext } {
    request.headers.delete('Via').prepend('Via', this.#newVia(local));
    const key = clientKey(request);
    return { key, context: this.#context(key, peer, request) };
  }

  #newVia(local: SipLocal): string {
    const params = new Map([
      ['branch', MAGIC_COOKIE + randomBytes(12).toString('hex')],
      ['rport', ''],
    ]);
    return formatVia({ ...local, params });
  }

  #context(key: string, peer: SipPeer, request: SipRequest): TransactionContext {
    return {
      onFault: (error) => this.#user.onFault(error, request.headers.get('Call-ID')),
      clock: this.#clock,
      reliable: this.#transport.reliable,
      send: (message) => this.#send(message, peer),
      onTerminated: () => {
        this.#clients.delete(key);
      },
    };
  }

  #register<T extends ClientTransaction>(key: string, peer: SipPeer, transaction: T): T {
    this.#clients.set(key, { transaction, peer });
    // Its user must receive it first.
    if (this.#isClosed) queueMicrotask(() => transaction.transportFailed());
    return transaction;
  }

  #send(message: SipMessage, peer: SipPeer, otherwise?: SipPeer): void {
    try {
      const datagram = serialiseMessage(message);
      this.#user.onWire('sent', peer, message, datagram);
      this.#transport.send(datagram, peer, {
        otherwise,
        wantsAnswer: message.kind === 'request' && message.method !== 'ACK',
      });
    } catch (error) {
      this.#user.onFault(error, message.headers.get('Call-ID'));
      // Later, like all failures, because the transaction may just be starting.
      queueMicrotask(() => this.#failed(peer));
    }
  }

  #failed(peer: SipPeer): void {
    for (const client of [...this.#clients.values()]) {
      if (isSamePeer(client.peer, peer))
        this.#guarded(client.transaction.request, () => client.transaction.transportFailed());
    }
  }

  #receive(datagram: Uint8Array, from: SipPeer): void {
    const message = parseMessage(datagram);
    if (!message) return;
    this.#guarded(message, () => {
      if (message.kind === 'response') this.#receiveResponse(message, from, datagram);
      else this.#receiveRequest(message, from, datagram);
    });
  }

  /** Handles `message`; an error concerns only its call. */
  #guarded(message: SipMessage, handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#user.onFault(error, message.headers.get('Call-ID'));
    }
  }

  #receiveResponse(response: SipResponse, from: SipPeer, datagram: Uint8Array): void {
    // Sections 8.1.3.3 and 17.1.3: one Via, this side's. A response without a transaction has no receiver.
    const client = this.#clients.get(clientKey(response));
    if (!client || response.headers.list('Via').length !== 1) return;
    this.#user.onWire('received', from, response, datagram);
    client.transaction.receive(response);
  }

  #receiveRequest(request: SipRequest, from: SipPeer, datagram: Uint8Array): void {
    const via = topVia(request);
    if (!via) return;
    const stamped = stampVia(via, from);
    const others = request.headers.list('Via').slice(1);
    request.headers.set('Via', [formatVia(stamped), ...others].join(', '));
    this.#user.onWire('received', from, request, datagram);

    const existing = this.#servers.get(serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method));
    if (existing) {
      existing.receive(request);
      if (request.method === 'ACK' && isSuccess(existing.lastStatus)) this.#user.onRequest(request, from, undefined);
      return;
    }
    if (request.method === 'ACK') {
      this.#user.onRequest(request, from, undefined);
      return;
    }
    this.#receiveNew(request, from, stamped);
  }

  #receiveNew(request: SipRequest, from: SipPeer, via: Via): void {
    const send = this.#answerer(from, via);
    const answer: Answering['answer'] = (status, parts) =>
      send(createResponse(request, status, { toTag: this.#tagFor(request), ...parts }));
    let transaction: ServerTransaction | undefined;
    const begin = (): ServerTransaction | undefined => {
      const essentials = copyEssentials(request);
      const characters = charactersOf(essentials, request.body);
      const refusal = this.#refusalOf(essentials, characters);
      if (refusal) answer(...refusal);
      else transaction = this.#startServer(essentials, characters, send);
      return transaction;
    };
    try {
      this.#user.onRequest(request, from, { answer, begin });
    } catch (error) {
      if (transaction && (transaction.lastStatus ?? 100) < 200)
        transaction.respond(500, { toTag: this.#tagFor(request) });
      throw error;
    }
  }

  /** A separate function, so that the closure that a transaction keeps doesn't hold the request. */
  #answerer(from: SipPeer, via: Via): (message: SipMessage) => void {
    // Over the connection of the request or, if that is gone, over a new one to its stated source (RFC 3261 section
    // 18.2.2).
    const peer = this.#transport.reliable ? from : { host: from.host, port: responsePeer(via).port };
    const otherwise = this.#transport.reliable ? { host: from.host, port: via.port ?? DEFAULT_SIP_PORT } : undefined;
    return (message) => this.#send(message, peer, otherwise);
  }

  /** Returns why a request can't be stored. */
  #refusalOf(request: SipRequest, characters: number): Refusal | undefined {
    const isStrange = tagOf(request, 'To') === undefined;
    if (isStrange && this.#merges.has(mergeKeyOf(request))) return [482];
    const share = isStrange ? SHARE_OF_STRANGERS : 1;
    const isTooMuch =
      this.#servers.size >= MAX_SERVER_TRANSACTIONS * share ||
      this.#serverCharacters + characters > MAX_SERVER_CHARACTERS * share;
    return isTooMuch ? [503, { headers: [['Retry-After', String(RETRY_AFTER_SECONDS)]] }] : undefined;
  }

  /** The same for the same request, and impossible to guess. */
  #tagFor(request: SipRequest): string {
    const parts = [request.headers.get('Call-ID'), tagOf(request, 'From'), String(cseqOf(request).number)];
    return createHmac('sha256', this.#tagSecret).update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  }

  #startServer(request: SipRequest, characters: number, send: (message: SipMessage) => void): ServerTransaction {
    const key = serverKey(request, request.method);
    const mergeKey = tagOf(request, 'To') === undefined ? mergeKeyOf(request) : undefined;
    const context: TransactionContext = {
      clock: this.#clock,
      reliable: this.#transport.reliable,
      send,
      onFault: (error) => this.#user.onFault(error, request.headers.get('Call-ID')),
      onTerminated: () => {
        if (this.#servers.get(key) !== transaction) return;
        this.#servers.delete(key);
        this.#serverCharacters -= characters;
        if (mergeKey !== undefined) this.#merges.delete(mergeKey);
      },
    };
    const transaction: ServerTransaction =
      request.method === 'INVITE'
        ? new InviteServerTransaction(request, context)
        : new NonInviteServerTransaction(request, context);
    this.#servers.set(key, transaction);
    this.#serverCharacters += characters;
    if (mergeKey !== undefined) this.#merges.set(mergeKey, transaction);
    return transaction;
  }
}

/**
 * Returns the size of a transaction: what it needs to answer, the keys derived from that, and a description that
 * mirrors the received one.
 */
function charactersOf(essentials: SipRequest, body: string): number {
  return 2 * sizeOf(essentials) + Math.min(body.length, MAX_SDP_CHARACTERS) + TRANSACTION_CHARACTERS;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function clientKey(message: SipMessage): string {
  return `${topVia(message)?.params.get('branch') ?? ''}|${cseqOf(message).method}`;
}

/** RFC 3261 section 17.2.3; without the magic cookie the matching of RFC 2543. */
function serverKey(request: SipRequest, method: string): string {
  const via = topVia(request);
  const branch = via?.params.get('branch') ?? '';
  const sentBy = `${via?.host.toLowerCase() ?? ''}:${String(via?.port ?? '')}`;
  if (branch.startsWith(MAGIC_COOKIE) && branch.length > MAGIC_COOKIE.length) return `${branch}|${sentBy}|${method}`;
  return [
    '2543',
    request.uri,
    tagOf(request, 'From') ?? '',
    request.headers.get('Call-ID') ?? '',
    String(cseqOf(request).number),
    sentBy,
    branch,
    method,
  ].join('|');
}

/** RFC 3261 section 8.2.2.2: the same request over two paths. */
function mergeKeyOf(request: SipRequest): string {
  return `${request.headers.get('Call-ID') ?? ''}|${tagOf(request, 'From') ?? ''}|${request.headers.get('CSeq') ?? ''}`;
}
