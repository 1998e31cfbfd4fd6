import { createHash, randomBytes } from 'node:crypto';
import { splitOutside } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { quote, unquote } from './uri.ts';

/** RFC 7616 and 8760; strongest first. */
export const DIGEST_ALGORITHMS = ['SHA-512-256', 'SHA-256', 'MD5'] as const;
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

const HASHES: Readonly<Record<DigestAlgorithm, string>> = {
  'SHA-512-256': 'sha512-256',
  'SHA-256': 'sha256',
  MD5: 'md5',
};

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: DigestAlgorithm;
  readonly opaque: string | undefined;
  readonly qop: boolean;
  readonly stale: boolean;
}

/** What a digest response is computed of. Without `nc` and `cnonce` it is the form without qop (RFC 2069). */
export interface DigestInput {
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

/** The parameters of a Digest challenge or of Digest credentials; undefined for another scheme. */
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

/** The strongest challenge we can answer among the header fields of a 401 or 407 (RFC 8760 section 2.4). */
export function chooseChallenge(values: readonly string[]): DigestChallenge | undefined {
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
    if (best && DIGEST_ALGORITHMS.indexOf(best.algorithm) <= DIGEST_ALGORITHMS.indexOf(algorithm)) continue;
    best = {
      realm,
      nonce,
      algorithm,
      opaque: params.get('opaque'),
      qop,
      stale: params.get('stale')?.toLowerCase() === 'true',
    };
  }
  return best;
}

type AuthorizationHeader = 'Authorization' | 'Proxy-Authorization';
const MAX_CHALLENGES = 8;

/** A caller's memory of challenges, one call long: learns them from 401 and 407, authorises all later requests, and counts each nonce's uses. */
export class DigestClient {
  readonly #credentials: Credentials;
  readonly #newClientNonce: () => string;
  readonly #challenges = new Map<AuthorizationHeader, DigestChallenge>();
  readonly #uses = new Map<string, number>();
  #learned = 0;

  constructor(credentials: Credentials, newClientNonce = (): string => randomBytes(12).toString('hex')) {
    this.#credentials = credentials;
    this.#newClientNonce = newClientNonce;
  }

  /** True when `request` is worth sending again: the response challenges, and not because our credentials were wrong. */
  learn(response: SipResponse, request: SipRequest): boolean {
    if (response.status !== 401 && response.status !== 407) return false;
    const proxy = response.status === 407;
    const header = proxy ? 'Proxy-Authorization' : 'Authorization';
    const challenge = chooseChallenge(response.headers.all(proxy ? 'Proxy-Authenticate' : 'WWW-Authenticate'));
    if (!challenge || ++this.#learned > MAX_CHALLENGES) return false;
    const refused = request.headers.has(header) && !challenge.stale && !this.#ranOut(header);
    this.#challenges.set(header, challenge);
    return !refused;
  }

  /** Puts the credentials for all challenges known so far on a request that is about to be sent. */
  apply(request: SipRequest): void {
    for (const [header, challenge] of this.#challenges)
      request.headers.set(header, this.authorize(challenge, request.method, request.uri));
  }

  /** The value of Authorization or Proxy-Authorization for one request. */
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

  /** A nonce that served before and is refused now has run out, though not every server says `stale`. */
  #ranOut(header: AuthorizationHeader): boolean {
    const known = this.#challenges.get(header);
    return known !== undefined && (this.#uses.get(known.nonce) ?? 0) > 1;
  }
}
