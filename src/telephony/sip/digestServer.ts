import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { DigestAlgorithm } from './digest.ts';
import { DIGEST_ALGORITHMS, digestResponse, parseDigest } from './digest.ts';
import type { SipRequest } from './message.ts';
import { cseqOf, tagOf } from './message.ts';
import { parseUri, quote } from './uri.ts';

type DigestVerdict = 'accepted' | 'missing' | 'stale' | 'wrong';

const NONCE_LIFETIME_MS = 300_000;
/** A request that is repeated within this time gets the same nonce again (RFC 3261 section 8.2.7). */
const NONCE_WINDOW_MS = 10_000;
const MAX_COUNTED_NONCES = 10_000;

/** The counted and sealed part of the response if the client used a quality of protection (RFC 7616 section 3.4). */
const countOf = (params: ReadonlyMap<string, string>): { readonly nc?: string; readonly cnonce?: string } =>
  params.get('qop') === undefined ? {} : { nc: params.get('nc') ?? '', cnonce: params.get('cnonce') ?? '' };

/** Returns the time window in which it was created. */
const windowOf = (nonce: string): number => Number.parseInt(nonce, 16);

/**
 * Challenges requests and verifies the answers (RFC 3261 section 22, RFC 8760). Stores nothing for clients that don't
 * know a password, because a nonce proves itself.
 */
export class DigestServer {
  readonly #realm: string;
  readonly #passwordOf: (user: string) => string | undefined;
  readonly #algorithms: readonly DigestAlgorithm[];
  readonly #clock: Clock;
  readonly #secret = randomBytes(32);
  /** The highest count of each authenticated nonce, oldest first. */
  readonly #counts = new Map<string, number>();
  /** Uses of nonces from this window and earlier may have been dropped, so these nonces aren't valid any more. */
  #forgotten = -1;

  constructor(
    options: {
      realm: string;
      passwordOf: (user: string) => string | undefined;
      algorithms?: readonly DigestAlgorithm[];
    },
    clock: Clock,
  ) {
    this.#realm = options.realm;
    this.#passwordOf = options.passwordOf;
    this.#algorithms = options.algorithms ?? DIGEST_ALGORITHMS;
    this.#clock = clock;
  }

  /** Returns the WWW-Authenticate fields of the 401 to `request`, strongest algorithm first (RFC 8760 section 2.3). */
  challenge(request: SipRequest, stale: boolean): (readonly [string, string])[] {
    const nonce = this.#nonceFor(request);
    return this.#algorithms.map(
      (algorithm) =>
        [
          'WWW-Authenticate',
          `Digest realm=${quote(this.#realm)}, nonce="${nonce}", qop="auth", algorithm=${algorithm}${stale ? ', stale=TRUE' : ''}`,
        ] as const,
    );
  }

  verify(request: SipRequest): DigestVerdict {
    let verdict: DigestVerdict = 'missing';
    for (const value of request.headers.all('Authorization')) {
      verdict = this.#judge(request, value);
      if (verdict === 'accepted') return verdict;
    }
    return verdict;
  }

  #judge(request: SipRequest, value: string): DigestVerdict {
    const params = parseDigest(value);
    const user = params?.get('username'),
      uri = params?.get('uri'),
      nonce = params?.get('nonce'),
      response = params?.get('response');
    if (
      !params ||
      user === undefined ||
      uri === undefined ||
      nonce === undefined ||
      response === undefined ||
      params.get('realm') !== this.#realm
    )
      return 'missing';
    const algorithm = this.#algorithms.find((name) => name === (params.get('algorithm') ?? 'MD5').toUpperCase());
    const password = this.#passwordOf(user);
    if (!algorithm || password === undefined || !sameServer(uri, request.uri)) return 'wrong';
    if (
      digestResponse({
        algorithm,
        user,
        realm: this.#realm,
        password,
        method: request.method,
        uri,
        nonce,
        ...countOf(params),
      }) !== response.toLowerCase()
    )
      return 'wrong';
    return this.#isFresh(nonce) && this.#countUse(nonce, params) ? 'accepted' : 'stale';
  }

  /**
   * Returns false if the count (`nc`, hexadecimal) was used before: a replay (RFC 7616 section 3.4). Without a quality
   * of protection nothing seals a count, so a nonce is valid once.
   */
  #countUse(nonce: string, params: ReadonlyMap<string, string>): boolean {
    const used = this.#counts.get(nonce) ?? 0;
    const { nc } = countOf(params);
    if (nc === undefined ? used > 0 : !(Number.parseInt(nc, 16) > used)) return false;
    this.#counts.set(nonce, nc === undefined ? Infinity : Number.parseInt(nc, 16));
    const oldest = this.#counts.keys().next();
    if (this.#counts.size > MAX_COUNTED_NONCES && oldest.done !== true) {
      this.#counts.delete(oldest.value);
      this.#forgotten = Math.max(this.#forgotten, windowOf(oldest.value));
    }
    return true;
  }

  /** When it was created, what it was created for, and the seal of both. */
  #nonceFor(request: SipRequest): string {
    const window = Math.floor(this.#clock.now() / NONCE_WINDOW_MS).toString(16);
    const purpose = this.#sealOf(
      JSON.stringify([request.headers.get('Call-ID'), tagOf(request, 'From'), cseqOf(request).number]),
    );
    return `${window}-${purpose}-${this.#sealOf(`${window}-${purpose}`)}`;
  }

  #isFresh(nonce: string): boolean {
    const [window = '', purpose = '', seal = ''] = nonce.split('-');
    const expected = Buffer.from(this.#sealOf(`${window}-${purpose}`)),
      given = Buffer.from(seal);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    const newWindow = windowOf(nonce);
    return newWindow > this.#forgotten && this.#clock.now() - newWindow * NONCE_WINDOW_MS <= NONCE_LIFETIME_MS;
  }

  #sealOf(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, 32);
  }
}

/** RFC 7616 section 3.4.6 requires both to mean the same; phones and sipp omit the user, proxies rewrite it. */
function sameServer(digestUri: string, requestUri: string): boolean {
  const ours = parseUri(requestUri),
    theirs = parseUri(digestUri);
  return (
    ours !== undefined &&
    theirs !== undefined &&
    ours.host.toLowerCase() === theirs.host.toLowerCase() &&
    ours.port === theirs.port
  );
}
