import { HumanError } from '../../contract/errors.ts';
import { ivrFileSchema } from '../../contract/ivrFile.ts';
import { problemText } from '../../model/files/fileProblem.ts';
import { readJsonFile } from '../../model/files/jsonFile.ts';
import { loadIvr, type IvrSource } from '../../practice/ivrSource.ts';
import { readText, shownPath } from '../terminal/inputFile.ts';

/** A practice IVR; rejects with a HumanError (400) of one line for each thing that is wrong in its file. */
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

/** An IVR, or what is wrong in its file; nothing where the file cannot be read. */
export async function readIvr(place: string, cwd: string): Promise<IvrSource | readonly string[]> {
  const text = await readText(place);
  if (typeof text !== 'string') return text.tooLarge === true ? [`${shownPath(place, cwd)}: ${text.why}`] : [];
  const checked = readJsonFile(text, shownPath(place, cwd), ivrFileSchema);
  if ('problems' in checked) return checked.problems.map(problemText);
  try {
    return await loadIvr(place);
  } catch (error) {
    if (error instanceof HumanError) return [error.message];
    throw error;
  }
}
