import { HumanError } from '../../contract/errors.ts';
import type { L10n } from '../basics/localise.ts';

/**
 * Limits which files a file can name by path. The file can come from anywhere, and it names what is read, played and
 * called. Addresses are URIs as text.
 */

const isIn = (folder: string, place: string): boolean => place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
const folderOf = (place: string): string => place.slice(0, place.lastIndexOf('/'));

/**
 * Returns true for paths within the folders that the user has opened, or, if the file is in none of them, within its
 * own folder.
 */
export const isWithinReach = (from: string, to: string, folders: readonly string[]): boolean =>
  (folders.some((folder) => isIn(folder, from)) ? folders : [folderOf(from)]).some((folder) => isIn(folder, to));

/**
 * Refuses files out of reach, by their path or by links in it. `realOf` resolves links, and rejects if the file doesn't
 * exist.
 * @throws HumanError 400 `outside`
 */
export async function assertWithinReach(
  { from, to, path }: { readonly from: string; readonly to: string; readonly path: string },
  folders: readonly string[],
  realOf: (place: string) => Promise<string>,
  l10n: L10n,
): Promise<void> {
  if (!isWithinReach(from, to, folders)) throw outside(path, l10n);
  const real = await realOf(to).catch(() => undefined);
  // Reading the file reports that it is missing.
  if (real === undefined || real === to) return;
  // A folder of the workspace can itself be a link, and its files may name each other.
  const within = await Promise.all([...folders, folderOf(from)].map((folder) => realOf(folder).catch(() => folder)));
  if (!within.some((folder) => isIn(folder, real))) throw outside(path, l10n);
}

const outside = (path: string, l10n: L10n): HumanError =>
  new HumanError(outsideText(path, l10n), { status: 400, code: 'outside' });

export const outsideText = (path: string, l10n: L10n): string =>
  l10n.t(
    "{0} is outside the open folders, so Dialtree can't read it. Move the file next to this one, or open a folder that contains both files.",
    path,
  );
