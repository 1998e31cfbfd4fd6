import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { HumanError } from '../../contract/errors.ts';
import { calltreeSuffix, readCalltree } from '../../model/tree/calltree.ts';
import { problemText } from '../../model/files/fileProblem.ts';
import { readNamed } from '../terminal/inputFile.ts';

/** Loads the tree of a `*.calltree.json` file. Problems in it count as wrong usage. */
export async function loadCalltree(file: string): Promise<CalltreeFile> {
  const bytes = await readNamed(
    file,
    `Couldn't read ${file}. Check the path. \`dialtree map … --save NAME${calltreeSuffix}\` creates such a file.`,
  );
  const read = readCalltree(bytes.toString('utf8'), file);
  if ('problems' in read) throw new HumanError(read.problems.map(problemText).join('\n'), { status: 400 });
  return read.value;
}
