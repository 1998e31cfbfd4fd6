import { createHash } from 'node:crypto';
import type { ScriptedTestFile } from '../../../model/tests/testFile.ts';
import { secretColumns } from '../../../model/secrets/secretSteps.ts';

/**
 * Keys of the rows of a param test, in their order: a row keeps its key where others come, go or move. It is made of
 * what is in the row, but for what goes into a secret step; of rows that are alike in that, each has its number.
 */
export function rowKeys({ test }: Pick<ScriptedTestFile, 'test'>): string[] {
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
