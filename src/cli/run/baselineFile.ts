import { writeFile } from 'node:fs/promises';
import { thinBaselineText, withoutFiles } from '../report/baseline.ts';
import { summarise } from '../report/cases.ts';
import { jsonReport, readBaseline } from '../report/jsonReport.ts';
import type { Baseline, Report } from '../report/report.ts';
import { readNamed } from '../terminal/inputFile.ts';
import { note } from '../terminal/output.ts';
import type { LoadedTest } from './testFiles.ts';

export async function loadBaseline(file: string): Promise<Baseline> {
  const bytes = await readNamed(
    file,
    `Couldn't read the baseline ${file}. Check the path, or create a baseline with --write-baseline in a run with good results.`,
  );
  // Editors and shells on Windows write a byte order mark, which the decoder removes. With >, the file can be UTF-16.
  return readBaseline(
    new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes),
    file,
  );
}

/** Leaves out tests that are in the files but weren't selected. */
export function baselineOf({ tests }: Baseline, all: readonly LoadedTest[], chosen: readonly LoadedTest[]): Baseline {
  const chosenTests = new Set(chosen);
  return {
    tests: withoutFiles(
      tests,
      all.filter((test) => !chosenTests.has(test)).map(({ id, source }) => ({ id, path: source.file })),
    ),
  };
}

/**
 * Writes the report as a baseline. A baseline must contain a whole run, because tests that it lacks would be new to the
 * next run. Returns false if it can't be written.
 */
export async function writeBaseline(file: string, report: Report): Promise<boolean> {
  const { cases, missing } = summarise(report);
  if (report.cutOff !== undefined || report.nothing !== undefined || missing.length > 0) {
    note(
      `The baseline ${file} wasn't written: ${report.cutOff ?? report.nothing ?? "this run didn't place all its calls."} A baseline needs a complete run.`,
    );
    return true;
  }
  try {
    await writeFile(file, jsonReport(report));
  } catch (error) {
    note(`Couldn't write the baseline ${file} (${error instanceof Error ? error.message : String(error)}).`);
    return false;
  }
  const thin = thinBaselineText(cases);
  if (thin !== undefined) note(`Baseline ${file}: ${thin}`);
  return true;
}
