import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { cseqOf, tagOf } from './message.ts';
import { applyRouteSet } from './routeSet.ts';
import { parseNameAddress, parseUri } from './uri.ts';

/** Identifies a dialog at this end (RFC 3261 section 12). */
export function dialogKey(callId: string, localTag: string, remoteTag: string): string {
  return `${callId}|${localTag}|${remoteTag}`;
}

interface DialogParts {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From in local requests, To in remote ones, with the tag. */
  readonly local: string;
  readonly remote: string;
  readonly contact: string;
  readonly routeSet: readonly string[];
  readonly target: string;
  readonly localSequence: number;
  readonly remoteSequence: number | undefined;
}

/** The peer relation of two user agents: tags, route set, sequence numbers, remote target (RFC 3261 section 12). */
export class Dialog {
  /** The peer doesn't receive what is sent to its Contact, so requests go where its answer came from. */
  isTargetLost = false;
  readonly #parts: DialogParts;
  #routeSet: readonly string[];
  #target: string;
  #localSequence: number;
  #remoteSequence: number | undefined;

  private constructor(parts: DialogParts) {
    this.#parts = parts;
    this.#routeSet = parts.routeSet;
    this.#target = parts.target;
    this.#localSequence = parts.localSequence;
    this.#remoteSequence = parts.remoteSequence;
  }

  /** For the caller, from a 101-299 response to its INVITE (section 12.1.2). Undefined if it creates no dialog. */
  static ofCaller(invite: SipRequest, response: SipResponse, contact: string): Dialog | undefined {
    const localTag = tagOf(invite, 'From'),
      remoteTag = tagOf(response, 'To');
    if (localTag === undefined || remoteTag === undefined) return undefined;
    return new Dialog({
      callId: invite.headers.get('Call-ID') ?? '',
      localTag,
      remoteTag,
      contact,
      local: invite.headers.get('From') ?? '',
      remote: response.headers.get('To') ?? '',
      routeSet: response.headers.list('Record-Route').reverse(),
      target: contactUri(response) ?? invite.uri,
      localSequence: cseqOf(invite).number,
      remoteSequence: undefined,
    });
  }

  /** For the callee, from the INVITE (section 12.1.1). Undefined if it has no usable Contact. */
  static ofCallee(invite: SipRequest, localTag: string, contact: string): Dialog | undefined {
    const target = contactUri(invite);
    if (target === undefined) return undefined;
    return new Dialog({
      callId: invite.headers.get('Call-ID') ?? '',
      localTag,
      remoteTag: tagOf(invite, 'From') ?? '',
      contact,
      local: `${invite.headers.get('To') ?? ''};tag=${localTag}`,
      remote: invite.headers.get('From') ?? '',
      routeSet: invite.headers.list('Record-Route'),
      target,
      localSequence: 0,
      remoteSequence: cseqOf(invite).number,
    });
  }

  get key(): string {
    return dialogKey(this.#parts.callId, this.localTag, this.#parts.remoteTag);
  }

  get localTag(): string {
    return this.#parts.localTag;
  }

  /** Requests go through proxies that asked for it. */
  get hasRoutes(): boolean {
    return this.#routeSet.length > 0;
  }

  /** The URI whose host receives the next request: the first route, otherwise the remote target. */
  get nextHop(): string {
    return applyRouteSet(this.#target, this.#routeSet).nextHop;
  }

  /** A request within the dialog (section 12.2.1.1). ACK and CANCEL carry their INVITE's number, others the next. */
  createRequest(method: string, sequence?: number): SipRequest {
    const number = sequence ?? ++this.#localSequence;
    const { local, remote, callId, contact } = this.#parts;
    const { uri, routes } = applyRouteSet(this.#target, this.#routeSet);
    const headers = new SipHeaders([
      ['Max-Forwards', '70'],
      ...routes.map((route) => ['Route', route] as const),
      ['From', local],
      ['To', remote],
      ['Call-ID', callId],
      ['CSeq', `${String(number)} ${method}`],
      ['Contact', contact],
    ]);
    return { kind: 'request', method, uri, headers, body: '' };
  }

  /** Returns false if the request is older than an earlier one, which is answered with 500 (section 12.2.2). */
  accepts(request: SipRequest): boolean {
    const { number } = cseqOf(request);
    if (this.#remoteSequence !== undefined && number < this.#remoteSequence) return false;
    this.#remoteSequence = number;
    return true;
  }

  /** The final response confirms the dialog and sets its route set again (section 13.2.2.4). */
  confirm(response: SipResponse): void {
    this.#routeSet = response.headers.list('Record-Route').reverse();
    this.refreshTarget(response);
  }

  /** Target refresh by INVITE or UPDATE (section 12.2). */
  refreshTarget(message: SipRequest | SipResponse): void {
    this.#target = contactUri(message) ?? this.#target;
  }
}

function contactUri(message: SipRequest | SipResponse): string | undefined {
  const uri = parseNameAddress(message.headers.list('Contact')[0] ?? '')?.uri;
  return uri !== undefined && parseUri(uri) ? uri : undefined;
}
