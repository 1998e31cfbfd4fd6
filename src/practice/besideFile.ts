import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../contract/errors.ts';

/**
 * The file that another one names by its path from there, which leads to no place outside of the repository that holds
 * both (the nearest folder with a `.git`), of the folder of the one that names it, and of `alsoIn`: files come from
 * anywhere, and name what is read and played.
 * @throws HumanError 400 `outside`
 */
export async function besideFile(file: string, name: string, alsoIn?: string): Promise<string> {
  const own = path.dirname(path.resolve(file));
  const place = path.resolve(own, name);
  const roots = [own, await repositoryOf(own), alsoIn].filter((root) => root !== undefined);
  if (!roots.some((root) => isIn(root, place))) throw outside(name);
  // What is not there is told by whoever reads it.
  const real = await realpath(place).catch(() => undefined);
  if (real === undefined || real === place) return place;
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  if (!realRoots.some((root) => isIn(root, real))) throw outside(name);
  return place;
}

/** The nearest folder with a `.git`, from this one on upwards. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    // A file in a linked work tree.
    if (
      await stat(path.join(at, '.git')).then(
        () => true,
        () => false,
      )
    )
      return at;
    if (at === path.dirname(at)) return undefined;
  }
}

function isIn(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

const outside = (name: string): HumanError =>
  new HumanError(
    `${name} is outside the repository or folder of the file that names it, so Dialtree doesn't read it. Put it next to that file, or in the same repository.`,
    { status: 400, code: 'outside' },
  );
