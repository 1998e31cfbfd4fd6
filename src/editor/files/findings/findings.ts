import type { L10n } from '../../basics/localise.ts';
import type { FolderContent, Surroundings } from '../index/surroundings.ts';
import type { ParsedFile } from '../reading/parsedFile.ts';
import type { Finding } from './finding.ts';
import { ivrFindings } from './ivrFindings.ts';
import { testFindings } from './testFindings.ts';
import { treeFindings } from './treeFindings.ts';

/** Everything about a file that its schema does not tell, in the order of the text. */
export async function findFindings(file: ParsedFile, around: Surroundings, l10n: L10n): Promise<Finding[]> {
  const found = await allOf(file, { ...around, list: once(around.list) }, l10n);
  return found.sort((one, other) => one.offset - other.offset);
}

function allOf(file: ParsedFile, around: Surroundings, l10n: L10n): Promise<Finding[]> | Finding[] {
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

/** Many recordings lie in one folder. */
function once(list: Surroundings['list']): Surroundings['list'] {
  const known = new Map<string, Promise<FolderContent | undefined>>();
  return (folder) => {
    const content = known.get(folder) ?? list(folder);
    known.set(folder, content);
    return content;
  };
}
