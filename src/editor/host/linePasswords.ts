import type { Lines } from '../../contract/lines.ts';
import { passwordVariable } from '../../model/calls/linePlan.ts';
import type { Basics } from '../basics/createBasics.ts';
import { StoredSecrets } from './storedSecrets.ts';

/** Passwords of lines by line name. */
export class LinePasswords extends StoredSecrets {
  constructor(secrets: Basics['secrets']) {
    super(secrets, (name) => `dialtree.linePassword ${name}`);
  }

  async readAll(lines: Lines): Promise<string[]> {
    return (await Promise.all(Object.keys(lines).map((name) => this.read(name)))).filter(
      (password) => password !== undefined,
    );
  }
}

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
