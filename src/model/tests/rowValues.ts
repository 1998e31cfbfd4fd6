import type { TestStep } from '../../contract/testConfigs.ts';
import { columnsIn } from './columnUse.ts';
import type { Row } from './rowsFile.ts';
import { expectsWords } from '../heard/similarity.ts';

/** A value that isn't valid in its step. The value itself isn't shown, because it can be secret. */
interface ValueProblem {
  /** Index among the rows. */
  readonly row: number;
  readonly column: string;
  /** Index of the step. */
  readonly step: number;
  readonly member: 'keys' | 'text' | 'expectedTranscript';
  /** Continues after "Row 3, ". */
  readonly message: string;
}

/**
 * Finds row values that aren't keys where keys are pressed, or that leave nothing to say or expect. Ignores columns
 * without a value, and values that the call collects.
 */
export function findValueProblems(steps: readonly TestStep[], rows: readonly Row[]): ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const [step, { name, action, expectedTranscript }] of steps.entries()) {
    const check = (
      member: ValueProblem['member'],
      text: string,
      isWrong: (filled: string) => boolean,
      why: string,
    ): void => {
      const columns = [...new Set(columnsIn(text))];
      if (columns.length === 0) return;
      for (const [row, values] of rows.entries()) {
        const known = columns.filter((column) => Object.hasOwn(values, column));
        if (known.length < columns.length) continue;
        if (!isWrong(text.replaceAll(/\{(\w+)\}/g, (_whole, column: string) => values[column] ?? ''))) continue;
        const column = known.find((one) => isWrong(values[one] ?? '')) ?? known[0] ?? '';
        problems.push({ row, column, step, member, message: `column “${column}”: ${why} in step “${name}”.` });
      }
    };
    if (action.type === 'press')
      check(
        'keys',
        action.keys,
        (keys) => !/^[0-9*#,]+$/.test(keys),
        "this value contains characters other than keys (0-9, *, # and commas), so it can't be pressed",
      );
    if (action.type === 'say')
      check('text', action.text, (text) => text.trim() === '', 'this value leaves nothing to say');
    if (expectedTranscript !== undefined)
      check(
        'expectedTranscript',
        expectedTranscript,
        (text) => !expectsWords(text),
        'this value leaves no words to expect',
      );
  }
  return problems;
}
