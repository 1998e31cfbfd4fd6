import type { SecretStorage } from 'vscode';

/**
 * Keys of web services, one for each origin, so that none is ever shown another one's key. They lie in the secret
 * storage only.
 */
export class ApiKeys {
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  readonly #kind: string;

  /** @param kind of service: keys of another kind are apart, also where the origin is the same */
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
