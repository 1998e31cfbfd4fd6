import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Compares a text with a file that a person has looked at. At a mismatch the text lies beside it as `.actual`;
 * UPDATE_GOLDEN=1 makes it the new file.
 */
export function assertGolden(actual: string, file: URL): void {
  const beside = new URL(`${file.href}.actual`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, actual);
  try {
    assert.equal(actual, readFileSync(file, 'utf8'));
  } catch (error) {
    writeFileSync(beside, actual);
    throw error;
  }
  rmSync(beside, { force: true });
}
