import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs short texts with the store's secret. `purpose` prevents a signature of one kind from being used as another. */
export class Signer {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** base64url, 43 characters. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.#secret).update(`${purpose}\0${text}`).digest('base64url');
  }

  verify(purpose: string, text: string, signature: string): boolean {
    const signatureBytes = Buffer.from(signature, 'base64url');
    const right = Buffer.from(this.sign(purpose, text), 'base64url');
    return signatureBytes.length === right.length && timingSafeEqual(signatureBytes, right);
  }
}
