import type { L10n } from '../../basics/localise.ts';
import type { FolderContent, FileContext } from '../reading/fileContext.ts';
import { isTooLong, type ParsedFile } from '../../folders/parsedFile.ts';
import type { Finding } from './finding.ts';
import { ivrFindings } from './ivrFindings.ts';
import { testFindings } from './testFindings.ts';
import { treeFindings } from './treeFindings.ts';

/** Returns all problems of a file that its schema doesn't cover, in text order. */
export async function findFindings(file: ParsedFile, around: FileContext, l10n: L10n): Promise<Finding[]> {
  if (isTooLong(file.text)) return [tooLong(l10n)];
  const found = await allOf(file, { ...around, list: once(around.list) }, l10n);
  return found.sort((one, other) => one.offset - other.offset);
}

/** Reports that this file is too long for the checks that other files get. */
const tooLong = (l10n: L10n): Finding => ({
  code: 'too-long',
  severity: 'information',
  offset: 0,
  length: 1,
  message: l10n.t(
    'This file is too long to be checked in the editor. Split it, or shorten it to 2 million characters.',
  ),
});

function allOf(file: ParsedFile, around: FileContext, l10n: L10n): Promise<Finding[]> | Finding[] {
  switch (file.kind) {
    case 'ivr':
      return ivrFindings(file, around, l10n);
    case 'calltree':
      return treeFindings(file, l10n);
    case 'mission':
    case 'calltest':
      return testFindings(file, around, l10n);
  }
}

/** Many recordings can be in one folder, so it is listed once. */
function once(list: FileContext['list']): FileContext['list'] {
  const known = new Map<string, Promise<FolderContent | undefined>>();
  return (folder) => {
    const content = known.get(folder) ?? list(folder);
    known.set(folder, content);
    return content;
  };
}
