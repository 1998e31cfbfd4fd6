import type { SecretStorage } from 'vscode';
import type { Lines } from '../../contract/lines.ts';
import { passwordVariable } from '../../model/calls/linePlan.ts';

/** Passwords of lines by line name. They are only in the secret storage. */
export class LinePasswords {
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  constructor(secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>) {
    this.#secrets = secrets;
  }

  async read(name: string): Promise<string | undefined> {
    return this.#secrets.get(secretName(name));
  }
  async store(name: string, password: string): Promise<void> {
    await this.#secrets.store(secretName(name), password);
  }
  async clear(name: string): Promise<void> {
    await this.#secrets.delete(secretName(name));
  }

  async readAll(lines: Lines): Promise<string[]> {
    return (await Promise.all(Object.keys(lines).map((name) => this.read(name)))).filter(
      (password) => password !== undefined,
    );
  }
}

const secretName = (name: string): string => `dialtree.linePassword ${name}`;

/**
 * Returns the environment variables that pass the passwords to the embedded service, as `dialtree serve` reads them.
 * All names are present, even if empty, so that the editor's own environment doesn't count.
 */
export async function lineEnvironment(
  lines: Lines,
  passwords: Pick<LinePasswords, 'read'>,
): Promise<Readonly<Record<string, string>>> {
  const storedPasswords = await Promise.all(
    Object.entries(lines).map(
      async ([name, { user }]) =>
        [passwordVariable(name), user === undefined ? '' : ((await passwords.read(name)) ?? '')] as const,
    ),
  );
  return { DIALTREE_LINE_PASSWORDS: '', ...Object.fromEntries(storedPasswords) };
}
