import { limits } from '../../contract/limits.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import { didYouMean } from '../files/didYouMean.ts';
import type { TestRow } from './rowsFile.ts';

interface ColumnProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The unknown column; undefined if something else is wrong. */
  readonly column?: string;
}

/** Returns the names in braces in a text. */
export const columnsIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, column = '']) => column);

/** Replaces `{name}` with the value of that name. Without a value, it stays. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

/**
 * Finds `{name}` without a value: neither a column of every row nor collected by an earlier step. Returns the first
 * `limits.problems.file` problems: anyone can send a test, and each name is compared with all columns.
 */
export function findColumnProblems(steps: readonly TestStep[], rows: readonly TestRow[] | undefined): ColumnProblem[] {
  const lacking = rows && rowsWithout(rows);
  const collected = new Set<string>();
  const problems: ColumnProblem[] = [];
  for (const [index, { action, expectedTranscript, heardBeforeAnswer }] of steps.entries()) {
    const places: [readonly (string | number)[], string][] = [];
    if (action.type === 'press') places.push([['steps', index, 'action', 'keys'], action.keys]);
    if (action.type === 'say') places.push([['steps', index, 'action', 'text'], action.text]);
    if (expectedTranscript !== undefined) places.push([['steps', index, 'expectedTranscript'], expectedTranscript]);
    if (heardBeforeAnswer !== undefined) places.push([['steps', index, 'heardBeforeAnswer'], heardBeforeAnswer]);
    for (const [path, text] of places) {
      for (const name of new Set(columnsIn(text))) {
        if (problems.length >= limits.problems.file) return problems;
        const message = collected.has(name) ? undefined : problemOf(name, lacking, collected);
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

/** Returns the first row without each column, or undefined for a column of every row. */
function rowsWithout(rows: readonly TestRow[]): ReadonlyMap<string, number | undefined> {
  const first = new Map<string, number | undefined>();
  let inAll = new Set(Object.keys(rows[0] ?? {}));
  for (const [index, row] of rows.entries()) {
    for (const column of Object.keys(row)) if (!first.has(column)) first.set(column, index === 0 ? undefined : 0);
    const left = [...inAll].filter((column) => Object.hasOwn(row, column));
    if (left.length === inAll.size) continue;
    for (const column of inAll) if (!Object.hasOwn(row, column)) first.set(column, index);
    inAll = new Set(left);
  }
  return first;
}

const shownColumns = 10;

function problemOf(
  name: string,
  lacking: ReadonlyMap<string, number | undefined> | undefined,
  collected: ReadonlySet<string>,
): string | undefined {
  if (!lacking)
    return `{${name}} stands for a value of a row, but the test has no rows. Add rows or rowsFile, or collect the value in an earlier step.`;
  const without = lacking.get(name);
  if (without !== undefined) return `Row ${String(without + 1)} doesn't have the column {${name}}. Add it.`;
  if (lacking.has(name)) return undefined;
  const columns = [...lacking.keys()];
  const near = didYouMean(name, [...columns, ...collected]);
  if (near !== undefined) return `{${name}} isn't a column of the rows. Did you mean {${near}}?`;
  const more = columns.length > shownColumns ? ` and ${String(columns.length - shownColumns)} more` : '';
  return `{${name}} isn't a column of the rows. The columns are ${columns.slice(0, shownColumns).join(', ')}${more}.`;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu').source !== '';
  } catch {
    return false;
  }
}
