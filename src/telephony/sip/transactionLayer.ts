import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { InviteClientTransaction } from './inviteClientTransaction.ts';
import { InviteServerTransaction } from './inviteServerTransaction.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { cseqOf, parseMessage, serialiseMessage, tagOf, topVia } from './message.ts';
import { NonInviteClientTransaction } from './nonInviteClientTransaction.ts';
import { NonInviteServerTransaction } from './nonInviteServerTransaction.ts';
import { createResponse } from './response.ts';
import type { ClientTransaction, ClientTransactionUser, ServerTransaction, TransactionContext } from './transaction.ts';
import { isSamePeer } from './transport.ts';
import type { SipLocal, SipPeer, SipTransport } from './transport.ts';
import type { Via } from './via.ts';
import { DEFAULT_SIP_PORT, formatVia, MAGIC_COOKIE, responsePeer, stampVia } from './via.ts';

export interface TransactionLayerUser {
  /** A new request. ACK comes without a transaction. */
  readonly onRequest: (request: SipRequest, from: SipPeer, transaction: ServerTransaction | undefined) => void;
  /** Every message that passes, for traces. */
  readonly onWire: (direction: 'sent' | 'received', peer: SipPeer, message: SipMessage, datagram: Uint8Array) => void;
}

/** More open server transactions than this is an attack; further requests are dropped and may be sent again. */
const MAX_SERVER_TRANSACTIONS = 100_000;

/** Matches messages with transactions (RFC 3261 sections 17.1.3, 17.2.3, 18). */
export class TransactionLayer {
  readonly #transport: SipTransport;
  readonly #clock: Clock;
  readonly #user: TransactionLayerUser;
  readonly #clients = new Map<string, { transaction: ClientTransaction; peer: SipPeer }>();
  readonly #servers = new Map<string, ServerTransaction>();
  /** Server transactions of requests outside dialogs, by what a fork of the same request shares. */
  readonly #merges = new Map<string, ServerTransaction>();
  #isClosed = false;

  constructor(transport: SipTransport, clock: Clock, user: TransactionLayerUser) {
    this.#transport = transport;
    this.#clock = clock;
    this.#user = user;
    transport.listen({
      onMessage: (datagram, from) => {
        this.#receive(datagram, from);
      },
      onFailure: (peer) => {
        for (const client of [...this.#clients.values()])
          if (isSamePeer(client.peer, peer)) client.transaction.transportFailed();
      },
    });
  }

  /** Puts a fresh Via on `request` and starts its client transaction. `local` is what the peer can answer to. */
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
  startCancel(cancel: SipRequest, peer: SipPeer, user: ClientTransactionUser): ClientTransaction {
    const key = clientKey(cancel);
    return this.#register(key, peer, new NonInviteClientTransaction(cancel, this.#context(key, peer), user));
  }

  /** An ACK of a 2xx: outside any transaction, with a branch of its own (RFC 3261 section 13.2.2.4). */
  sendAck(ack: SipRequest, peer: SipPeer, local: SipLocal): void {
    if (topVia(ack) === undefined) ack.headers.prepend('Via', this.#newVia(local));
    this.#send(ack, peer);
  }

  /** The INVITE that a CANCEL means (RFC 3261 section 9.2). */
  invitationOf(cancel: SipRequest): ServerTransaction | undefined {
    return this.#servers.get(serverKey(cancel, 'INVITE'));
  }

  /** Ends all transactions without a word. What is begun later fails as on a transport that is gone. */
  close(): void {
    this.#isClosed = true;
    for (const { transaction } of [...this.#clients.values()]) transaction.terminate();
    for (const transaction of [...this.#servers.values()]) transaction.terminate();
  }

  #prepare(request: SipRequest, peer: SipPeer, local: SipLocal): { key: string; context: TransactionContext } {
    request.headers.delete('Via').prepend('Via', this.#newVia(local));
    const key = clientKey(request);
    return { key, context: this.#context(key, peer) };
  }

  #newVia(local: SipLocal): string {
    const params = new Map([
      ['branch', MAGIC_COOKIE + randomBytes(12).toString('hex')],
      ['rport', ''],
    ]);
    return formatVia({ ...local, params });
  }

  #context(key: string, peer: SipPeer): TransactionContext {
    return {
      clock: this.#clock,
      reliable: this.#transport.reliable,
      send: (message) => {
        this.#send(message, peer);
      },
      onTerminated: () => {
        this.#clients.delete(key);
      },
    };
  }

  #register<T extends ClientTransaction>(key: string, peer: SipPeer, transaction: T): T {
    this.#clients.set(key, { transaction, peer });
    // Its user is to have it first.
    if (this.#isClosed)
      queueMicrotask(() => {
        transaction.transportFailed();
      });
    return transaction;
  }

  #send(message: SipMessage, peer: SipPeer, otherwise?: SipPeer): void {
    const datagram = serialiseMessage(message);
    this.#user.onWire('sent', peer, message, datagram);
    this.#transport.send(datagram, peer, {
      otherwise,
      wantsAnswer: message.kind === 'request' && message.method !== 'ACK',
    });
  }

  #receive(datagram: Uint8Array, from: SipPeer): void {
    const message = parseMessage(datagram);
    if (!message) return;
    if (message.kind === 'response') this.#receiveResponse(message, from, datagram);
    else this.#receiveRequest(message, from, datagram);
  }

  #receiveResponse(response: SipResponse, from: SipPeer, datagram: Uint8Array): void {
    // Sections 8.1.3.3 and 17.1.3: one Via, ours. A response without transaction has nobody to tell.
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
    if (this.#servers.size >= MAX_SERVER_TRANSACTIONS) return;
    this.#startServer(request, from, stamped);
  }

  #startServer(request: SipRequest, from: SipPeer, via: Via): void {
    const key = serverKey(request, request.method);
    const mergeKey =
      tagOf(request, 'To') === undefined && request.method !== 'CANCEL' ? mergeKeyOf(request) : undefined;
    const merged = mergeKey !== undefined && this.#merges.has(mergeKey);
    // Over the connection that the request came by, and where that is gone over one to whence it says it was sent (RFC 3261 section 18.2.2).
    const peer = this.#transport.reliable ? from : responsePeer(via);
    const otherwise = this.#transport.reliable ? { host: from.host, port: via.port ?? DEFAULT_SIP_PORT } : undefined;
    const context: TransactionContext = {
      clock: this.#clock,
      reliable: this.#transport.reliable,
      send: (message) => {
        this.#send(message, peer, otherwise);
      },
      onTerminated: () => {
        this.#servers.delete(key);
        if (mergeKey !== undefined && this.#merges.get(mergeKey) === transaction) this.#merges.delete(mergeKey);
      },
    };
    const transaction: ServerTransaction =
      request.method === 'INVITE'
        ? new InviteServerTransaction(request, context, {
            onFailure: () => {
              /* The refusal was decided; that nobody heard it changes nothing. */
            },
          })
        : new NonInviteServerTransaction(request, context);
    this.#servers.set(key, transaction);
    if (merged) {
      transaction.respond(createResponse(request, 482, { toTag: randomBytes(6).toString('hex') }));
      return;
    }
    if (mergeKey !== undefined) this.#merges.set(mergeKey, transaction);
    this.#user.onRequest(request, from, transaction);
  }
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

/** RFC 3261 section 8.2.2.2: the same request by two ways. */
function mergeKeyOf(request: SipRequest): string {
  return `${request.headers.get('Call-ID') ?? ''}|${tagOf(request, 'From') ?? ''}|${request.headers.get('CSeq') ?? ''}`;
}
