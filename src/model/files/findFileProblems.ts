import { ivrFileSchema } from '../../contract/ivrFile.ts';
import { calltreeSuffix, readCalltree } from '../tree/calltree.ts';
import type { EnvironmentChoice, ReadBeside } from '../tests/environment.ts';
import { readTestFile } from '../tests/testFile.ts';
import type { FileProblem } from './fileProblem.ts';
import { readJsonFile } from './jsonFile.ts';

/** Returns what is wrong with a file that people edit, of any kind. `file` is its name in the problems. */
export async function findFileProblems(
  text: string,
  file: string,
  readBeside: ReadBeside,
  choice?: EnvironmentChoice,
): Promise<readonly FileProblem[]> {
  const read = file.endsWith('.ivr.json')
    ? readJsonFile(text, file, ivrFileSchema)
    : file.endsWith(calltreeSuffix)
      ? readCalltree(text, file)
      : await readTestFile(text, file, readBeside, choice);
  return 'problems' in read ? read.problems : [];
}
