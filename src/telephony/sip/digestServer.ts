import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { DigestAlgorithm } from './digest.ts';
import { DIGEST_ALGORITHMS, digestResponse, parseDigest } from './digest.ts';
import type { SipRequest } from './message.ts';
import { parseUri, quote } from './uri.ts';

export type DigestVerdict = 'accepted' | 'missing' | 'stale' | 'wrong';

const NONCE_LIFETIME_MS = 300_000;
const MAX_NONCES = 10_000;

/** Challenges requests and judges the answers (RFC 3261 section 22, RFC 8760). */
export class DigestServer {
  readonly #realm: string;
  readonly #passwordOf: (user: string) => string | undefined;
  readonly #algorithms: readonly DigestAlgorithm[];
  readonly #clock: Clock;
  /** Nonces handed out, oldest first, with their birth and the highest count used. */
  readonly #nonces = new Map<string, { born: number; count: number }>();

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

  /** The WWW-Authenticate fields of a 401, strongest algorithm first (RFC 8760 section 2.3). */
  challenge(stale: boolean): (readonly [string, string])[] {
    const nonce = randomBytes(16).toString('hex');
    this.#nonces.set(nonce, { born: this.#clock.now(), count: 0 });
    const oldest = this.#nonces.keys().next();
    if (this.#nonces.size > MAX_NONCES && oldest.done !== true) this.#nonces.delete(oldest.value);
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
    const nc = params.get('nc'),
      cnonce = params.get('cnonce');
    const counted = params.get('qop') === undefined ? {} : { nc: nc ?? '', cnonce: cnonce ?? '' };
    if (
      digestResponse({
        algorithm,
        user,
        realm: this.#realm,
        password,
        method: request.method,
        uri,
        nonce,
        ...counted,
      }) !== response.toLowerCase()
    )
      return 'wrong';
    const known = this.#nonces.get(nonce);
    if (!known || this.#clock.now() - known.born > NONCE_LIFETIME_MS) return 'stale';
    const count = nc === undefined ? known.count + 1 : Number.parseInt(nc, 16);
    // A count that was used before is a replay (RFC 7616 section 3.4).
    if (!(count > known.count)) return 'stale';
    known.count = count;
    return 'accepted';
  }
}

/** RFC 7616 section 3.4.6 wants both to mean the same; phones and sipp leave out the user, proxies rewrite it. */
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
