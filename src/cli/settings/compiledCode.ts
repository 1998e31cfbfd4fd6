import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';

/** Node reads what it compiled at an earlier start from this folder, and adds the rest when the process ends. */
type KeepIn = (directory: string) => unknown;

/** One version of the service takes up about 3 MB. */
const maxBytes = 16_000_000;

/**
 * Keeps the service's compiled code in the folder of `--data`, because compiling takes a third of the start. Only in a
 * local data folder that an earlier start created, and that is closed to other users. Never throws: without it, the
 * start is only slower. Node has this since 22.1.
 */
export function keepCompiled(
  args: readonly string[],
  keepIn: KeepIn | undefined = (nodeModule as { readonly enableCompileCache?: KeepIn }).enableCompileCache,
): void {
  const data = args[args.indexOf('--data') + 1];
  if (!keepIn || !args.includes('--data') || data === undefined) return;
  try {
    if (!isPrivate(data) || !lstatSync(join(data, 'api-key')).isFile()) return;
    const folder = join(data, 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    // Code of versions that are no longer used is never read again.
    if (bytesIn(folder) > maxBytes)
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    keepIn(folder);
  } catch {
    // Such as a folder that can't be written.
  }
}

function isPrivate(folder: string): boolean {
  const found = lstatSync(folder);
  return (
    found.isDirectory() &&
    (process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0))
  );
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
