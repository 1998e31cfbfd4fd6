import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** DER (ITU-T X.690): a tag, a length, and content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const utcTime = (at: Date): Buffer =>
  der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`));
const yearMs = 365 * 24 * 3600 * 1000;
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

/**
 * Creates a self-signed certificate (RFC 5280) for these DNS names and IPv4 addresses, and its key; both PEM. Generated
 * for each use, so no key is stored.
 */
export function selfSigned({
  names = [],
  addresses = [],
  untilMs = yearMs,
}: {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  /** When it expires, in ms from now. */
  readonly untilMs?: number;
}): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('Dialtree test')))));
  const subjects = sequence(
    ...names.map((dns) => der(0x82, Buffer.from(dns))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  );
  const alternativeNames = sequence(oid(0x55, 0x1d, 0x11), der(0x04, subjects));
  const now = Date.now();
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(now - yearMs)), utcTime(new Date(now + untilMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames)),
  );
  const signature = createSign('SHA256').update(toSign).sign(privateKey);
  const whole = sequence(toSign, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
