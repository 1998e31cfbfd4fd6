import type { Node } from 'jsonc-parser';
import { didYouMean } from '../../../model/files/didYouMean.ts';
import type { L10n } from '../../basics/localise.ts';
import { outsideText } from '../../folders/reach.ts';
import type { FileContext } from '../reading/fileContext.ts';
import { kindOf } from '../../folders/parsedFile.ts';
import { isRelative, splitPath } from '../reading/relativePath.ts';
import { change, finding, type FileFinding, type Remedy } from './finding.ts';

const suffixOf = (name: string): string => (kindOf(name) === 'ivr' ? '.ivr.json' : (/\.[^.]*$/.exec(name)?.[0] ?? ''));

/**
 * Reports a referenced file that is missing or out of reach. `creation` is set if the file can be created, with its
 * content unless that is the template of its kind. `suggests`: compares the name with those of all files of the folder.
 */
export async function missingFile(
  node: Node | undefined,
  { list, reaches }: FileContext,
  l10n: L10n,
  creation?: { readonly content?: string },
  suggests = true,
): Promise<FileFinding[]> {
  const path: unknown = node?.value;
  if (!node || typeof path !== 'string' || path.startsWith('${')) return [];
  // The schema rejects absolute paths in tests. Recordings can have any path.
  if (isRelative(path) ? !reaches(path) : !creation && /^(?:\/|[A-Za-z]:)/.test(path))
    return [finding('error', 'outside-file', node, outsideText(path, l10n))];
  if (!isRelative(path)) return [];
  const [folder, name] = splitPath(path);
  let around: Awaited<ReturnType<typeof list>>;
  try {
    around = await list(folder);
  } catch {
    return [];
  }
  if (around?.get(name) === 'file') return [];
  const suffix = suffixOf(name);
  const near = didYouMean(
    name,
    [...((suggests && around) || [])]
      .filter(([other, kind]) => kind === 'file' && other.endsWith(suffix))
      .map(([other]) => other),
  );
  const meant = near === undefined ? undefined : folder === '.' && !path.startsWith('./') ? near : `${folder}/${near}`;
  const remedies = (): Remedy[] => [
    ...(meant === undefined ? [] : [change(node, meant, l10n)]),
    ...(creation ? [{ kind: 'create', title: l10n.t('Create {0}', path), path, ...creation } as const] : []),
  ];
  const told =
    around?.get(name) === 'folder'
      ? l10n.t('{0} is a folder, not a file.', path)
      : l10n.t("The file {0} doesn't exist.", path);
  const message = meant === undefined ? told : `${told} ${l10n.t('Did you mean "{0}"?', meant)}`;
  return [finding('error', 'missing-file', node, message, { remedies })];
}
