import type { MediaDescription } from 'sdp-transform';
import type { SrtpKey } from '../rtp/srtp.ts';
import { MATERIAL_BYTES, SRTP_SUITES } from '../rtp/srtp.ts';

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
  return attributes.flatMap(({ id: tag, suite: name, config, sessionConfig }) => {
    const [, encoded = '', exponent, packets] = INLINE.exec(config) ?? [];
    const lifetime = exponent === undefined ? Number(packets ?? Infinity) : 2 ** Number(exponent);
    const suite = SRTP_SUITES.find((one) => one === name);
    if (suite === undefined || (sessionConfig ?? '') !== '' || lifetime < SHORTEST_LIFETIME) return [];
    const material = Buffer.from(encoded, 'base64');
    const isUsable = Number.isInteger(tag) && tag < 1e9 && material.length === MATERIAL_BYTES;
    return isUsable ? [{ tag, key: { suite, material } }] : [];
  });
}

export const writeCrypto = ({ tag, key }: CryptoLine): CryptoAttribute => ({
  id: tag,
  suite: key.suite,
  config: `inline:${Buffer.from(key.material).toString('base64')}`,
});
