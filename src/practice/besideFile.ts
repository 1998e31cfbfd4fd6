import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../contract/errors.ts';

/**
 * Returns the file that another one names by a relative path. It must be inside the repository that contains both (the
 * nearest folder with a `.git`), the folder of the naming file, or `alsoIn`, because files can come from anywhere, and
 * they name what is read and played.
 * @throws HumanError 400 `outside`
 */
export async function besideFile(file: string, name: string, alsoIn?: string): Promise<string> {
  const own = path.dirname(path.resolve(file));
  const place = path.resolve(own, name);
  const roots = [own, await repositoryOf(own), alsoIn].filter((root) => root !== undefined);
  if (!roots.some((root) => isIn(root, place))) throw outside(name);
  // Reading the file reports that it is missing.
  const real = await realpath(place).catch(() => undefined);
  if (real === undefined || real === place) return place;
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  if (!realRoots.some((root) => isIn(root, real))) throw outside(name);
  return place;
}

/** Returns the nearest folder with a `.git`, from this one upwards. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    // In a linked work tree, this is a file.
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
