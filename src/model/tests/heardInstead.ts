import { partsInOrder } from '../../base/partsInOrder.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import { areOpposites } from '../heard/rivals.ts';
import { spokenTokens } from '../heard/spokenTokens.ts';
import { wordHunks, type Hunk } from '../heard/wordDiff.ts';
import { masked } from '../secrets/secretMask.ts';
import { stepNamed, type TestFile } from './testFile.ts';

/** Words that a step of a file expects, and what a run heard instead. `step` is its index in the file. */
export interface HeardInstead {
  readonly step: number;
  readonly expected: string;
  readonly heard: string;
}

/** A value of a row, a collected value, or any words. */
const placeholder = /\{\w+\}|(?<!\S)\*(?!\S)/;

/**
 * Returns what can replace the words of a step: the step failed by its words, the file still expects them, and neither
 * is secret. Otherwise returns undefined.
 *
 * @param index that of the step in the run
 */
export function heardInstead(
  file: TestFile,
  { steps }: Pick<RunResults, 'steps'>,
  index: number,
): HeardInstead | undefined {
  const { name, outcome, similarity, transcript = '', expectedTranscript } = steps[index] ?? {};
  if (file.kind !== 'calltest' || outcome !== 'FAIL' || similarity === undefined || name === undefined)
    return undefined;
  const at = stepNamed(file.test.steps, name, index);
  const step = file.test.steps[at];
  const expected = step?.expectedTranscript;
  if (step === undefined || step.secret === true || expected === undefined || similarity >= step.passThreshold)
    return undefined;
  if (!/[\p{L}\p{N}]/u.test(transcript) || transcript.includes(masked.charAt(0))) return undefined;
  // The run fills in the values of its row.
  return partsInOrder(expected.split(placeholder), expectedTranscript ?? '')
    ? { step: at, expected, heard: transcript }
    : undefined;
}

/** A difference. `matters`: it changes a number, a key, a negation, or another word that excludes what was expected. */
interface HeardChange extends Hunk {
  readonly matters: boolean;
  /** A placeholder is there, which stays, or words before or after the expected ones, which cost nothing. */
  readonly stays: boolean;
}

export const changesIn = ({ expected, heard }: Pick<HeardInstead, 'expected' | 'heard'>): HeardChange[] =>
  wordHunks(expected, heard).map((hunk, index, { length }) => ({
    ...hunk,
    matters: !hunk.common && isOther(hunk),
    stays:
      hunk.common || placeholder.test(hunk.expected) || (hunk.expected === '' && (index === 0 || index === length - 1)),
  }));

/** Returns the words that the step expects from now on: what was heard, without the changes in `refused`. */
export const acceptedText = (changes: readonly HeardChange[], refused: ReadonlySet<HeardChange>): string =>
  changes
    .map((change) => (change.stays || refused.has(change) ? change.expected : change.heard))
    .filter((text) => text !== '')
    .join(' ');

function isOther({ expected, heard }: Hunk): boolean {
  const [before, after] = [spokenTokens(expected, false), spokenTokens(heard, false)];
  // A number that was added, as with another option, changes nothing that was expected.
  if (expected === '') return after.some(({ kind }) => kind === 'negation');
  const meaning = (tokens: typeof before): string =>
    tokens.flatMap(({ text, kind, rivals }) => (kind === 'word' && rivals === undefined ? [] : [text])).join(' ');
  return (
    meaning(before) !== meaning(after) ||
    before.some((one) => after.some((other) => areOpposites(one.text, other.text)))
  );
}
