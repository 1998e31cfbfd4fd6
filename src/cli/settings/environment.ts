import { readFile, stat } from 'node:fs/promises';
import type { EnvironmentChoice } from '../../model/tests/environment.ts';
import { UsageError } from '../command.ts';

/** The options with which a command chooses the environment of tests, and gives the values of secrets. */
export const environmentOptions = { env: { type: 'string' }, secrets: { type: 'string' } } as const;
export const envHelp = 'the environment of dialtree.env.json to use; default: the default of that file';
export const environmentHelp = `  --env NAME             ${envHelp}
  --secrets FILE         values of \${secret:NAME}, as lines NAME=VALUE, in a file that only you can read (mode 600);
                         otherwise they come from the environment: DIALTREE_SECRET_NAME`;

const prefix = 'DIALTREE_SECRET_';
const mostBytes = 65_536;

/** The choice, and every value of a secret, which no log may contain. */
interface GivenEnvironment extends EnvironmentChoice {
  readonly values: readonly string[];
}

/** Rejects with a UsageError if the file of secrets can't be used. Its message contains no value. */
export async function readEnvironment(
  { env, secrets }: { readonly env?: string | undefined; readonly secrets?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GivenEnvironment> {
  const known = new Map(
    Object.entries(environment).flatMap(([name, value]): [string, string][] =>
      name.startsWith(prefix) && value !== undefined && value !== '' ? [[name.slice(prefix.length), value]] : [],
    ),
  );
  if (secrets !== undefined) for (const [name, value] of await readSecrets(secrets)) known.set(name, value);
  return { name: env, values: [...known.values()], secretOf: (name) => Promise.resolve(known.get(name)) };
}

async function readSecrets(file: string): Promise<readonly (readonly [string, string])[]> {
  const about = await stat(file).catch(() => undefined);
  if (about?.isFile() !== true || about.size > mostBytes)
    throw new UsageError(`--secrets takes a file of up to 64 KiB with lines NAME=VALUE, but ${file} isn't one.`);
  // Windows has no such modes.
  if (process.platform !== 'win32' && (about.mode & 0o077) !== 0)
    throw new UsageError(
      `Other users can read ${file}. Run chmod 600 on it, and change the secrets if others use this machine.`,
    );
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`Couldn't read ${file}. Check its permissions.`);
  });
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [, name = '', value = ''] = /^\s*(\w{1,40})\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '' || value === '') throw new UsageError(`${file}:${String(index + 1)}: Write NAME=VALUE.`);
    return [[name, value] as const];
  });
}
