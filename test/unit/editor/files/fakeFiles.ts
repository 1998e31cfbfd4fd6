import { posix } from 'node:path';
import { applyEdits } from 'jsonc-parser';
import type { Edit } from 'jsonc-parser';
import type { FileFinding } from '../../../../src/editor/files/findings/finding.ts';
import { checkFile } from '../../../../src/editor/files/findings/findings.ts';
import { kindOf, parseFile } from '../../../../src/editor/folders/parsedFile.ts';
import type { ParsedFile } from '../../../../src/editor/folders/parsedFile.ts';
import { isWithinReach } from '../../../../src/editor/folders/reach.ts';
import { fileSummaryOf } from '../../../../src/editor/folders/workspaceIndex.ts';
import type { IndexedFile } from '../../../../src/editor/folders/workspaceIndex.ts';
import { english, uuid } from '../fakes.ts';
import type { FolderContent, FileContext } from '../../../../src/editor/files/reading/fileContext.ts';

/** Marks the cursor in a text. */
const cursor = '¦';

/** A file in a folder `/w`, and the position of the cursor in it. */
export function file(name: string, marked: string): ParsedFile & { readonly offset: number } {
  const kind = kindOf(name);
  if (!kind) throw new Error(`${name} is no file of ours.`);
  const text = marked.replace(cursor, '');
  return { ...parseFile(kind, `file:///w/${name}`, text), offset: Math.max(0, marked.indexOf(cursor)) };
}

/** A folder with these files, by name. */
export function folder(
  contents: Readonly<Record<string, string>>,
): FileContext & { readonly files: readonly IndexedFile[] } {
  const paths = Object.keys(contents);
  const files = paths.flatMap((path): IndexedFile[] => {
    const kind = kindOf(path);
    return kind ? [fileSummaryOf(kind, `file:///w/${path}`, contents[path]!)] : [];
  });
  let made = 0;
  return {
    routes: { '+49*': { uri: 'sip:{number}@trunk.example.com' } },
    files,
    list: async (within) => {
      const prefix = within === '.' ? '' : `${within}/`;
      const inside = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      if (inside.length === 0 && prefix !== '') return undefined;
      return new Map(
        inside.map((path): [string, 'file' | 'folder'] => [
          path.split('/')[0]!,
          path.includes('/') ? 'folder' : 'file',
        ]),
      ) satisfies FolderContent;
    },
    read: async (path) => {
      const text = contents[path];
      if (text === undefined) throw new Error(`There is no ${path}.`);
      return text;
    },
    // Only the folder `/w` is open.
    reaches: (path) => isWithinReach('file:///w/x', `file://${posix.join('/w', path)}`, ['file:///w']),
    filesWithId: (id) => files.filter((other) => other.id === id),
    newId: () => uuid((made += 1)),
    criterion: () => ({}),
  };
}

/** Each finding in one line: severity, code, and the text that it marks. */
export async function found(parsed: ParsedFile, around: FileContext = folder({})): Promise<string[]> {
  return (await checkFile(parsed, around, english)).map(
    ({ severity, code, offset, length }) => `${severity} ${code} ${parsed.text.slice(offset, offset + length)}`,
  );
}

export async function findingOf(
  parsed: ParsedFile,
  code: string,
  around: FileContext = folder({}),
): Promise<FileFinding> {
  const finding = (await checkFile(parsed, around, english)).find((one) => one.code === code);
  if (!finding) throw new Error(`There is no finding ${code}.`);
  return finding;
}

/** The text after applying the fix with this title. */
export function applyFix(parsed: ParsedFile, finding: FileFinding, title: string): string {
  const remedy = finding.remedies?.().find((one) => one.title === title);
  if (remedy?.kind !== 'edit') throw new Error(`There is no edit “${title}”: ${JSON.stringify(finding.remedies?.())}`);
  return applyEdits(parsed.text, [...remedy.edits] as Edit[]);
}
