import { createHash } from 'node:crypto';
import type { ScriptedTestFile } from '../../../model/tests/testFile.ts';
import { secretColumns } from '../../../model/secrets/secretSteps.ts';

/**
 * Returns the keys of a param test's rows, in order. A row keeps its key if others are added, removed or moved. The key
 * is derived from the row's values, except those that go into a secret step. Rows with the same values are numbered.
 */
export function rowKeys({ test }: { readonly test: Pick<ScriptedTestFile['test'], 'steps' | 'rows'> }): string[] {
  const secret = secretColumns(test.steps);
  const alike = new Map<string, number>();
  return (test.rows ?? []).map((row) => {
    const open = Object.entries(row)
      .filter(([column]) => !secret.has(column))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const content = createHash('sha256').update(JSON.stringify(open)).digest('hex').slice(0, 16);
    const number = (alike.get(content) ?? 0) + 1;
    alike.set(content, number);
    return `${content}-${String(number)}`;
  });
}

/** Returns the index of the row that a run reports, in which secret values are masked; -1 if the test has no such row. */
export const rowOfRun = (
  test: Pick<ScriptedTestFile['test'], 'steps' | 'rows'>,
  row: Readonly<Record<string, string>>,
): number => rowKeys({ test }).indexOf(rowKeys({ test: { ...test, rows: [{ ...row }] } })[0] ?? '');
