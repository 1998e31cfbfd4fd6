import { splitPath } from './missingFile.ts';
import { inSlot } from './slot.ts';
import type { Cursor, Suggestion } from './suggestion.ts';

/** Files and folders beside the file, and further in as folders are typed. */
export async function pathSuggestions(
  { file, offset, slot, source: { list, files } }: Cursor,
  suffix: string,
): Promise<Suggestion[]> {
  const typed =
    /^"?([^"\\\r\n]*)/.exec(file.text.slice(slot.offset, Math.min(offset, slot.offset + slot.length)))?.[1] ?? '';
  const [folder] = splitPath(typed);
  const prefix = folder === '.' && !typed.startsWith('./') ? '' : `${folder}/`;
  const around = /^\/|^[A-Za-z]:/.test(typed) ? undefined : await list(folder).catch(() => undefined);
  const here = [...(around ?? [])].flatMap(([name, kind]): Suggestion[] => {
    const path = `${prefix}${name}`;
    if (kind === 'folder')
      return name.startsWith('.') || name === 'node_modules'
        ? []
        : [{ label: `${path}/`, icon: 'folder', ...inSlot(slot, `${path}/`), sortText: `1${name}`, goesOn: true }];
    return name.endsWith(suffix) ? [{ label: path, icon: 'file', ...inSlot(slot, path), sortText: `0${name}` }] : [];
  });
  if (suffix !== '.ivr.json') return here;
  const known = new Set(here.map(({ label }) => label));
  const elsewhere = files
    .filter(({ kind }) => kind === 'ivr')
    .flatMap(({ uri, name }): Suggestion[] => {
      const path = relativePath(file.uri, uri);
      return path === undefined || known.has(path)
        ? []
        : [
            {
              label: path,
              icon: 'file',
              ...inSlot(slot, path),
              sortText: `2${path}`,
              ...(name !== undefined && { detail: name }),
            },
          ];
    });
  return [...here, ...elsewhere];
}

/** From one file to another by the folders between them; undefined where they lie on different machines. */
export function relativePath(from: string, to: string): string | undefined {
  const [start, end] = [partsOf(from), partsOf(to)];
  if (!start || !end || start.root !== end.root) return undefined;
  const folders = start.names.slice(0, -1);
  let common = 0;
  while (common < folders.length && common < end.names.length - 1 && folders[common] === end.names[common]) common += 1;
  return [...folders.slice(common).map(() => '..'), ...end.names.slice(common)].map(decoded).join('/');
}

function partsOf(uri: string): { readonly root: string; readonly names: readonly string[] } | undefined {
  const [, root, path] = /^([^:/]+:(?:\/\/[^/]*)?)(\/[^?#]*)$/.exec(uri) ?? [];
  return root === undefined || path === undefined
    ? undefined
    : { root: root.replace(/^untitled:.*/, 'file://'), names: path.slice(1).split('/') };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
