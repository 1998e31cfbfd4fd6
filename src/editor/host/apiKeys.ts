import type { SecretStorage } from 'vscode';

/**
 * Keys of web services, one per origin, so that no service receives another one's key. They are only in the secret
 * storage.
 */
export class ApiKeys {
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  readonly #kind: string;

  /** @param kind of service: keys of different kinds are separate, even with the same origin */
  constructor(secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>, kind: 'key' | 'modelKey' | 'agentKey') {
    this.#secrets = secrets;
    this.#kind = kind;
  }

  async read(url: string): Promise<string | undefined> {
    return this.#secrets.get(this.#name(url));
  }

  async store(url: string, key: string): Promise<void> {
    await this.#secrets.store(this.#name(url), key);
  }

  async clear(url: string): Promise<void> {
    await this.#secrets.delete(this.#name(url));
  }

  #name(url: string): string {
    return `dialtree.${this.#kind} ${new URL(url).origin}`;
  }
}
