import { randomBytes } from 'node:crypto';
import type { MediaDescription } from 'sdp-transform';
import type { SrtpKey, SrtpSuite } from '../rtp/srtp.ts';
import { materialBytes, SRTP_SUITES } from '../rtp/srtp.ts';

type CryptoAttribute = NonNullable<MediaDescription['crypto']>[number];

/** One usable `a=crypto` line (RFC 4568 section 9.1): the key with which its writer encrypts. */
export interface CryptoLine {
  readonly tag: number;
  readonly key: SrtpKey;
}

/** One key without an MKI, which this side doesn't read. */
const INLINE = /^inline:([A-Za-z0-9+/]+={0,2})(?:\|(?:2\^(\d{1,2})|(\d{1,15})))?$/;
/** Packets, six hours of audio. Keys aren't replaced during a call, so a shorter-lived one can't be used. */
const SHORTEST_LIFETIME = 2 ** 20;

/** Returns the usable lines, in the writer's order of preference. Session parameters make a line unusable. */
export function readCryptos(attributes: readonly CryptoAttribute[] = []): CryptoLine[] {
  return attributes.flatMap(({ id: tag, suite, config, sessionConfig }) => {
    const [, encoded = '', exponent, packets] = INLINE.exec(config) ?? [];
    const lifetime = exponent === undefined ? Number(packets ?? Infinity) : 2 ** Number(exponent);
    if (!isSuite(suite) || (sessionConfig ?? '') !== '' || lifetime < SHORTEST_LIFETIME) return [];
    const material = Buffer.from(encoded, 'base64');
    const isUsable = Number.isInteger(tag) && tag < 1e9 && material.length === materialBytes(suite);
    return isUsable ? [{ tag, key: { suite, material } }] : [];
  });
}

export const writeCrypto = ({ tag, key }: CryptoLine): CryptoAttribute => ({
  id: tag,
  suite: key.suite,
  config: `inline:${Buffer.from(key.material).toString('base64')}`,
});

export const newCrypto = (tag: number, suite: SrtpSuite): CryptoLine => ({
  tag,
  key: { suite, material: randomBytes(materialBytes(suite)) },
});

/** Returns a new key for each suite. */
export const newCryptos = (): CryptoLine[] =>
  Object.keys(SRTP_SUITES)
    .filter(isSuite)
    .map((suite, index) => newCrypto(index + 1, suite));

function isSuite(name: unknown): name is SrtpSuite {
  return typeof name === 'string' && Object.hasOwn(SRTP_SUITES, name);
}
