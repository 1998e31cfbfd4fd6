import type { SecretStorage } from 'vscode';
import type { Lines } from '../../contract/lines.ts';
import { passwordVariable } from '../../model/calls/linePlan.ts';

/** Passwords of lines, by the name of the line. They lie in the secret storage only. */
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

  /** Those of lines that log in. */
  async readAll(lines: Lines): Promise<string[]> {
    return (await Promise.all(Object.keys(lines).map((name) => this.read(name)))).filter(
      (password) => password !== undefined,
    );
  }
}

const secretName = (name: string): string => `dialtree.linePassword ${name}`;

/**
 * What the embedded service learns of the passwords by its environment, as `dialtree serve` reads it.
 * All names are there, also the empty ones: what the editor itself was started with does not count.
 */
export async function lineEnvironment(
  lines: Lines,
  passwords: Pick<LinePasswords, 'read'>,
): Promise<Readonly<Record<string, string>>> {
  const given = await Promise.all(
    Object.entries(lines).map(
      async ([name, { user }]) =>
        [passwordVariable(name), user === undefined ? '' : ((await passwords.read(name)) ?? '')] as const,
    ),
  );
  return { DIALTREE_LINE_PASSWORDS: '', ...Object.fromEntries(given) };
}
