import { createHash, randomBytes } from 'node:crypto';
import { splitOutside } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { tagOf } from './message.ts';
import type { SipPeer } from './transport.ts';
import { isSamePlace } from './transport.ts';
import { quote, unquote } from './uri.ts';

/** RFC 7616 and 8760; strongest first. */
export const DIGEST_ALGORITHMS = ['SHA-512-256', 'SHA-256', 'MD5'] as const;
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

const HASHES: Readonly<Record<DigestAlgorithm, string>> = {
  'SHA-512-256': 'sha512-256',
  'SHA-256': 'sha256',
  MD5: 'md5',
};

interface Credentials {
  readonly user: string;
  readonly password: string;
}

interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: DigestAlgorithm;
  readonly opaque: string | undefined;
  readonly qop: boolean;
  readonly stale: boolean;
}

/** The input of a digest response. Without `nc` and `cnonce`, it is the form without qop (RFC 2069). */
interface DigestInput {
  readonly algorithm: DigestAlgorithm;
  readonly user: string;
  readonly realm: string;
  readonly password: string;
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  readonly nc?: string;
  readonly cnonce?: string;
}

/** The response value, RFC 7616 section 3.4.1, in lower-case hex. */
export function digestResponse(input: DigestInput): string {
  const hash = (text: string): string => createHash(HASHES[input.algorithm]).update(text, 'utf8').digest('hex');
  const ha1 = hash(`${input.user}:${input.realm}:${input.password}`);
  const ha2 = hash(`${input.method}:${input.uri}`);
  const middle = input.nc === undefined ? input.nonce : `${input.nonce}:${input.nc}:${input.cnonce ?? ''}:auth`;
  return hash(`${ha1}:${middle}:${ha2}`);
}

/** Returns the parameters of a Digest challenge or of Digest credentials; undefined for another scheme. */
export function parseDigest(value: string): Map<string, string> | undefined {
  const space = value.indexOf(' ');
  if (value.slice(0, space).toLowerCase() !== 'digest') return undefined;
  const params = new Map<string, string>();
  for (const part of splitOutside(value.slice(space + 1), ',')) {
    const equals = part.indexOf('=');
    if (equals > 0) params.set(part.slice(0, equals).trim().toLowerCase(), unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

/** Returns the strongest supported challenge of a 401 or 407 (RFC 8760 section 2.4) that `suits` accepts. */
export function chooseChallenge(
  values: readonly string[],
  suits: (challenge: DigestChallenge) => boolean = () => true,
): DigestChallenge | undefined {
  let best: DigestChallenge | undefined;
  for (const value of values) {
    const params = parseDigest(value);
    const realm = params?.get('realm'),
      nonce = params?.get('nonce');
    const algorithm = DIGEST_ALGORITHMS.find((name) => name === (params?.get('algorithm') ?? 'MD5').toUpperCase());
    if (!params || realm === undefined || nonce === undefined || !algorithm) continue;
    const offered = params.get('qop');
    const qop = offered?.split(',').some((option) => option.trim().toLowerCase() === 'auth') ?? false;
    if (offered !== undefined && !qop) continue;
    if (best && isAsStrong(best.algorithm, algorithm)) continue;
    const challenge = {
      realm,
      nonce,
      algorithm,
      opaque: params.get('opaque'),
      qop,
      stale: params.get('stale')?.toLowerCase() === 'true',
    };
    if (suits(challenge)) best = challenge;
  }
  return best;
}

const isAsStrong = (one: DigestAlgorithm, other: DigestAlgorithm): boolean =>
  DIGEST_ALGORITHMS.indexOf(one) <= DIGEST_ALGORITHMS.indexOf(other);

type AuthorizationHeader = 'Authorization' | 'Proxy-Authorization';
const MAX_CHALLENGES = 8;

/** Who requested the credentials, how, and where. */
interface DigestRequest {
  readonly header: AuthorizationHeader;
  readonly challenge: DigestChallenge;
  readonly peer: SipPeer;
}

/**
 * A caller's memory of the challenge to its first request, for one call. That request goes to the line's address, so
 * its challenger may choose realm and algorithm. From then on these are fixed: credentials go only to that address, and
 * a later challenge counts only with the same realm, the same header field and an algorithm of the same strength;
 * within a dialog also only with `qop`. Otherwise, a callee could have a nonce of its choice answered with MD5, and
 * guess the password offline.
 */
export class DigestClient {
  readonly #credentials: Credentials;
  readonly #newClientNonce: () => string;
  #asked: DigestRequest | undefined;
  readonly #uses = new Map<string, number>();
  #learned = 0;
  /** The last challenge wasn't permitted after the one before. */
  asksAnew = false;

  constructor(credentials: Credentials, newClientNonce = (): string => randomBytes(12).toString('hex')) {
    this.#credentials = credentials;
    this.#newClientNonce = newClientNonce;
  }

  /** True if `request` is worth repeating to `peer`: the challenge is permitted, and the credentials aren't wrong. */
  learn(response: SipResponse, request: SipRequest, peer: SipPeer): boolean {
    if (response.status !== 401 && response.status !== 407) return false;
    const proxy = response.status === 407;
    const header = proxy ? 'Proxy-Authorization' : 'Authorization';
    const isInDialog = tagOf(request, 'To') !== undefined;
    const known = this.#asked;
    this.asksAnew = known !== undefined;
    if (known ? known.header !== header || !isSamePlace(known.peer, peer) : isInDialog) return false;
    const challenge = chooseChallenge(
      response.headers.all(proxy ? 'Proxy-Authenticate' : 'WWW-Authenticate'),
      ({ realm, algorithm, qop }) =>
        (!known || (realm === known.challenge.realm && isAsStrong(algorithm, known.challenge.algorithm))) &&
        (qop || !isInDialog),
    );
    this.asksAnew &&= !challenge;
    if (!challenge || ++this.#learned > MAX_CHALLENGES) return false;
    const refused = request.headers.has(header) && !challenge.stale && !this.#ranOut();
    this.#asked = { header, challenge, peer };
    return !refused;
  }

  /**
   * Begins an exchange outside a dialog with the line's address, which may lead to another peer than before. Realm,
   * header field and the least strength of the algorithm stay.
   */
  renew(peer: SipPeer): void {
    this.#learned = 0;
    if (!this.#asked) return;
    this.#asked = { ...this.#asked, peer };
    for (const nonce of this.#uses.keys()) if (nonce !== this.#asked.challenge.nonce) this.#uses.delete(nonce);
  }

  /** Adds credentials to a request that is about to be sent to `peer`, if that peer requested them. */
  apply(request: SipRequest, peer: SipPeer): void {
    if (!this.#asked || !isSamePlace(this.#asked.peer, peer)) return;
    const { header, challenge } = this.#asked;
    request.headers.set(header, this.authorize(challenge, request.method, request.uri));
  }

  /** Returns the value of Authorization or Proxy-Authorization for one request. */
  authorize(challenge: DigestChallenge, method: string, uri: string): string {
    const { user, password } = this.#credentials;
    const { realm, nonce, algorithm, opaque, qop } = challenge;
    const use = (this.#uses.get(nonce) ?? 0) + 1;
    this.#uses.set(nonce, use);
    const counted = qop ? { nc: use.toString(16).padStart(8, '0'), cnonce: this.#newClientNonce() } : {};
    const response = digestResponse({ algorithm, user, realm, password, method, uri, nonce, ...counted });
    const parts = [
      `username=${quote(user)}`,
      `realm=${quote(realm)}`,
      `nonce=${quote(nonce)}`,
      `uri=${quote(uri)}`,
      `response="${response}"`,
      `algorithm=${algorithm}`,
    ];
    if (counted.nc !== undefined) parts.push('qop=auth', `nc=${counted.nc}`, `cnonce="${counted.cnonce}"`);
    if (opaque !== undefined) parts.push(`opaque=${quote(opaque)}`);
    return `Digest ${parts.join(', ')}`;
  }

  /** A nonce that worked before and is refused now has expired, though not every server says `stale`. */
  #ranOut(): boolean {
    return this.#asked !== undefined && (this.#uses.get(this.#asked.challenge.nonce) ?? 0) > 1;
  }
}
