import type * as z from 'zod';
import { callTestFileSchema, type CallTestFile } from '../../contract/callTestFile.ts';
import { missionFileSchema, type MissionFile } from '../../contract/missionFile.ts';
import { probeFileSchema, type ProbeFile } from '../../contract/probeFile.ts';
import { findColumnProblems } from './columnUse.ts';
import { firstProblems, placeIn, type FileProblem, type FilePlace } from '../files/fileProblem.ts';
import { readJsonFile, type JsonFile, type Resolve } from '../files/jsonFile.ts';
import {
  readReferences,
  type EnvironmentChoice,
  type LaunchValues,
  type ReadBeside,
  type References,
} from './environment.ts';
import { readRows } from './rowsFile.ts';
import { findValueProblems } from './rowValues.ts';

interface Located {
  /** As the caller named it. */
  readonly file: string;
  /** Returns the position of a property or an entry, such as `['steps', 2]`. */
  readonly placeOf: (path: readonly (string | number)[]) => FilePlace;
  readonly problemAt: (path: readonly (string | number)[], message: string) => FileProblem;
  /** What each launch needs beside the test. */
  readonly launch?: LaunchValues;
  /** Replaces the references in the file, if it can have any. */
  readonly resolve?: Resolve;
}
/** `rows` are those of the file or of its rowsFile. */
export interface ScriptedTestFile extends Located {
  readonly kind: 'calltest';
  readonly test: Omit<CallTestFile, '$schema' | 'rowsFile'>;
  /** Returns where a row is: in this file, or in its rowsFile. */
  readonly rowAt: (row: number) => FilePlace & { readonly file: string };
}
export interface MissionTestFile extends Located {
  readonly kind: 'mission';
  readonly test: Omit<MissionFile, '$schema'>;
}
interface ProbeTestFile extends Located {
  readonly kind: 'probe';
  readonly test: Omit<ProbeFile, '$schema'>;
}
export type TestFile = ScriptedTestFile | MissionTestFile | ProbeTestFile;

export const testFileSuffixes = ['.calltest.json', '.mission.json', '.probe.json'] as const;
export const isTestFile = (name: string): boolean => testFileSuffixes.some((suffix) => name.endsWith(suffix));

/** Returns the index of the step with this name; -1 if there is none. Steps with the same name are distinguished by `index`. */
export const stepNamed = (steps: readonly { readonly name: string }[], name: string, index: number): number =>
  steps[index]?.name === name ? index : steps.findIndex((step) => step.name === name);

/** Returns the property that each result of a run is about. The results of a probe are those of its checks. */
export const resultPaths = (file: ScriptedTestFile | ProbeTestFile): readonly (readonly (string | number)[])[] =>
  file.kind === 'probe'
    ? file.test.checks.map((_check, index) => ['checks', index])
    : file.test.steps.map(({ heardBeforeAnswer }, index) => [
        ...['steps', index],
        heardBeforeAnswer === undefined ? 'expectedTranscript' : 'heardBeforeAnswer',
      ]);

/** Returns true if the text matches the schema of its file, without reading files beside it. */
export function isValidTest(text: string, file: string): boolean {
  const schema = file.endsWith('.mission.json')
    ? missionFileSchema
    : file.endsWith('.probe.json')
      ? probeFileSchema
      : callTestFileSchema;
  return 'value' in readJsonFile<z.ZodType>(text, file, schema);
}

const noChoice: EnvironmentChoice = { secretOf: () => Promise.resolve(undefined) };

/** Reads a test file, in the environment that its references need. */
export async function readTestFile(
  text: string,
  file: string,
  readBeside: ReadBeside,
  choice = noChoice,
): Promise<TestFile | { readonly problems: readonly FileProblem[] }> {
  const references = await readReferences(text, readBeside, choice);
  const { resolve } = references;
  if (file.endsWith('.mission.json')) {
    const read = readJsonFile(text, file, missionFileSchema, resolve);
    if ('problems' in read) return read;
    const { $schema: _schema, ...test } = read.value;
    return { kind: 'mission', ...located(file, read, references), test };
  }
  if (file.endsWith('.probe.json')) {
    const read = readJsonFile(text, file, probeFileSchema, resolve);
    if ('problems' in read) return read;
    const { $schema: _schema, ...test } = read.value;
    return { kind: 'probe', ...located(file, read, references), test };
  }
  if (!file.endsWith('.calltest.json'))
    return {
      problems: [
        {
          file,
          ...placeIn(text, 0),
          length: 1,
          message: `The name of a test file ends with ${testFileSuffixes.join(' or ')}.`,
        },
      ],
    };
  const read = readJsonFile(text, file, callTestFileSchema, resolve);
  if ('problems' in read) return read;
  const { $schema: _schema, rowsFile, ...rest } = read.value;
  const rows = await rowsOf(read, rowsFile, readBeside);
  if ('problems' in rows) return rows;
  const rowAt = (row: number): FilePlace & { readonly file: string } =>
    rows.at?.(row) ?? { file, ...read.placeOf(['rows', row]) };
  const problems = [
    ...findColumnProblems(rest.steps, rows.rows).map(({ path, message }) => read.problemAt(path, message)),
    ...findValueProblems(rest.steps, rows.rows ?? []).map(({ row, column, message: wrong }): FileProblem => {
      const message = `Row ${String(row + 1)}, ${wrong}`;
      return rowsFile === undefined
        ? read.problemAt(['rows', row, column], message)
        : { ...rowAt(row), length: 1, message };
    }),
  ];
  return problems.length > 0
    ? { problems: firstProblems(problems) }
    : {
        kind: 'calltest',
        ...located(file, read, references),
        rowAt,
        test: { ...rest, ...(rows.rows && { rows: rows.rows.map((row) => ({ ...row })) }) },
      };
}

const located = (
  file: string,
  { placeOf, problemAt }: JsonFile<unknown>,
  { resolve, launch }: References,
): Located => ({
  file,
  placeOf,
  problemAt,
  ...(resolve && { resolve }),
  ...(Object.keys(launch).length > 0 && { launch }),
});

async function rowsOf(
  read: JsonFile<CallTestFile>,
  rowsFile: string | undefined,
  readBeside: ReadBeside,
): Promise<
  | {
      readonly rows: CallTestFile['rows'];
      readonly at?: (row: number) => (FilePlace & { readonly file: string }) | undefined;
    }
  | { readonly problems: readonly FileProblem[] }
> {
  if (rowsFile === undefined) return { rows: read.value.rows };
  try {
    const { text, file } = await readBeside(rowsFile);
    const found = readRows(text, file);
    if ('problems' in found) return found;
    return {
      rows: [...found.rows],
      at: (row) => {
        const line = found.lines[row];
        return line === undefined ? undefined : { file, line, column: 1 };
      },
    };
  } catch (error) {
    return { problems: [read.problemAt(['rowsFile'], error instanceof Error ? error.message : String(error))] };
  }
}
