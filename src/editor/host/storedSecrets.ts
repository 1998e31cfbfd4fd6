import type { Basics } from '../basics/createBasics.ts';

/** Secrets of one kind. They are only in the secret storage. */
export class StoredSecrets {
  readonly #secrets: Basics['secrets'];
  readonly #nameOf: (subject: string) => string;

  /** @param nameOf returns the name of a subject's secret in the storage */
  constructor(secrets: Basics['secrets'], nameOf: (subject: string) => string) {
    this.#secrets = secrets;
    this.#nameOf = nameOf;
  }

  async read(subject: string): Promise<string | undefined> {
    return this.#secrets.get(this.#nameOf(subject));
  }
  async store(subject: string, secret: string): Promise<void> {
    await this.#secrets.store(this.#nameOf(subject), secret);
  }
  async clear(subject: string): Promise<void> {
    await this.#secrets.delete(this.#nameOf(subject));
  }
}
