import { secretColumns } from '../../../model/secrets/secretSteps.ts';
import type { ScriptedTestFile } from '../../../model/tests/testFile.ts';

const longest = 80;

/** Returns the labels of a param test's rows: their values, masked if they go into a secret step. */
export function rowLabels({ test }: Pick<ScriptedTestFile, 'test'>): string[] {
  const secret = secretColumns(test.steps);
  return (test.rows ?? []).map((row, index) => {
    const values = Object.entries(row)
      .map(([column, value]) => `${column}: ${secret.has(column) ? '•••' : value}`)
      .join(', ');
    return `${String(index + 1)} · ${values.length > longest ? `${values.slice(0, longest - 1)}…` : values}`;
  });
}
