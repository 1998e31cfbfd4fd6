import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patienceMs } from '../support/patience.ts';
import { skipFor } from '../support/skipFor.ts';

const folder = import.meta.dirname;
const marker = join(folder, 'node_modules/.installed');
const unreachable =
  /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH)|ERR_SOCKET_TIMEOUT|network request to .* failed/;

/**
 * Installs the clients of this folder's lock file if they are missing. They are too large to install for everyone who
 * works on the service. Returns the reason if no registry can be reached. Rejects in CI, and for any other error.
 */
export async function installClients(): Promise<string | undefined> {
  const lock = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  if ((await readFile(marker, 'utf8').catch(() => '')) === lock) return undefined;
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: folder,
      shell: process.platform === 'win32',
      maxBuffer: 1 << 24,
    });
  } catch (error) {
    const text = `${error instanceof Error ? error.message : ''} ${(error as { stderr?: string }).stderr ?? ''}`;
    if (!unreachable.test(text) || (process.env['CI'] ?? '') !== '') throw error;
    return `The programs of test/clients cannot be installed, the package registry is not reachable: ${/npm (?:error|ERR!).*/.exec(text)?.[0] ?? text.slice(0, 200)}`;
  }
  await writeFile(marker, lock);
  return undefined;
}

/** For `before`: skips the following tests, and prints the reason, if the clients aren't available. */
export async function clientsOrSkip(context: Mocha.Context): Promise<void> {
  const reason = await installClients();
  if (reason !== undefined) skipFor(context, reason);
}

/** Returns the path of a file of an installed package. */
export const installed = (packageFile: string): string => join(folder, 'node_modules', packageFile);

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command of an installed package to its end. */
export async function runClient(
  packageFile: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [installed(packageFile), ...args],
      { env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 1 << 24, timeout: patienceMs },
      (error, stdout, stderr) =>
        resolve({ status: error ? (typeof error.code === 'number' ? error.code : -1) : 0, stdout, stderr }),
    );
  });
}
