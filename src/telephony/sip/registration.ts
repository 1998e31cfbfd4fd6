import type { RegisterOptions, Registration, RegistrationFailure, RegistrationState, SrtpPolicy } from '../call.ts';
import type { LegContext } from '../leg.ts';
import { DigestClient } from './digest.ts';
import type { SipResponse } from './message.ts';
import { topVia } from './message.ts';
import { refusalEnd } from './refusal.ts';
import type { RegisteredLine } from './preloadedRoute.ts';
import { sendStandalone } from './standaloneRequest.ts';
import type { Hop, Way } from './targetLookups.ts';
import { Timers } from './timers.ts';
import { maskPassword } from './trace.ts';
import type { SipLocal, SipPeer } from './transport.ts';
import { isSamePlace, Unreachable } from './transport.ts';
import { hostReference, parseNameAddress, parseUri } from './uri.ts';
import { ALLOW_HEADER, newTag } from './userAgent.ts';
import { seenPlace } from './via.ts';

const ASKED_SECONDS = 600;
/** A registrar that demands more is refused. */
const MOST_SECONDS = 86_400;
/** A shorter binding lapses between two refreshes. */
const LEAST_REFRESH_SECONDS = 5;
const CLOSE_MS = 2000;
const MOST_BACK_OFF_SECONDS = 60;
const MOST_RETRY_AFTER_SECONDS = 3600;
/** Refusals after which a line that was registered before stays unregistered, as others do after the first. */
const MOST_REFUSALS = 5;
/** Attempts of one refresh with another interval or address. */
const MOST_CORRECTIONS = 2;
const MOST_SERVICE_ROUTE_CHARACTERS = 2000;
const MOST_REASON_CHARACTERS = 300;

/** Repeating the request can't help, or is a guess at a password. */
const DEFINITE: readonly RegistrationFailure[] = ['wrongLogin', 'forbidden', 'notFound', 'unusable', 'protocol'];

/** By status, or by the kind of a refusal. */
const FAILURES: Readonly<Record<string, RegistrationFailure>> = {
  unauthorized: 'wrongLogin',
  notFound: 'notFound',
  noAnswer: 'timeout',
  403: 'forbidden',
  482: 'loop',
  483: 'loop',
};

/** A response that leaves this side without a binding. */
class Refusal extends Error {
  readonly failure: RegistrationFailure;
  readonly status: number;
  /** In seconds. */
  readonly retryAfter: number;

  constructor({ status, headers }: SipResponse, message: string, failure: RegistrationFailure = 'protocol') {
    super(maskPassword(message).replaceAll(/\p{C}/gu, '').slice(0, MOST_REASON_CHARACTERS));
    this.status = status;
    this.failure = failure;
    const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10);
    this.retryAfter = seconds > 0 ? Math.min(seconds, MOST_RETRY_AFTER_SECONDS) : 0;
  }
}

function refusalBy(response: SipResponse, digest: DigestClient | undefined): Refusal {
  const { status } = response;
  const { kind, reason, advice } = refusalEnd(response);
  const words = `SIP ${String(status)} ${reason}${advice === undefined ? '' : ` (${advice})`}`;
  const failure = FAILURES[status] ?? FAILURES[kind] ?? (status >= 500 ? 'unavailable' : 'protocol');
  if (failure !== 'wrongLogin') return new Refusal(response, words, failure);
  return digest?.asksAnew
    ? new Refusal(response, `it asks for another login than before: ${words}`)
    : new Refusal(response, `it refuses the login: ${words}`, failure);
}

/** Keeps one binding of a line at its registrar (RFC 3261 section 10.2). */
export class LineRegistration implements Registration, RegisteredLine {
  readonly line: string;
  readonly #context: LegContext;
  readonly #options: RegisterOptions;
  readonly #onChange: ((state: RegistrationState) => void) | undefined;
  readonly #digest: DigestClient | undefined;
  readonly #timers: Timers;
  readonly #stopped = new AbortController();
  readonly #callId = `${newTag()}${newTag()}`;
  readonly #tag = newTag();
  /** A parameter of the Contact, so that a call to it shows which line it is for. */
  readonly #token = newTag();
  readonly #user: string;
  readonly #addressOfRecord: string;
  #state: RegistrationState = { state: 'registering' };
  #serviceRoute: readonly string[] = [];
  #sequence = 0;
  #asked = ASKED_SECONDS;
  #hop: Hop | undefined;
  /** Where the registrar sees `local`, if elsewhere. */
  #seen: { readonly local: SipLocal; readonly host: string; readonly port: number } | undefined;
  /** The Contact that the registrar may have, and an earlier one that is to be removed. */
  #contact: string | undefined;
  #oldContact: string | undefined;
  #wasRegistered = false;
  /** In a row. */
  #failures = 0;
  #refusals = 0;
  #release: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    context: LegContext,
    line: string,
    options: RegisterOptions,
    onChange?: (state: RegistrationState) => void,
  ) {
    this.line = line;
    this.#context = context;
    this.#options = options;
    this.#onChange = onChange;
    this.#digest = options.credentials && new DigestClient(options.credentials);
    this.#timers = new Timers(context.clock, context.onFault);
    this.#user = options.user.toWellFormed().replaceAll(/[^\w.!~*'()+-]/gu, encodeURIComponent);
    const { scheme = 'sip', host = '' } = parseUri(options.registrar) ?? {};
    this.#addressOfRecord = `${scheme}:${this.#user}@${hostReference(host)}`;
  }

  get state(): RegistrationState {
    return this.#state;
  }
  get srtp(): SrtpPolicy | undefined {
    return this.#options.srtp;
  }
  get serviceRoute(): readonly string[] {
    return this.#serviceRoute;
  }

  start(): void {
    void this.#attempt();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  get way(): Way {
    return this.#options;
  }

  at(hop: Hop): Hop {
    if (this.#hop && this.#hop.local.protocol !== hop.local.protocol) return hop;
    return { ...hop, local: { ...hop.local, contact: `<${this.#contactAt(hop.local)}>` } };
  }

  /** Returns true if `uri` is the Contact. From the registrar's host, the user alone is enough. */
  isCalledAs(uri: string, from?: SipPeer): boolean {
    const { user, params } = parseUri(uri) ?? {};
    if (user !== this.#user || this.#closing) return false;
    return from ? from.host === this.#hop?.peer.host : params?.get('line') === this.#token;
  }

  #contactAt(local: SipLocal): string {
    const { host, port } = this.#placeOf(local);
    return `${this.#context.userAgent.addressAt({ ...local, host, port }, this.#user)};line=${this.#token}`;
  }

  #placeOf(local: SipLocal): { readonly host: string; readonly port: number } {
    return this.#seen && isSamePlace(this.#seen.local, local) ? this.#seen : local;
  }

  async #close(): Promise<void> {
    this.#stopped.abort();
    this.#rest();
    if (this.#contact !== undefined) await this.#ask(0, CLOSE_MS).catch(() => undefined);
    this.#change({ state: 'closed' });
  }

  /** Until the next attempt, nothing is sent. */
  #rest(): void {
    this.#timers.stopAll();
    this.#release?.();
    this.#release = undefined;
  }

  async #attempt(): Promise<void> {
    this.#rest();
    try {
      await this.#register();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #register(): Promise<void> {
    for (let corrections = 0; ; corrections++) {
      const { response, hop } = await this.#ask(this.#asked, this.#context.noResponseTimeoutMs);
      if (this.#closing) return;
      const mayCorrect = corrections < MOST_CORRECTIONS;
      if (response.status === 423 && mayCorrect && this.#asksLonger(response)) continue;
      if (response.status >= 300) throw refusalBy(response, this.#digest);
      if (mayCorrect && this.#hasMoved(response, hop.local)) continue;
      this.#accepted(response, hop);
      return;
    }
  }

  #ask(seconds: number, timeoutMs: number): ReturnType<typeof sendStandalone> {
    return sendStandalone(this.#context.userAgent, {
      method: 'REGISTER',
      target: this.#options.registrar,
      way: this.#options,
      digest: this.#digest,
      timeoutMs,
      ...(seconds > 0 && { signal: this.#stopped.signal }),
      fields: (hop) => {
        this.#hop = hop;
        const contact = this.#contactAt(hop.local);
        if (contact !== this.#contact) [this.#oldContact, this.#contact] = [this.#contact, contact];
        const old = this.#oldContact;
        return [
          ['From', `<${this.#addressOfRecord}>;tag=${this.#tag}`],
          ['To', `<${this.#addressOfRecord}>`],
          ['Call-ID', this.#callId],
          ['CSeq', `${String(++this.#sequence)} REGISTER`],
          ['Contact', `<${contact}>;expires=${String(seconds)}`],
          ...(old === undefined ? [] : [['Contact', `<${old}>;expires=0`] as const]),
          ['Expires', String(seconds)],
          ['Supported', 'path'],
          ALLOW_HEADER,
        ];
      },
    });
  }

  /** RFC 3261 section 10.2.8. */
  #asksLonger({ headers }: SipResponse): boolean {
    const least = Number.parseInt(headers.get('Min-Expires') ?? '', 10);
    if (!(least > this.#asked && least <= MOST_SECONDS)) return false;
    this.#asked = least;
    return true;
  }

  /** Notices the address of this side that the registrar's Via shows (RFC 3581), unless the settings name one. */
  #hasMoved(response: SipResponse, local: SipLocal): boolean {
    if (this.#options.nat?.publicHost !== undefined) return false;
    const seen = seenPlace(topVia(response));
    const host = seen?.host ?? local.host;
    // A connection's own port isn't where an agent listens that also accepts connections.
    const port = seen && (local.protocol === 'UDP' || host !== local.host) ? seen.port : local.port;
    const known = this.#placeOf(local);
    if (host === known.host && port === known.port) return false;
    this.#seen = { local, host, port };
    return true;
  }

  #accepted(response: SipResponse, hop: Hop): void {
    const granted = this.#secondsIn(response);
    if (granted === undefined) throw new Refusal(response, "it accepted, but doesn't list this side's Contact");
    if (granted <= 0) throw new Refusal(response, 'it accepted, but the registration ended at once');
    const serviceRoute = response.headers.list('Service-Route');
    if (!areRoutes(serviceRoute)) throw new Refusal(response, 'its Service-Route is unusable');
    const now = this.#context.clock.now();
    const seconds = Math.min(granted, this.#asked);
    [this.#hop, this.#oldContact, this.#serviceRoute] = [hop, undefined, serviceRoute];
    [this.#wasRegistered, this.#failures, this.#refusals] = [true, 0, 0];
    // Spread, so that the lines of many agents don't come together.
    const refresh = Math.max(LEAST_REFRESH_SECONDS, seconds * (0.75 + 0.15 * Math.random()));
    this.#timers.start('next', 1000 * refresh, () => void this.#attempt());
    this.#release = this.#context.userAgent.hold(hop, (why) => this.#failed(why));
    const since = this.#state.state === 'registered' ? (this.#state.since ?? now) : now;
    this.#change({ state: 'registered', since, until: now + 1000 * seconds, status: response.status });
  }

  /** Returns the seconds of this side's binding; the shortest, if it is listed more than once. */
  #secondsIn({ headers }: SipResponse): number | undefined {
    const own = parseUri(this.#contact ?? '');
    const usual = secondsOf(headers.get('Expires')) ?? this.#asked;
    const bindings = headers.list('Contact').flatMap((value) => {
      const { uri = '', params } = parseNameAddress(value) ?? {};
      const contact = parseUri(uri);
      const isSame = contact?.user === this.#user && contact.host === own?.host && contact.port === own.port;
      // A registrar can list the address from which the request came.
      const isOwn = isSame || contact?.params.get('line') === this.#token;
      return isOwn ? [secondsOf(params?.get('expires')) ?? usual] : [];
    });
    return bindings.length === 0 ? undefined : Math.min(...bindings);
  }

  #failed(error: unknown): void {
    if (this.#closing) return;
    this.#rest();
    const cause = error instanceof Refusal ? error : Unreachable.by(error);
    const { failure, message: reason } = cause;
    const [status, retryAfter] = cause instanceof Refusal ? [cause.status, cause.retryAfter] : [undefined, 0];
    const state = { state: 'failed', failure, reason, ...(status !== undefined && { status }) } as const;
    this.#failures++;
    if (DEFINITE.includes(failure) && ++this.#refusals >= (this.#wasRegistered ? MOST_REFUSALS : 1)) {
      if (cause instanceof Refusal) this.#contact = undefined;
      this.#change(state);
      return;
    }
    const backOff = Math.min(MOST_BACK_OFF_SECONDS, 2 ** (this.#failures - 1));
    const wait = 1000 * Math.max(backOff, retryAfter) * (1 + 0.2 * Math.random());
    this.#timers.start('next', wait, () => void this.#attempt());
    const { until } = this.#state;
    this.#change({ ...state, retryAt: this.#context.clock.now() + wait, ...(until !== undefined && { until }) });
  }

  #change(state: RegistrationState): void {
    this.#state = state;
    try {
      this.#onChange?.(state);
    } catch (error) {
      this.#context.onFault(error);
    }
  }
}

const secondsOf = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;

const areRoutes = (routes: readonly string[]): boolean =>
  routes.join('').length <= MOST_SERVICE_ROUTE_CHARACTERS &&
  routes.every((route) => parseUri(parseNameAddress(route)?.uri ?? '') !== undefined);
