import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A key is `dt_`, its public id of 8 characters, `_`, and a secret of 43 characters: 32 random bytes in base 62. Only
 * the secret's hash is stored.
 */
const keyForm = /^dt_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})$/;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = alphabet.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

export const createApiKey = (): string => `dt_${base62(randomBytes(8), 8)}_${base62(randomBytes(32), 43)}`;

export interface KeyParts {
  readonly id: string;
  readonly hash: Buffer;
}

export function parseApiKey(key: string): KeyParts | undefined {
  const [, id, secret] = keyForm.exec(key) ?? [];
  return id === undefined || secret === undefined
    ? undefined
    : { id, hash: createHash('sha256').update(secret).digest() };
}

export const sameHash = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
/** For comparison if the key doesn't exist, so that the response takes the same time. */
export const nobody = Buffer.alloc(32);

/** The part of a key that may be shown. */
export const keyPrefix = (id: string): string => `dt_${id}`;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** 32 random bytes, base64url. */
export const randomToken = (): string => randomBytes(32).toString('base64url');
