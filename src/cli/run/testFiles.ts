import { HumanError } from '../../contract/errors.ts';
import { problemText, type FileProblem } from '../../model/files/fileProblem.ts';
import type { EnvironmentChoice } from '../../model/tests/environment.ts';
import { readTestFile, type TestFile } from '../../model/tests/testFile.ts';
import { besideFile } from '../../practice/besideFile.ts';
import type { IvrSource } from '../../practice/ivrSource.ts';
import { testIdOf } from '../../runner/testId.ts';
import { readIvr } from '../ivr/ivrFile.ts';
import { readInputFile, shownPath } from '../terminal/inputFile.ts';

export interface LoadedTest {
  /** @see testIdOf */
  readonly id: string;
  readonly source: TestFile;
  readonly path: string;
  readonly ivr?: IvrSource;
}

/**
 * Reads and checks all files. `file` in places and problems is relative to `cwd`. Rejects with a HumanError (400) that
 * has one line per problem.
 */
export async function loadTests(
  files: readonly string[],
  cwd: string,
  choice?: EnvironmentChoice,
): Promise<LoadedTest[]> {
  const problems: string[] = [];
  const ivrs = new Map<string, Promise<IvrSource | readonly string[]>>();
  const tests: LoadedTest[] = [];
  for (const file of files) {
    const shown = shownPath(file, cwd);
    const text = await readInputFile(file);
    if (typeof text !== 'string') {
      problems.push(`${shown}: ${text.why}`);
      continue;
    }
    const source = await readTestFile(text, shown, (name) => readBeside(file, name, cwd), choice);
    if ('problems' in source) {
      problems.push(...source.problems.map(problemText));
      continue;
    }
    const ivr = await ivrOf(source, file, ivrs, cwd);
    if (ivr && 'problems' in ivr) {
      problems.push(...ivr.problems);
      continue;
    }
    tests.push({ id: await testIdOf(source.test.id, file), source, path: file, ...(ivr && { ivr }) });
  }
  problems.push(...sameIds(tests).map(problemText));
  if (problems.length > 0) throw new HumanError([...new Set(problems)].join('\n'), { status: 400, code: 'test_files' });
  return tests;
}

/** Reads what a file names by a relative path. Rejects with a HumanError 400 `no_file`, `file_unreadable` or `outside`. */
export async function readBeside(
  file: string,
  name: string,
  cwd: string,
): Promise<{ readonly text: string; readonly file: string }> {
  const place = await besideFile(file, name, cwd);
  const text = await readInputFile(place);
  if (typeof text !== 'string')
    throw new HumanError(`${shownPath(place, cwd)}: ${text.why}`, {
      status: 400,
      code: /\((?:ENOENT|ENOTDIR)\)/.test(text.why) ? 'no_file' : 'file_unreadable',
    });
  return { text, file: shownPath(place, cwd) };
}

type IvrProblems = { readonly problems: readonly string[] };

async function ivrOf(
  { test: { ivr }, problemAt }: TestFile,
  file: string,
  ivrs: Map<string, Promise<IvrSource | readonly string[]>>,
  cwd: string,
): Promise<IvrSource | IvrProblems | undefined> {
  if (ivr === undefined) return undefined;
  let place: string;
  try {
    place = await besideFile(file, ivr, cwd);
  } catch (error) {
    if (error instanceof HumanError) return { problems: [problemText(problemAt(['ivr'], error.message))] };
    throw error;
  }
  const reading = ivrs.get(place) ?? readIvr(place, cwd);
  ivrs.set(place, reading);
  const read = await reading;
  if ('ivr' in read) return read;
  return {
    problems:
      read.length > 0
        ? read
        : [
            problemText(
              problemAt(
                ['ivr'],
                `Couldn't read the practice IVR ${shownPath(place, cwd)}. Check the path, which is relative to the folder of the test file.`,
              ),
            ),
          ],
  };
}

function sameIds(tests: readonly LoadedTest[]): FileProblem[] {
  const first = new Map<string, string>();
  return tests.flatMap(({ id, source }) => {
    const other = first.get(id.toLowerCase());
    if (other === undefined) {
      first.set(id.toLowerCase(), source.file);
      return [];
    }
    return [
      source.problemAt(
        ['id'],
        `${other} also has this id. Remove the id from the copy, so that it has a history of its own.`,
      ),
    ];
  });
}
