import type { FileProblem, FilePlace } from '../../model/files/fileProblem.ts';
import { wordHunks } from '../../model/heard/wordDiff.ts';
import { eachOnce, stepBlocks, type StepBlock } from '../../model/report/runBlocks.ts';
import { stepNamed, type TestFile } from '../../model/tests/testFile.ts';
import type { RunEnding } from '../../runner/runTest.ts';
import { shownMessage } from '../basics/errors.ts';
import type { L10n } from '../basics/localise.ts';
import { matchWords } from '../basics/words/outcomeWords.ts';

/** Why a test didn't pass, at the place in its file that says what was expected. */
export interface Failure {
  readonly message: string;
  /** In the test's file by default. Undefined if no place is to blame. */
  readonly at?: FilePlace & { readonly file?: string };
  readonly compare?: { readonly expected: string; readonly heard: string; readonly step: number };
  /** The failed run. Absent if nothing was run. */
  readonly runId?: string;
}

export const problemFailure = ({ message, file, line, column }: FileProblem): Failure => ({
  message,
  at: { file, line, column },
});

export const testFailureOf = (error: unknown, l10n: L10n): Failure => ({
  message: shownMessage(error, l10n),
});

/**
 * Returns one failure per step that failed the run. If there is none, returns the judge's reasoning on a mission, and
 * the run's own reason.
 */
export function failuresOf({ results, mission }: RunEnding, file: TestFile, l10n: L10n): Failure[] {
  // Steps that weren't reached after a failure add nothing.
  const failed = stepBlocks(results).filter(({ isToBlame, optional }) => isToBlame && optional !== true);
  if (failed.length > 0) return failed.map((step) => stepFailure(step, file, l10n));
  const sentences = eachOnce([mission?.judgeReasoning, results.reason, results.hangUp?.sentence]);
  return [
    {
      message: sentences.length > 0 ? sentences.join(' ') : l10n.t("The run didn't record a reason."),
      at: file.placeOf([file.kind === 'mission' ? 'acceptance' : 'name']),
    },
  ];
}

function stepFailure(step: StepBlock, file: TestFile, l10n: L10n): Failure {
  const { number, name, reason, similarity = 1, expectedTranscript, transcript } = step;
  const index = number - 1;
  const match = matchWords(step, l10n);
  const how = match === undefined ? [] : [`${match}.`];
  return {
    message: [
      file.kind === 'probe' ? l10n.t('Check {0}, “{1}”:', number, name) : l10n.t('Step {0}, “{1}”:', number, name),
      ...how,
      reason ?? l10n.t('failed'),
    ].join(' '),
    at: stepPlace(file, name, index),
    ...(expectedTranscript !== undefined &&
      transcript !== undefined &&
      similarity < 1 && {
        compare: { ...fromFirstChange(expectedTranscript, transcript), step: index },
      }),
  };
}

/** The editor's short form of a comparison shows only the ends of both texts. */
function fromFirstChange(expected: string, heard: string): { expected: string; heard: string } {
  const hunks = wordHunks(expected, heard);
  const first = hunks.findIndex((hunk) => !hunk.common && hunk.expected !== '');
  if (!hunks.slice(0, Math.max(first, 0)).some(({ common }) => common)) return { expected, heard };
  const rest = (side: 'expected' | 'heard'): string =>
    ['…', ...hunks.slice(first).map((hunk) => hunk[side])].filter((text) => text !== '').join(' ');
  return { expected: rest('expected'), heard: rest('heard') };
}

/** @see stepNamed */
export function stepPlace(file: TestFile, name: string, index: number): FilePlace {
  if (file.kind === 'mission') return file.placeOf(['acceptance']);
  const [list, all] =
    file.kind === 'probe' ? (['checks', file.test.checks] as const) : (['steps', file.test.steps] as const);
  const found = stepNamed(all, name, index);
  return file.placeOf(found < 0 ? ['name'] : [list, found]);
}
