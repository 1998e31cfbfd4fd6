import { HumanError } from '../../contract/errors.ts';
import { ivrFileSchema } from '../../contract/ivrFile.ts';
import { problemText } from '../../model/files/fileProblem.ts';
import { readJsonFile } from '../../model/files/jsonFile.ts';
import { loadIvr, type IvrSource } from '../../practice/ivrSource.ts';
import { readInputFile, shownPath } from '../terminal/inputFile.ts';

/** Loads a practice IVR. Rejects with a HumanError (400) that has one line for each problem in the file. */
export async function loadIvrFile(place: string, cwd: string): Promise<IvrSource> {
  const read = await readIvr(place, cwd);
  if ('ivr' in read) return read;
  throw new HumanError(
    read.length > 0
      ? read.join('\n')
      : `Couldn't read the practice IVR ${shownPath(place, cwd)}. Check the path and its permissions.`,
    { status: 400, code: 'ivr_invalid' },
  );
}

/** Returns an IVR, or the problems in its file. Returns undefined if the file can't be read. */
export async function readIvr(place: string, cwd: string): Promise<IvrSource | readonly string[]> {
  const text = await readInputFile(place);
  if (typeof text !== 'string') return text.refused === true ? [`${shownPath(place, cwd)}: ${text.why}`] : [];
  const checked = readJsonFile(text, shownPath(place, cwd), ivrFileSchema);
  if ('problems' in checked) return checked.problems.map(problemText);
  try {
    return await loadIvr(place);
  } catch (error) {
    if (error instanceof HumanError) return [error.message];
    throw error;
  }
}
