import { splitPath } from '../reading/relativePath.ts';
import { relativePath } from '../reading/relativePath.ts';
import { inSlot } from './slot.ts';
import type { Cursor, Suggestion } from './suggestion.ts';

/** Suggests files and folders beside the file, and inside a folder once it is typed. */
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
