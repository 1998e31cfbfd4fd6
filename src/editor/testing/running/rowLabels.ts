import { columnsIn } from '../../../model/columnUse.ts';
import type { ScriptedTestFile } from '../../../model/testFile.ts';

const longest = 80;

/** Columns whose values go into a secret step. */
export const secretColumns = ({ test }: Pick<ScriptedTestFile, 'test'>): ReadonlySet<string> =>
  new Set(
    test.steps
      .filter((step) => step.secret === true)
      .flatMap(({ action }) =>
        columnsIn(action.type === 'press' ? action.keys : action.type === 'say' ? action.text : ''),
      ),
  );

/** How the rows of a param test are listed: their values, those masked that go into a secret step. */
export function rowLabels({ test }: Pick<ScriptedTestFile, 'test'>): string[] {
  const secret = secretColumns({ test });
  return (test.rows ?? []).map((row, index) => {
    const values = Object.entries(row)
      .map(([column, value]) => `${column}: ${secret.has(column) ? '•••' : value}`)
      .join(', ');
    return `${String(index + 1)} · ${values.length > longest ? `${values.slice(0, longest - 1)}…` : values}`;
  });
}
