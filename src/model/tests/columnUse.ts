import type { TestStep } from '../../contract/testConfigs.ts';
import { didYouMean } from '../files/didYouMean.ts';
import type { Row } from './rowsFile.ts';

interface ColumnProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The unknown column; undefined if something else is wrong. */
  readonly column?: string;
}

/** Returns the names in braces in a text. */
export const columnsIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, column = '']) => column);

/** Finds `{name}` without a value: neither a column of every row nor collected by an earlier step. */
export function findColumnProblems(steps: readonly TestStep[], rows: readonly Row[] | undefined): ColumnProblem[] {
  const columns = [...new Set((rows ?? []).flatMap((row) => Object.keys(row)))];
  const collected = new Set<string>();
  const problems: ColumnProblem[] = [];
  for (const [index, { action, expectedTranscript }] of steps.entries()) {
    const places: [readonly (string | number)[], string][] = [];
    if (action.type === 'press') places.push([['steps', index, 'action', 'keys'], action.keys]);
    if (action.type === 'say') places.push([['steps', index, 'action', 'text'], action.text]);
    if (expectedTranscript !== undefined) places.push([['steps', index, 'expectedTranscript'], expectedTranscript]);
    for (const [path, text] of places) {
      for (const name of new Set(columnsIn(text))) {
        const message = collected.has(name) ? undefined : problemOf(name, rows, columns, collected);
        if (message !== undefined) problems.push({ path, message, column: name });
      }
    }
    if (action.type === 'collect') {
      if (!isPattern(action.pattern))
        problems.push({
          path: ['steps', index, 'action', 'pattern'],
          message: "This isn't a valid regular expression. Correct it.",
        });
      collected.add(action.name);
    }
  }
  return problems;
}

function problemOf(
  name: string,
  rows: readonly Row[] | undefined,
  columns: readonly string[],
  collected: ReadonlySet<string>,
): string | undefined {
  const without = rows?.findIndex((row) => !Object.hasOwn(row, name)) ?? -1;
  if (rows && without < 0) return undefined;
  if (!rows)
    return `{${name}} stands for a value of a row, but the test has no rows. Add rows or rowsFile, or collect the value in an earlier step.`;
  if (columns.includes(name)) return `Row ${String(without + 1)} doesn't have the column {${name}}. Add it.`;
  const near = didYouMean(name, [...columns, ...collected]);
  return `{${name}} isn't a column of the rows. ${near === undefined ? `The columns are ${columns.join(', ')}.` : `Did you mean {${near}}?`}`;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu').source !== '';
  } catch {
    return false;
  }
}
