import type { SecretStorage } from 'vscode';

/** The keys of remote services, one for each origin, so that no service is ever shown another one's key. They lie in the secret storage only. */
export class ApiKeys {
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  constructor(secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>) {
    this.#secrets = secrets;
  }

  async read(url: string): Promise<string | undefined> {
    return this.#secrets.get(name(url));
  }

  async store(url: string, key: string): Promise<void> {
    await this.#secrets.store(name(url), key);
  }

  async clear(url: string): Promise<void> {
    await this.#secrets.delete(name(url));
  }
}

const name = (url: string): string => `dialtree.key ${new URL(url).origin}`;
