import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { inTime } from '../../base/clock.ts';
import type { Dialog } from './dialog.ts';
import { dialogKey } from './dialog.ts';
import type { InviteClientTransaction } from './inviteClientTransaction.ts';
import { hopRequest } from './inviteClientTransaction.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { cseqOf, malformedField, tagOf } from './message.ts';
import { SDP_TYPE } from './sdp.ts';
import type { Refusal } from './response.ts';
import type { Hop, Way } from './targetLookups.ts';
import { Failover } from './failover.ts';
import { PublicAddresses } from './nat.ts';
import type { NameService } from './serverLocation.ts';
import { TargetLookups } from './targetLookups.ts';
import { Timers } from './timers.ts';
import type { Trace } from './trace.ts';
import type { ClientTransactionUser, ServerTransaction, TransactionFailure } from './transaction.ts';
import type { Answering } from './transactionLayer.ts';
import { TransactionLayer } from './transactionLayer.ts';
import type { SipLocal, SipPeer, SipProtocol, SipTransport } from './transport.ts';
import { isSamePlace, noResponse, Unreachable } from './transport.ts';
import { hostReference, parseUri, targetHost, transportOf } from './uri.ts';

export interface DialogOwner {
  /** A request within the dialog; an ACK has no transaction. */
  receive(request: SipRequest, transaction: ServerTransaction | undefined): void;
}

interface UserAgentUser {
  readonly onInvite: (request: SipRequest, from: Arrival, answering: Answering) => void;
  /** Returns the header fields of the 401 for an OPTIONS outside a dialog, or undefined if it may pass. */
  readonly challenge: (request: SipRequest) => readonly (readonly [string, string])[] | undefined;
  /** Handling a message with this Call-ID, or a timer of its transaction, threw an error. */
  readonly onFault: (error: unknown, callId: string | undefined) => void;
}

/** Where a request came from. */
export interface Arrival {
  readonly peer: SipPeer;
  readonly protocol: SipProtocol;
}

const ALLOWED = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'UPDATE', 'PRACK', 'INFO', 'REFER'];
const KNOWN = [...ALLOWED, 'REGISTER', 'SUBSCRIBE', 'NOTIFY', 'PUBLISH', 'MESSAGE'];
/** RFC 3262 and 4028. */
const EXTENSIONS = ['100rel', 'timer'];
const SDP_RANGES = [SDP_TYPE, 'application/*', '*/*'];
export const ALLOW_HEADER: readonly [string, string] = ['Allow', ALLOWED.join(', ')];
export const SUPPORTED_HEADER: readonly [string, string] = ['Supported', EXTENSIONS.join(', ')];

/** Mappings of network address translators last 30 s or more (RFC 5626 section 4.4). */
const KEEP_ALIVE_MS = 25_000;
const KEEP_ALIVE = Buffer.from('\r\n\r\n');

export function newTag(): string {
  return randomBytes(8).toString('hex');
}

interface InviteUser extends Pick<ClientTransactionUser, 'onResponse'> {
  readonly onLost: (why: Unreachable) => void;
}

function unreachable(failure: TransactionFailure, { local: { protocol } }: Hop): Unreachable {
  if (failure === 'timeout') return noResponse();
  return new Unreachable('network', protocol === 'UDP' ? 'the network refused to send' : 'the connection broke');
}

interface Layer {
  readonly transport: SipTransport;
  readonly layer: TransactionLayer;
  /** Servers that failed lately. */
  readonly deadUntil: Map<string, number>;
}

/** The user agent core (RFC 3261 section 8): checks requests, passes them to dialogs, resolves where they go. */
export class UserAgent {
  readonly clock: Clock;
  /** Each transport with its transactions; the first is for URIs that name none. */
  readonly #layers: ReadonlyMap<SipProtocol, Layer>;
  readonly #usual: SipProtocol;
  readonly #addresses: PublicAddresses;
  readonly #user: UserAgentUser;
  readonly #lookups: TargetLookups;
  readonly #dialogs = new Map<string, DialogOwner>();
  readonly #cancels = new WeakMap<ServerTransaction, (cancel: SipRequest) => void>();
  readonly #traces = new Map<string, Set<Trace>>();

  constructor(
    transports: readonly [SipTransport, ...SipTransport[]],
    clock: Clock,
    names: NameService,
    user: UserAgentUser,
  ) {
    this.clock = clock;
    this.#lookups = new TargetLookups(clock);
    this.#addresses = new PublicAddresses(clock, names, transports.find((transport) => transport.askStun)?.askStun);
    this.#user = user;
    this.#usual = transports[0].protocol;
    this.#layers = new Map(
      transports.map((transport) => {
        const layer: TransactionLayer = new TransactionLayer(transport, clock, {
          onRequest: (request, peer, answering) =>
            this.#receive(request, { peer, protocol: transport.protocol }, layer, answering),
          onFault: user.onFault,
          onWire: (direction, peer, message, datagram) => this.#trace(direction, peer, message, datagram),
        });
        return [transport.protocol, { transport, layer, deadUntil: new Map() }];
      }),
    );
  }

  addDialog(dialog: Dialog, owner: DialogOwner): void {
    this.#dialogs.set(dialog.key, owner);
  }
  removeDialog(dialog: Dialog): void {
    this.#dialogs.delete(dialog.key);
  }

  /** `cancel` runs if the INVITE is cancelled before its final response. */
  onCancel(invitation: ServerTransaction, cancel: (request: SipRequest) => void): void {
    this.#cancels.set(invitation, cancel);
  }

  addTrace(callId: string, trace: Trace): void {
    const traces = this.#traces.get(callId) ?? new Set();
    this.#traces.set(callId, traces.add(trace));
  }

  removeTrace(callId: string, trace: Trace): void {
    const traces = this.#traces.get(callId);
    traces?.delete(trace);
    if (traces?.size === 0) this.#traces.delete(callId);
  }

  /** Returns the servers of a URI, to be tried in turn. Rejects with an Error that says why there are none. */
  async servers(uri: string, way: Way = {}, place = (hop: Hop): Hop => hop): Promise<Failover> {
    const parsed = parseUri(uri);
    if (!parsed) throw new Error(`“${uri}” isn't a SIP URI`);
    const wanted = transportOf(parsed)?.toUpperCase() ?? this.#usual;
    const spoken = [...this.#layers.keys()];
    const protocol = spoken.find((one) => one === wanted);
    if (!protocol) throw new Error(`“${uri}” needs ${wanted}, but only ${spoken.join(', ')} is available`);
    const host = targetHost(parsed);
    if (host === undefined) throw new Error(`“${uri}” has no host in maddr`);
    const { transport, deadUntil } = this.#speaking(protocol);
    const found = await transport.resolve(host, parsed.port);
    const identity = protocol === 'TLS' ? way.clientCertificate : undefined;
    const peers = identity ? found.map((peer) => ({ ...peer, identity })) : found;
    const connect = async (peer: SipPeer, limitMs?: number): Promise<Hop> => {
      if (limitMs !== undefined && transport.reliable)
        await inTime(this.clock, limitMs, transport.localFor(peer), noResponse());
      return place(await this.hopTo({ peer, protocol }, way));
    };
    return new Failover(peers, connect, this.clock, deadUntil);
  }

  /** Returns the hop to a known peer, and connects again if necessary. */
  async hopTo({ peer, protocol }: Arrival, way: Way): Promise<Hop> {
    const local = await this.#speaking(protocol).transport.localFor(peer);
    return { peer, way, ...(await this.#addresses.publish(local, way.nat)) };
  }

  /**
   * Returns the hop within a dialog that was set up over `hop`, never over another transport, so that a peer can't lead
   * it off TLS, or to unrelated connections. A connection carries the whole dialog, because the peer's address can be
   * behind a translator (RFC 5626 section 5.3). A lost connection is opened again. If the peer's address leads nowhere,
   * returns `hop`; the same for a name if `mayLookUp` is false.
   */
  async hopWithin(dialog: Dialog, hop: Hop, mayLookUp = true): Promise<Hop> {
    if (dialog.isTargetLost) return hop;
    try {
      return await this.#hopWithin(dialog, hop, mayLookUp);
    } catch {
      return hop;
    }
  }

  async #hopWithin(dialog: Dialog, hop: Hop, mayLookUp: boolean): Promise<Hop> {
    const {
      peer,
      local: { protocol },
      way,
      taken = false,
    } = hop;
    const { transport } = this.#speaking(protocol);
    // The public host stays what it was, because a STUN server would keep an ACK or a BYE waiting.
    const again = async (): Promise<Hop> => {
      const { port } = await transport.localFor(peer);
      return { ...hop, local: { ...hop.local, port } };
    };
    if (transport.reliable && transport.reaches(peer)) return again();
    const target = parseUri(dialog.nextHop);
    const isSame = target !== undefined && (transportOf(target)?.toUpperCase() ?? this.#usual) === protocol;
    if (transport.reliable && !(taken && isSame)) return again();
    if (!isSame) return hop;
    const host = targetHost(target) ?? '';
    // With the settings by which the result is published. Most peers give an address, which needs no name.
    const name = isIP(host)
      ? undefined
      : JSON.stringify([protocol, host, target.port, way.nat, way.clientCertificate?.cert]);
    if (name !== undefined && !mayLookUp) return hop;
    const lookUp = async (): Promise<Hop> => (await this.servers(dialog.nextHop, way)).next();
    const found = await this.#lookups.find(dialog, name, lookUp);
    return transport.reliable ? this.hopTo({ peer: found.peer, protocol }, way) : found;
  }

  /** Rejects if the peer's host reports that nothing listens there. */
  async assertOpen({ peer, local: { protocol } }: Hop): Promise<void> {
    if (await this.#speaking(protocol).transport.refuses(peer))
      throw new Unreachable('refused', 'nothing listens there (port unreachable)');
  }

  /**
   * Keeps the connection of an answered call, or its mapping in a NAT (RFC 5626 section 4.4.1), until the returned function
   * is called. `onLost`, for a registration, receives why requests of the peer can't arrive any more.
   */
  hold(hop: Hop, onLost?: (why: unknown) => void): () => void {
    const { peer, local, way } = hop;
    const { transport } = this.#speaking(local.protocol);
    const release = transport.hold(peer);
    const timers = new Timers(this.clock);
    let isHeld = true;
    const wait = (): void =>
      timers.start('keepAlive', KEEP_ALIVE_MS, () => {
        wait();
        if (transport.reaches(peer)) transport.send(KEEP_ALIVE, peer);
        if (onLost)
          this.#assertSame(hop).catch((why: unknown) => {
            if (isHeld) onLost(why);
          });
      });
    if (onLost ?? way.nat) wait();
    return () => {
      isHeld = false;
      timers.stopAll();
      release();
    };
  }

  /** Rejects if the peer can't be reached any more, or this side has another address or connection. */
  async #assertSame({ peer, local, way }: Hop): Promise<void> {
    const again = await this.hopTo({ peer, protocol: local.protocol }, way);
    await this.assertOpen(again);
    // Without the STUN server, it isn't known.
    if (again.natTrouble === undefined && !isSamePlace(again.local, local))
      throw new Unreachable('network', 'this machine has another address now');
  }

  contact(local: SipLocal): string {
    return local.contact ?? `<${this.addressAt(local, 'dialtree')}>`;
  }
  addressAt(local: SipLocal, user: string): string {
    return `sip:${user}@${this.hostPort(local)}${local.protocol === this.#usual ? '' : `;transport=${local.protocol.toLowerCase()}`}`;
  }
  hostPort({ host, port }: SipLocal): string {
    return `${hostReference(host)}:${String(port)}`;
  }

  invite(request: SipRequest, hop: Hop, { onResponse, onLost }: InviteUser): InviteClientTransaction {
    const onFailure = (failure: TransactionFailure): void => onLost(unreachable(failure, hop));
    return this.#layerOf(hop).startInvite(request, hop.peer, hop.local, { onResponse, onFailure });
  }

  /** Returns the final response; rejects with `Unreachable`. After `over`, nothing is repeated, and it never settles. */
  request(request: SipRequest, hop: Hop, over?: AbortSignal, onHeard?: () => void): Promise<SipResponse> {
    return new Promise((resolve, reject) => {
      const transaction = this.#layerOf(hop).startRequest(request, hop.peer, hop.local, {
        onResponse: (response) => {
          onHeard?.();
          if (response.status >= 200) resolve(response);
        },
        onFailure: (failure) => reject(unreachable(failure, hop)),
      });
      over?.addEventListener('abort', () => transaction.terminate(), { once: true });
    });
  }

  /** Without a transaction: an ACK, or what is repeated after a retransmission. */
  sendOnce(request: SipRequest, hop: Hop): void {
    this.#layerOf(hop).sendOnce(request, hop.peer, hop.local);
  }

  /** CANCEL of an INVITE that has a provisional response (RFC 3261 section 9.1). */
  cancel(invite: InviteClientTransaction, hop: Hop): void {
    this.#layerOf(hop).startCancel(hopRequest(invite.request, 'CANCEL'), hop.peer);
    invite.cancelled();
  }

  async close(): Promise<void> {
    for (const { layer } of this.#layers.values()) layer.close();
    await Promise.all([...this.#layers.values()].map(({ transport }) => transport.close()));
  }

  #speaking(protocol: SipProtocol): Layer {
    const found = this.#layers.get(protocol);
    if (!found) throw new Error(`This agent doesn't support ${protocol}.`);
    return found;
  }

  #layerOf({ local: { protocol } }: Hop): TransactionLayer {
    return this.#speaking(protocol).layer;
  }

  #trace(direction: 'sent' | 'received', peer: SipPeer, message: SipMessage, datagram: Uint8Array): void {
    const traces = this.#traces.get(message.headers.get('Call-ID') ?? '');
    for (const trace of traces ?? []) trace.record(direction, peer, datagram, cseqOf(message).method);
  }

  /** Only calls and requests within them are stored. All others are answered and dropped (RFC 3261 section 8.2.7). */
  #receive(request: SipRequest, from: Arrival, layer: TransactionLayer, answering: Answering | undefined): void {
    const toTag = tagOf(request, 'To');
    const owner =
      toTag === undefined
        ? undefined
        : this.#dialogs.get(dialogKey(request.headers.get('Call-ID') ?? '', toTag, tagOf(request, 'From') ?? ''));
    if (!answering) {
      owner?.receive(request, undefined);
      return;
    }
    const { answer } = answering;
    const refusal = refusalOf(request, owner !== undefined);
    if (refusal) {
      answer(...refusal);
      return;
    }
    if (request.method === 'CANCEL') {
      this.#receiveCancel(request, layer, answering);
      return;
    }
    if (owner) {
      const transaction = answering.begin();
      if (transaction) owner.receive(request, transaction);
    } else if (toTag !== undefined) {
      answer(481);
    } else if (request.method === 'INVITE') {
      this.#user.onInvite(request, from, answering);
    } else if (request.method === 'OPTIONS') {
      const challenge = this.#user.challenge(request);
      if (challenge) answer(401, { headers: challenge });
      else answer(200, { headers: [ALLOW_HEADER, SUPPORTED_HEADER, ['Accept', SDP_TYPE]] });
    } else {
      // A transfer belongs to a call. Outside of one, it would be a request to call.
      answer(request.method === 'REFER' ? 603 : 481);
    }
  }

  #receiveCancel(request: SipRequest, layer: TransactionLayer, { answer }: Answering): void {
    const invitation = layer.invitationOf(request);
    answer(invitation ? 200 : 481);
    if (!invitation || (invitation.lastStatus ?? 100) >= 200) return;
    const cancel = this.#cancels.get(invitation);
    if (cancel) cancel(request);
    else invitation.respond(487, { toTag: newTag() });
  }
}

/** Returns why a request is refused by its fields (RFC 3261 section 8.2). */
function refusalOf(request: SipRequest, isInDialog: boolean): Refusal | undefined {
  const { method, uri, headers } = request;
  if (!KNOWN.includes(method)) return [501, { headers: [ALLOW_HEADER] }];
  if (!ALLOWED.includes(method)) return [405, { headers: [ALLOW_HEADER] }];
  if (method === 'CANCEL') return undefined;
  if (!/^sips?:/i.test(uri)) return [416];
  if (!parseUri(uri)) return [400, { reason: 'Bad Request-URI' }];
  // A call that is up isn't given up for a field that nothing needs.
  const malformed = isInDialog ? undefined : malformedField(request);
  if (malformed !== undefined) return [400, { reason: `Bad ${malformed}` }];
  // The answer to an INVITE is a session description (RFC 4475 section 3.3.15).
  const accepted = headers.tokens('Accept').map((type) => type.split(';')[0]?.trim() ?? '');
  const takesSdp = accepted.length === 0 || accepted.some((type) => SDP_RANGES.includes(type));
  if (!isInDialog && method === 'INVITE' && !takesSdp) return [406];
  const unsupported = headers.tokens('Require').filter((extension) => !EXTENSIONS.includes(extension));
  return unsupported.length > 0 ? [420, { headers: [['Unsupported', unsupported.join(', ')]] }] : undefined;
}
