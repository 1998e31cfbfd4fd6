import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}
/** OWASP's scrypt setting for 32 MiB per password, with the p that keeps a sign-in near a tenth of a second. */
const cost: Cost = { logN: 15, r: 8, p: 1 };
const keyBytes = 32,
  saltBytes = 16;
/** The cost is part of the text, so that passwords stored with an older cost still work. */
const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

export const passwordLength = { min: 12, max: 200 } as const;

/** Returns what is wrong with a new password, for the person who chose it, or undefined if it is acceptable. */
export function passwordTrouble(password: string): string | undefined {
  const { length } = [...password];
  if (length < passwordLength.min) return `Choose a password of at least ${String(passwordLength.min)} characters.`;
  if (length > passwordLength.max) return `Choose a password of up to ${String(passwordLength.max)} characters.`;
  return undefined;
}

/** `$scrypt$ln=15,r=8,p=1$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost, keyBytes);
  return `$scrypt$ln=${String(cost.logN)},r=${String(cost.r)},p=${String(cost.p)}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** Takes as long without `stored`, to hide who has an account. Rejects if `stored` isn't a hash of Dialtree. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  if (stored === undefined) {
    await derive(password, Buffer.alloc(saltBytes), cost, keyBytes);
    return false;
  }
  const [, logN, r, p, salt, hash] = form.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('a stored password has the wrong form');
  const right = Buffer.from(hash, 'base64url');
  const derivedKey = await derive(
    password,
    Buffer.from(salt, 'base64url'),
    { logN: Number(logN), r: Number(r), p: Number(p) },
    right.length,
  );
  return timingSafeEqual(derivedKey, right);
}

/** The same letters can be composed or not, depending on keyboard and system (NIST SP 800-63B, section 5.1.1.2). */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost, length: number): Promise<Buffer> {
  const N = 2 ** logN;
  return new Promise((resolve, reject) => {
    // Node's default limit is exactly what this cost needs, and refuses it.
    scrypt(password.normalize('NFKC'), salt, length, { N, r, p, maxmem: 2 * 128 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
