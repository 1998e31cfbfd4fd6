import path from 'node:path';
import type { EnvironmentChoice } from '../../model/tests/environment.ts';
import { UsageError } from '../command.ts';
import { loadIvrFile } from '../ivr/ivrFile.ts';
import { loadTests as readTests, type LoadedTest } from '../run/testFiles.ts';
import { shownPath } from '../terminal/inputFile.ts';

/** The called side of a load test: a number or address, or a practice IVR. */
export interface LoadTarget {
  /** The file that named it, as shown to the user. */
  readonly file: string;
  readonly name: string;
  readonly kind: 'test' | 'ivr';
  /** E.164 number or SIP URI. Absent if there is an IVR. */
  readonly phoneNumber?: string;
  /** The practice IVR's name, and the absolute path of its file. */
  readonly ivr?: { readonly name: string; readonly file: string };
  readonly script?: LoadedTest;
}

/** Reads the target. Rejects with a UsageError, or with a HumanError (400) that lists each problem in the file. */
export async function readLoadTarget(file: string, cwd: string, choice?: EnvironmentChoice): Promise<LoadTarget> {
  const place = path.resolve(cwd, file);
  if (place.endsWith('.ivr.json')) {
    const { ivr } = await loadIvrFile(place, cwd);
    return { file: shownPath(place, cwd), name: ivr.name, kind: 'ivr', ivr: { name: ivr.name, file: place } };
  }
  if (!/\.(calltest|mission)\.json$/.test(place))
    throw new UsageError(
      `${file} doesn't name a number or a practice IVR. Give a *.calltest.json, *.mission.json or *.ivr.json file.`,
    );
  const [test] = await readTests([place], cwd, choice);
  if (!test) throw new UsageError(`${file} doesn't contain a test. Give another file.`);
  const { source, ivr } = test;
  return {
    file: source.file,
    name: source.test.name,
    kind: 'test',
    script: test,
    ...(ivr
      ? { ivr: { name: ivr.ivr.name, file: ivr.file } }
      : source.test.phoneNumber !== undefined && { phoneNumber: source.test.phoneNumber }),
  };
}
